#include "core/analysis/mixing.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/linalg/same_bits.h"
#include "tests/support/data.h"
#include "tests/support/models/layers.h"

using namespace hydra;
using nlohmann::json;

namespace {

double sum(const std::vector<double>& values) {
  double total = 0;
  for (const double value : values) total += value;
  return total;
}

// A layer whose heads write the given rows for a single token; nothing else of it is filled.
LayerTrace<float> writing(const std::vector<std::vector<float>>& rows) {
  LayerTrace<float> layer;
  const auto heads = static_cast<Index>(rows.size()), d_model = static_cast<Index>(rows.front().size());
  layer.input.heads = heads;
  layer.input.X = share(Mat<float>(Mat<float>::Zero(1, d_model)));
  layer.input.weights.W_Q = layer.input.weights.W_O = share(Mat<float>(Mat<float>::Identity(d_model, d_model)));
  Mat<float> Y = Mat<float>::Zero(1, d_model);
  for (const std::vector<float>& row : rows) {
    const Mat<float> Z = Eigen::Map<const Mat<float>>(row.data(), 1, d_model);
    Y += Z;
    layer.heads.push_back({});
    layer.heads.back().contribution = share(Mat<float>(Z));
  }
  layer.output = share(std::move(Y));
  return layer;
}

std::vector<float> floats(const json& row) { return row.get<std::vector<float>>(); }

Array<float> float_matrix(const json& rows) {
  Mat<float> values(static_cast<Index>(rows.size()), static_cast<Index>(rows.at(0).size()));
  for (Index i = 0; i < values.rows(); ++i) {
    const std::vector<float> row = floats(rows.at(static_cast<std::size_t>(i)));
    values.row(i) = Eigen::Map<const RowVec<float>>(row.data(), values.cols());
  }
  return share(std::move(values));
}

LayerTrace<float> layer_of(const json& golden) {
  LayerTrace<float> layer;
  layer.output = float_matrix(golden.at("output"));
  const Index d_model = layer.output->cols();
  layer.input.X = layer.output;  // for its shape
  layer.input.heads = static_cast<Index>(golden.at("contributions").size());
  layer.input.weights.W_Q = layer.input.weights.W_O = share(Mat<float>(Mat<float>::Identity(d_model, d_model)));
  if (!golden.at("bias").is_null()) {
    const std::vector<float> bias = floats(golden.at("bias"));
    layer.input.weights.b_O = share(RowVec<float>(Eigen::Map<const RowVec<float>>(bias.data(), d_model)));
  }
  for (const json& Z : golden.at("contributions")) {
    layer.heads.push_back({});
    layer.heads.back().contribution = float_matrix(Z);
  }
  return layer;
}

void check(const std::vector<double>& ours, const json& golden) {
  REQUIRE(ours.size() == golden.size());
  for (std::size_t k = 0; k < ours.size(); ++k) CHECK(ours[k] == Approx(golden.at(k).get<double>()).margin(1e-6));
}

void check(const Mat<double>& ours, const json& golden) {
  REQUIRE(static_cast<std::size_t>(ours.rows()) == golden.size());
  for (Index i = 0; i < ours.rows(); ++i)
    check(std::vector<double>(ours.row(i).data(), ours.row(i).data() + ours.cols()),
          golden.at(static_cast<std::size_t>(i)));
}

void check(const Shares& ours, const json& golden) {
  check(ours.size, golden.at("size"));
  check(ours.along, golden.at("along"));
  CHECK(ours.bias_along == Approx(golden.at("bias_along").get<double>()).margin(1e-6));
}

}  // namespace

TEST_CASE("mixing: worked by hand", "[core][mixing]") {
  // Y = (3, 4) + (0, 1) + (0, -1) = (3, 4).
  const LayerTrace<float> layer = writing({{3, 4}, {0, 1}, {0, -1}});
  const Mixing mixing = MixingMeasures().of(layer);
  const Shares shares = mixing.shares();
  CHECK(shares.size[0] == Approx(25.0 / 27));
  CHECK(shares.along == std::vector<double>{1, 4.0 / 25, -4.0 / 25});
  CHECK(shares.bias_along == 0);
  CHECK(mixing.ablation[0] == Approx(1));
  CHECK(mixing.ablation[1] == Approx(0.2));
  // The two that cancel go first, and together change nothing.
  CHECK(mixing.silencing.order == std::vector<int>{1, 2, 0});
  CHECK(mixing.silencing.change == std::vector<double>{0, 0.2, 0, 1});
  const Mat<double> cosines = writing_cosines(layer, 0);
  CHECK(cosines(1, 2) == Approx(-1));
  CHECK(cosines(0, 1) == Approx(0.8));
  CHECK(cosines(0, 0) == Approx(1));
  CHECK((cosines - writing_cosines(mixing)).cwiseAbs().maxCoeff() < 1e-12);
}

