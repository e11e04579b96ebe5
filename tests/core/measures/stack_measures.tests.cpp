// Measures of all heads of all layers at once: restricted to a layer they are that layer's, to the bit; after any edits
// they are those from scratch; what an edit does not reach is not measured again.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

#include "core/analysis/mixing.h"
#include "core/analysis/stream/stream.h"
#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/linalg/same_bits.h"
#include "core/measures/known_bounds.h"
#include "core/measures/likeness_table.h"
#include "core/measures/role_tables.h"
#include "tests/core/document/measured.h"
#include "tests/core/document/random_edit.h"

using namespace hydra;

namespace {

// Three layers of different kinds: 3 heads, 2 causal heads around which numbers are added, 4 heads.
Document uneven_stack() {
  Document document = hydra::apply(hydra::apply(default_document(), SetModelWidth{12}), SetHeads{3});
  for (int k = 0; k < 2; ++k) document = hydra::apply(document, {AddLayer{}, k});
  document = hydra::apply(document, {SetHeads{2}, 1});
  document = hydra::apply(document, {SetHeads{4}, 2});
  document = hydra::apply(document, {SetMask{{Mask::Kind::causal, nullptr}}, 1});
  return hydra::apply(document, {SetSetting{LayerSetting::residual, 1}, 1});
}

// As bits: NaN where NaN.
bool same_numbers(const Mat<double>& a, const Mat<double>& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

void check_restricted(const LikenessTable& all, const LikenessTable& layer, int at) {
  std::vector<Index> heads;
  for (std::size_t k = 0; k < all.places.size(); ++k)
    if (all.places[k].layer == at) heads.push_back(static_cast<Index>(k));
  for (const LikenessEntry& entry : likenesses()) {
    CAPTURE(entry.key, at);
    REQUIRE(same_numbers(Mat<double>((*all.matrix(entry.measure))(heads, heads)), *layer.matrix(entry.measure)));
  }
}

bool is_poolable(const Document& document) {
  return document.embedding.kind != Embedding::Kind::explicit_values &&
         std::ranges::none_of(document.layers, [](const Layer& l) { return l.mask.kind == Mask::Kind::custom; });
}

}  // namespace

TEST_CASE("stack measures: roles of all layers are those of each layer, after any edits", "[core][document][stack]") {
  Random random(21);
  const MarkedSentences set = marked({"the cat didn't see", "it cat the"});
  RoleTables kept;
  Document document = uneven_stack();
  std::shared_ptr<const Trace> trace;
  int compared = 0, pooled = 0;
  for (int step = 0; step < 60; ++step) {
    try {
      document = hydra::apply(document, random_stack_edit(random, document));
    } catch (const InputError&) {
      continue;
    }
    trace = evaluate(document, trace.get());
    const StackRoleTables own = kept.of_sentence(*trace, document, set);
    REQUIRE(own.size() == document.layers.size());
    for (std::size_t k = 0; k < own.size(); ++k) {
      RoleTables fresh;
      const int at = static_cast<int>(k);
      REQUIRE(text_of(*own[k]) == text_of(fresh.of_sentence(*trace, at, set, &document.layer(at))));
    }
    ++compared;
    if (!is_poolable(document)) continue;
    const StackRoleTables over = kept.pooled(document, set);
    for (std::size_t k = 0; k < over.size(); ++k) {
      RoleTables fresh;
      REQUIRE(text_of(*over[k]) == text_of(fresh.pooled(document, static_cast<int>(k), set)));
    }
    ++pooled;
  }
  CHECK(compared > 20);
  CHECK(pooled > 5);
}

TEST_CASE("stack measures: roles of layers before an edit are the same tables", "[core][document][stack]") {
  const MarkedSentences set = marked({"the cat didn't see", "it cat the"});
  RoleTables tables;
  Document document = uneven_stack();
  const auto both = [&] {
    const auto trace = evaluate(document);
    return std::pair(tables.of_sentence(*trace, document, set), tables.pooled(document, set));
  };
  const auto before = both();
  document = hydra::apply(document, {set_cell(Quantity::W_V, 2, 1, 3), 1});
  const auto after = both();
  for (const auto tables_of : {&decltype(before)::first, &decltype(before)::second}) {
    CHECK((before.*tables_of)[0] == (after.*tables_of)[0]);
    CHECK((before.*tables_of)[1] != (after.*tables_of)[1]);
    CHECK((before.*tables_of)[2] != (after.*tables_of)[2]);
  }
}

TEST_CASE("stack measures: layers that are recomputed have the same roles and likeness", "[core][document][stack]") {
  const Document document = uneven_stack();
  const auto whole = evaluate(document), bare = evaluate(document, nullptr, nullptr, {.focus = 2, .most = 0});
  REQUIRE_FALSE(bare->layer(0).is_whole());
  RoleTables a, b;
  const StackRoleTables x = a.of_sentence(*whole, document, nullptr), y = b.of_sentence(*bare, document, nullptr);
  for (std::size_t k = 0; k < x.size(); ++k) CHECK(text_of(*x[k]) == text_of(*y[k]));
  LikenessTables c, d;
  const LikenessTable p = c.of_sentence(*whole, all_measures()), q = d.of_sentence(*bare, all_measures());
  for (const LikenessEntry& entry : likenesses())
    CHECK(same_numbers(*p.matrix(entry.measure), *q.matrix(entry.measure)));
}

TEST_CASE("stack measures: likeness of all heads restricted to a layer is that layer's, after any edits",
          "[core][document][stack]") {
  Random random(22);
  const MarkedSentences set = marked({"the cat didn't see", "it cat the"});
  ThreadPool pool(2);
  LikenessTables kept(&pool);
  Document document = uneven_stack();
  std::shared_ptr<const Trace> trace;
  int compared = 0, pooled = 0;
  for (int step = 0; step < 50; ++step) {
    try {
      document = hydra::apply(document, random_stack_edit(random, document));
    } catch (const InputError&) {
      continue;
    }
    trace = evaluate(document, trace.get());
    const LikenessTable all = kept.of_sentence(*trace, all_measures());
    LikenessTables scratch;
    const LikenessTable fresh = scratch.of_sentence(*trace, all_measures());
    for (const LikenessEntry& entry : likenesses())
      REQUIRE(same_numbers(*all.matrix(entry.measure), *fresh.matrix(entry.measure)));
    for (int k = 0; k < static_cast<int>(document.layers.size()); ++k) {
      LikenessTables of_layer;
      check_restricted(all, of_layer.of_sentence(trace->layer(k), all_measures()), k);
    }
    ++compared;
    if (!is_poolable(document)) continue;
    const LikenessTable over = kept.pooled(document, set, all_measures());
    for (int k = 0; k < static_cast<int>(document.layers.size()); ++k) {
      LikenessTables of_layer;
      check_restricted(over, of_layer.pooled(document, *trace, k, set, all_measures()), k);
    }
    ++pooled;
  }
  CHECK(compared > 15);
  CHECK(pooled > 3);
}

TEST_CASE("stack measures: a copied layer is as alike as itself, across layers", "[core][document][stack]") {
  Document document = hydra::apply(hydra::apply(default_document(), SetModelWidth{12}), SetHeads{3});
  document = hydra::apply(document, {AddLayer{}, 0});
  document.layers[1].weights = document.layers[0].weights;
  LikenessTables tables;
  const LikenessTable all = tables.of_sentence(*evaluate(document), all_measures());
  REQUIRE(all.places.size() == 6);
  CHECK(all.places[4] == HeadPlace{1, 1});
  for (Index h = 0; h < 3; ++h) {
    CHECK((*all.matrix(Likeness::qk))(h, 3 + h) == Approx(1));
    CHECK((*all.matrix(Likeness::ov))(h, 3 + h) == Approx(1));
    CHECK((*all.matrix(Likeness::cosine))(h, 3 + h) < 0.9999);  // it reads another stream
  }
}

TEST_CASE("stack measures: heads of other widths are compared as the wider one needs it", "[core][document][stack]") {
  // 5 tokens: more than the columns of 4 heads of d_model 12 (3), fewer than those of 2 (6).
  Document document = hydra::apply(hydra::apply(default_document(), SetModelWidth{12}), SetHeads{4});
  document = hydra::apply(document, SetSentence{"the cat sat on it"});
  document = hydra::apply(document, {AddLayer{}, 0});
  document = hydra::apply(document, {SetHeads{2}, 1});
  const auto trace = evaluate(document);
  LikenessTables tables;
  const LikenessTable all = tables.of_sentence(*trace, all_measures());
  const auto centred = [](Eigen::MatrixXd m) { return (m.rowwise() - m.colwise().mean()).eval(); };
  const Eigen::MatrixXd x = centred(trace->layer(0).heads[0].output->cast<double>()),
                        y = centred(trace->layer(1).heads[1].output->cast<double>());
  const auto hsic = [](const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {  // Song et al. 2012, equation 5
    Eigen::MatrixXd K = a * a.transpose(), L = b * b.transpose();
    K.diagonal().setZero(), L.diagonal().setZero();
    const double n = static_cast<double>(K.rows());
    return ((K * L).trace() + K.sum() * L.sum() / ((n - 1) * (n - 2)) -
            2 / (n - 2) * (K.colwise().sum() * L.rowwise().sum())(0, 0)) /
           (n * (n - 3));
  };
  CHECK((*all.matrix(Likeness::cka))(0, 5) == Approx(hsic(x, y) / std::sqrt(hsic(x, x) * hsic(y, y))).epsilon(1e-5));
}

TEST_CASE("stack measures: weights are compared where the stream is one", "[core][document][stack]") {
  Document document = hydra::apply(default_document(), {AddLayer{}, 0});
  CHECK(axes_change(evaluate(document)->layers) == 0);
  document = hydra::apply(document, {SetSetting{LayerSetting::residual, 1}, 0});
  CHECK_FALSE(axes_change(evaluate(document)->layers));
  CHECK_FALSE(axes_change(evaluate(default_document())->layers));
}

TEST_CASE("stack measures: what a head adds is Mixing's share, and Stream's size", "[core][document][stack]") {
  const Document document = uneven_stack();
  const auto trace = evaluate(document);
  RoleTables tables;
  const StackRoleTables own = tables.of_sentence(*trace, document, nullptr);
  StreamMeasures streams;
  const Stream stream = streams.of(*trace, 0);
  for (int k = 0; k < 3; ++k) {
    const Mixing mixing = MixingMeasures().of(trace->layer(k));
    const StreamLayer& sizes = stream.layer(k);
    const double entering = sizes.size.col(0).squaredNorm();  // X comes first
    double sum = 0;
    for (std::size_t h = 0; h < own[static_cast<std::size_t>(k)]->heads.size(); ++h) {
      const RoleMeasures& m = own[static_cast<std::size_t>(k)]->heads[h];
      CHECK(m[head_number::share] == Approx(mixing.shares().size[h]).epsilon(1e-6));
      CHECK(m[head_number::against_stream] ==
            Approx(std::sqrt(sizes.size.col(static_cast<Index>(h) + 1).squaredNorm() / entering)).epsilon(1e-5));
      sum += m[head_number::share];
    }
    CHECK(sum == Approx(1));
    CHECK(own[static_cast<std::size_t>(k)]->chance[head_number::share] > 0);
    CHECK(own[static_cast<std::size_t>(k)]->chance[head_number::against_stream] > 0);
  }
}

TEST_CASE("stack measures: work that is stopped ends, and is gone on with to the same bits",
          "[core][document][stack]") {
  const Document document = uneven_stack();
  const auto trace = evaluate(document);
  const MarkedSentences set = marked({"the cat didn't see", "it cat the"});
  std::stop_source stop;
  stop.request_stop();
  std::atomic<int> done = 0;
  const Progress stopped{stop.get_token(), &done}, free{{}, &done};
  RoleTables roles;
  CHECK_THROWS_AS(roles.of_sentence(*trace, document, set, stopped), Stopped);
  CHECK_THROWS_AS(roles.pooled(document, set, stopped), Stopped);
  done = 0;
  const StackRoleTables tables = roles.pooled(document, set, free);
  CHECK(done == 2 + 3);
  for (std::size_t k = 0; k < tables.size(); ++k)
    CHECK(text_of(*tables[k]) == text_of(RoleTables().pooled(document, static_cast<int>(k), set)));
  LikenessTables likeness;
  CHECK_THROWS_AS(likeness.of_sentence(*trace, all_measures(), stopped), Stopped);
  done = 0;
  const LikenessTable all = likeness.of_sentence(*trace, all_measures(), free);
  CHECK(done == steps_of_likeness(9, all_measures()));
  LikenessTables fresh;
  const LikenessTable expected = fresh.of_sentence(*trace, all_measures());
  for (const LikenessEntry& entry : likenesses())
    CHECK(same_numbers(*all.matrix(entry.measure), *expected.matrix(entry.measure)));
}

TEST_CASE("stack measures: what random layers reach is known for every layer of the deepest stack",
          "[core][document][stack]") {
  Document document = hydra::apply(hydra::apply(default_document(), SetModelWidth{4}), SetHeads{1});
  for (int k = 1; k < 48; ++k) document = hydra::apply(document, {AddLayer{}, k - 1});
  RoleTables tables;
  const StackRoleTables own = tables.of_sentence(*evaluate(document), document, nullptr);
  KnownBounds known;
  NameBounds bounds;
  for (const auto& table : own) known.keep(table->random, bounds);
  for (const auto& table : own) CHECK(known.find(table->random));
}

TEST_CASE("stack measures: more heads than a matrix has room for are not compared, and the limit is said",
          "[core][document][stack]") {
  CHECK(why_not_compared(144, 12).empty());
  CHECK(why_not_compared(576, 0).empty());
  CHECK_THAT(why_not_compared(640, 12), Catch::Contains("640 heads") && Catch::Contains("up to 576"));
  CHECK_THAT(why_not_compared(9, 2000), Catch::Contains("9 heads") && Catch::Contains("up to 1333 tokens"));
  CHECK(why_not_compared(9, 1333).empty());
}