TEST_CASE("mixing: what cannot be told is not a number", "[core][mixing]") {
  const LayerTrace<float> silent = writing({{0, 0}, {0, 0}});
  const Mixing nothing = MixingMeasures().of(silent);
  CHECK(std::isnan(nothing.shares().size[0]));
  CHECK(std::isnan(nothing.shares(0).along[1]));
  CHECK(std::isnan(nothing.ablation[0]));
  CHECK(nothing.silencing.order.empty());
  CHECK(nothing.silencing.silent == std::vector<int>{0, 1});
  CHECK(nothing.silencing.change == std::vector<double>{0});
  CHECK(std::isnan(writing_cosines(silent, 0)(0, 1)));
  const float infinite = std::numeric_limits<float>::infinity();
  const Mixing broken = MixingMeasures().of(writing({{infinite, 0}, {1, 0}}));
  CHECK(broken.silencing.order.size() == 2);
  CHECK(std::isnan(broken.silencing.random_mean[1]));
}

TEST_CASE("mixing: as NumPy has it", "[core][mixing]") {
  std::ifstream file(test::data("mixing_golden.json"));
  REQUIRE(file.good());
  for (const json& golden : json::parse(file)) {
    const LayerTrace<float> layer = layer_of(golden);
    CAPTURE(layer.input.heads, layer.output->rows());
    const Mixing mixing = MixingMeasures().of(layer);
    check(mixing.shares(), golden.at("overall"));
    for (Index t = 0; t < layer.output->rows(); ++t)
      check(mixing.shares(t), golden.at("tokens").at(static_cast<std::size_t>(t)));
    check(mixing.ablation, golden.at("ablation"));
    CHECK(mixing.silencing.order == golden.at("silencing").at("order").get<std::vector<int>>());
    check(mixing.silencing.change, golden.at("silencing").at("change"));
    check(writing_cosines(mixing), golden.at("cosines"));
    check(writing_cosines(layer, 0), golden.at("first_token_cosines"));
    if (!golden.at("in_any_order").is_null()) check(mixing.silencing.random_mean, golden.at("in_any_order"));

    const Mixing varying = MixingMeasures().of(layer, Written::varying);
    const json& of_varying = golden.at("varying");
    check(varying.constant, of_varying.at("constant"));
    check(mixing.constant, of_varying.at("constant"));
    if (!of_varying.contains("overall")) {  // one token, which does not vary
      CHECK(std::isnan(varying.ablation[0]));
      CHECK(varying.silencing.order.empty());
      continue;
    }
    check(varying.shares(), of_varying.at("overall"));
    for (Index t = 0; t < layer.output->rows(); ++t)
      check(varying.shares(t), of_varying.at("tokens").at(static_cast<std::size_t>(t)));
    check(varying.ablation, of_varying.at("ablation"));
    CHECK(varying.silencing.order == of_varying.at("silencing").at("order").get<std::vector<int>>());
    check(varying.silencing.change, of_varying.at("silencing").at("change"));
    check(writing_cosines(varying), of_varying.at("cosines"));
    check(writing_cosines(layer, 0, varying.means), of_varying.at("first_token_cosines"));
  }
}

TEST_CASE("mixing: laws on random layers", "[core][mixing]") {
  Random random(6);
  for (const Index heads : {1, 2, 3, 6, 12}) {
    LayerInput<float> input = test::random_layer<float>(random, 7, 12, heads, heads == 3);
    for (Index h = 0; heads == 6 && h < heads; ++h) input.gates.push_back(static_cast<float>(h % 3) * 0.75f);
    const LayerTrace<float> layer = forward<float>(input);
    const Mixing mixing = MixingMeasures().of(layer);
    for (Index t = -1; t < 7; ++t) {
      const Shares shares = t < 0 ? mixing.shares() : mixing.shares(t);
      CHECK(sum(shares.size) == Approx(1));
      CHECK(sum(shares.along) + shares.bias_along == Approx(1));
    }
    const Silencing& silencing = mixing.silencing;
    std::vector<int> all = silencing.order;
    all.insert(all.end(), silencing.silent.begin(), silencing.silent.end());
    std::sort(all.begin(), all.end());
    for (std::size_t k = 0; k < all.size(); ++k) CHECK(all[k] == static_cast<int>(k));
    REQUIRE(all.size() == static_cast<std::size_t>(heads));
    CHECK(silencing.silent == (heads == 6 ? std::vector<int>{0, 3} : std::vector<int>{}));
    double least = 1e9;
    for (const int head : silencing.order) least = std::min(least, mixing.ablation[static_cast<std::size_t>(head)]);
    CHECK(silencing.change[1] == Approx(least));
    CHECK(silencing.change.back() == Approx(silencing.random_mean.back()));  // all heads silenced, in whatever order
    REQUIRE(silencing.change.size() == silencing.order.size() + 1);
    for (std::size_t k = 0; k <= silencing.order.size(); ++k) {
      CHECK(silencing.random_low[k] <= silencing.random_high[k]);
      CHECK(silencing.random_mean[k] >= 0);
    }
  }
}

TEST_CASE("mixing: heads that are silent already cannot be silenced", "[core][mixing]") {
  // Y = (3, 4) + (0, 1): what the open heads alone would have, wherever the silent ones stand.
  const Silencing open = MixingMeasures().of(writing({{3, 4}, {0, 1}})).silencing;
  const Silencing among = MixingMeasures().of(writing({{0, 0}, {3, 4}, {0, 0}, {0, 1}})).silencing;
  CHECK(open.silent.empty());
  CHECK(among.silent == std::vector<int>{0, 2});
  CHECK(among.order == std::vector<int>{3, 1});
  CHECK(among.change == open.change);
  CHECK(among.random_mean == open.random_mean);
}

TEST_CASE("mixing: an ablation is a run with the head's rows of W_O at zero", "[core][mixing]") {
  Random random(7);
  const LayerInput<float> input = test::random_layer<float>(random, 6, 12, 4, true);
  const LayerTrace<float> layer = forward<float>(input);
  const Mixing mixing = MixingMeasures().of(layer);
  const double whole = layer.output->cast<double>().norm();
  Mat<float> W_O = *input.weights.W_O;
  for (std::size_t k = 0; k < 4; ++k) {  // one after the other in the greedy order, then each alone
    const int head = mixing.silencing.order[k];
    W_O.middleRows(3 * head, 3).setZero();
    LayerInput<float> silenced = input;
    silenced.weights.W_O = share(Mat<float>(W_O));
    const double change = (*forward<float>(silenced).output - *layer.output).cast<double>().norm() / whole;
    CHECK(change == Approx(mixing.silencing.change[k + 1]).margin(1e-6));

    Mat<float> alone = *input.weights.W_O;
    alone.middleRows(3 * head, 3).setZero();
    silenced.weights.W_O = share(std::move(alone));
    const LayerTrace<float> zeroed = forward<float>(silenced);
    CHECK((*zeroed.output - *layer.output).cast<double>().norm() / whole ==
          Approx(mixing.ablation[static_cast<std::size_t>(head)]).margin(1e-6));
    LayerInput<float> gated = input;
    gated.gates.assign(4, 1);
    gated.gates[static_cast<std::size_t>(head)] = 0;
    CHECK(same_bits<float>(forward<float>(gated, &layer).output, zeroed.output));
  }
}

TEST_CASE("mixing: gates are measured against the output without them", "[core][mixing]") {
  Random random(8);
  LayerInput<float> input = test::random_layer<float>(random, 5, 8, 2);
  const LayerTrace<float> before = forward<float>(input);
  input.gates = {0, 1};
  const LayerTrace<float> after = forward<float>(input);
  const Mixing mixing = MixingMeasures().of(after);
  CHECK(same_bits<float>(mixing.ungated, before.output));
  CHECK(mixing.gate_change_overall == Approx(MixingMeasures().of(before).ablation[0]));
  for (Index t = 0; t < 5; ++t) {
    const double y = before.output->row(t).cast<double>().norm();
    CHECK(mixing.gate_change[static_cast<std::size_t>(t)] ==
          Approx((after.output->row(t) - before.output->row(t)).cast<double>().norm() / y));
  }
  CHECK(MixingMeasures().of(before).gate_change_overall == 0);
}

TEST_CASE("mixing: measured again after an edit is measured from scratch", "[core][mixing]") {
  Random random(9);
  LayerInput<float> input = test::random_layer<float>(random, 6, 12, 4);
  MixingMeasures measures;
  LayerTrace<float> layer = forward<float>(input);
  for (int k = 0; k < 30; ++k) {
    if (k % 7 == 3) input.heads = input.heads == 4 ? 6 : 4;
    Mat<float> W = *(k % 2 == 0 ? input.weights.W_O : input.weights.W_V);
    W(static_cast<Index>(random.bits() % 12), static_cast<Index>(random.bits() % 12)) += 1;
    (k % 2 == 0 ? input.weights.W_O : input.weights.W_V) = share(std::move(W));
    layer = forward<float>(input, &layer);
    const Mixing kept = measures.of(layer), scratch = MixingMeasures().of(layer);
    REQUIRE(kept.gram == scratch.gram);
    REQUIRE(kept.silencing.random_mean == scratch.silencing.random_mean);
  }
}

TEST_CASE("mixing: pooled over sentences is over all their tokens", "[core][mixing]") {
  Random random(10);
  LayerInput<float> input = test::random_layer<float>(random, 6, 12, 4, true);
  input.gates = {1, 0.5f, 2, 0};
  const LayerTrace<float> first = forward<float>(input);
  const Mixing alone = MixingMeasures().of(first), one = pooled_mixing({first});
  CHECK(one.gram == alone.gram);
  CHECK(one.silencing.change == alone.silencing.change);
  CHECK(one.gate_change_overall == alone.gate_change_overall);
  CHECK_FALSE(one.ungated);

  input.X = share(test::random_matrix<float>(random, 3, 12));
  const LayerTrace<float> second = forward<float>(input);
  const Mixing both = pooled_mixing({first, second});
  REQUIRE(both.size.rows() == 9);
  CHECK(sum(both.shares().along) + both.shares().bias_along == Approx(1));
  double changed = 0, whole = 0, difference = 0, open = 0;
  for (const LayerTrace<float>* layer : {&first, &second}) {
    changed += layer->heads[2].contribution->cast<double>().squaredNorm();
    whole += layer->output->cast<double>().squaredNorm();
    const Array<float> before = ungated(*layer).output;
    difference += (*layer->output - *before).cast<double>().squaredNorm();
    open += before->cast<double>().squaredNorm();
  }
  CHECK(both.ablation[2] == Approx(std::sqrt(changed / whole)));
  CHECK(both.gate_change_overall == Approx(std::sqrt(difference / open)).epsilon(1e-6));
  CHECK(both.shares(7).along == MixingMeasures().of(second).shares(1).along);
}

TEST_CASE("mixing: of contributions that are not kept the same comes out", "[core][mixing]") {
  Random random(21);
  for (const Index n : {Index{1}, Index{64}, Index{150}}) {
    LayerInput<float> input = test::random_layer<float>(random, n, 24, 6, true);
    input.gates = {1, 0.5f, 1, 0, 2, 1};
    const LayerTrace<float> all = forward(input);
    input.keep_all = false;
    const LayerTrace<float> less = forward(input);
    MixingMeasures of_all, of_less;
    const Mixing a = of_all.of(all), b = of_less.of(less);
    CHECK(a.gram == b.gram);
    CHECK(a.size == b.size);
    CHECK(a.along == b.along);
    CHECK(a.gate_change == b.gate_change);
    CHECK(a.silencing.order == b.silencing.order);
  }
}

TEST_CASE("mixing: in any order is over all orders where heads are few, by random ones where they are many",
          "[core][mixing]") {
  // Of two heads each goes first in one order of two: the mean of both.
  const Silencing two = MixingMeasures().of(writing({{3, 4}, {0, 1}})).silencing;
  const double whole = std::sqrt(9.0 + 25);
  CHECK(two.random_orders == 0);
  CHECK(two.random_mean[1] == Approx((5 + 1) / (2 * whole)));
  CHECK(two.random_low[1] == Approx(1 / whole));
  CHECK(two.random_high[1] == Approx(5 / whole));
  // Five heads, one order after the other.
  Random random(31);
  const Mat<float> rows = test::random_matrix<float>(random, 5, 3);
  std::vector<std::vector<float>> written;
  for (Index h = 0; h < 5; ++h) written.emplace_back(rows.row(h).data(), rows.row(h).data() + 3);
  const Silencing five = MixingMeasures().of(writing(written)).silencing;
  std::vector<int> order{0, 1, 2, 3, 4};
  std::vector<double> sums(6);
  int orders = 0;
  const Mat<double> Z = rows.cast<double>();
  do {
    RowVec<double> sum = RowVec<double>::Zero(3);
    for (std::size_t k = 0; k < 5; ++k) {
      sum += Z.row(order[k]);
      sums[k + 1] += sum.norm() / Z.colwise().sum().norm();
    }
    ++orders;
  } while (std::next_permutation(order.begin(), order.end()));
  for (std::size_t k = 0; k < 6; ++k) CHECK(five.random_mean[k] == Approx(sums[k] / orders).margin(1e-6));
  written.assign(kMostHeadsInAllOrders, {1, 0, 0});
  CHECK(MixingMeasures().of(writing(written)).silencing.random_orders == 0);
  written.push_back({0, 1, 0});
  CHECK(MixingMeasures().of(writing(written)).silencing.random_orders == kRandomOrders);
}

TEST_CASE("mixing: what varies is the same wherever a value's bias stands", "[core][mixing]") {
  Random random(32);
  LayerInput<float> input = test::random_layer<float>(random, 6, 12, 3, true);
  input.gates = {1, 0.5f, 2};
  LayerInput<float> folded = input;
  folded.weights.b_V = nullptr;
  const Mat<float> bias = input.weights.b_V->row(0);
  Mat<float> b_O = input.weights.b_O->row(0);
  for (Index h = 0; h < 3; ++h)  // each head's gate multiplies what its bias adds
    b_O += input.gate(h) * bias.middleCols(4 * h, 4) * input.weights.W_O->middleRows(4 * h, 4);
  folded.weights.b_O = share_columns(std::move(b_O));
  const LayerTrace<float> apart = forward<float>(input), whole = forward<float>(folded);
  REQUIRE(apart.output->isApprox(*whole.output, 1e-5f));
  const Mixing a = MixingMeasures().of(apart), b = MixingMeasures().of(whole);
  CHECK_FALSE(a.gram.isApprox(b.gram, 0.05));
  CHECK(a.constant_overall > b.constant_overall + 0.05);
  for (const bool pooled : {false, true}) {
    const auto varying = [&](const LayerTrace<float>& layer) {
      return pooled ? pooled_mixing({layer, layer}, nullptr, Written::varying)
                    : MixingMeasures().of(layer, Written::varying);
    };
    const Mixing x = varying(apart), y = varying(whole);
    CAPTURE(pooled);
    CHECK(x.gram.isApprox(y.gram, 1e-5));
    CHECK(x.size.isApprox(y.size, 1e-5));
    CHECK(x.along.isApprox(y.along, 1e-5));
    CHECK(x.silencing.order == y.silencing.order);
    for (std::size_t h = 0; h < 3; ++h) CHECK(x.ablation[h] == Approx(y.ablation[h]).epsilon(1e-5));
    CHECK(sum(x.shares().along) == Approx(1));
    CHECK(x.shares().bias_along == 0);
    CHECK(writing_cosines(x).isApprox(writing_cosines(y), 1e-5));
  }
}

TEST_CASE("mixing: a head that writes the same for every token varies by nothing", "[core][mixing]") {
  Random random(33);
  LayerInput<float> input = test::random_layer<float>(random, 5, 8, 2, true);
  Mat<float> W_V = *input.weights.W_V;
  W_V.leftCols(4).setZero();  // head 1 writes its bias alone
  input.weights.W_V = share_columns(std::move(W_V));
  const LayerTrace<float> layer = forward<float>(input);
  const Mixing all = MixingMeasures().of(layer), varying = MixingMeasures().of(layer, Written::varying);
  CHECK(all.constant[0] == Approx(1));
  CHECK(all.constant[1] < 1);
  CHECK(all.silencing.silent.empty());
  CHECK(varying.silencing.silent == std::vector<int>{0});
  CHECK(varying.ablation[0] == 0);
  CHECK(varying.ablation[1] == Approx(1));
  // Pooled, the mean is over the tokens of all sentences.
  input.X = share(test::random_matrix<float>(random, 3, 8));
  const LayerTrace<float> second = forward<float>(input);
  const Mixing pooled = pooled_mixing({layer, second}, nullptr, Written::varying);
  Mat<double> rows(8, 8);
  rows << layer.heads[1].contribution->cast<double>(), second.heads[1].contribution->cast<double>();
  const RowVec<double> mean = rows.colwise().mean();
  CHECK(pooled.gram(1, 1) == Approx((rows.rowwise() - mean).squaredNorm()));
  CHECK(pooled.constant[1] == Approx(8 * mean.squaredNorm() / rows.squaredNorm()));
}
