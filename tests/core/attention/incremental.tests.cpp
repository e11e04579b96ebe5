// Incremental recomputing: whatever the previous trace, the result has the bits of a from-scratch trace, and what an
// edit does not reach is the previous trace's own matrix.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "core/linalg/same_bits.h"
#include "tests/support/models/layers.h"

using namespace hydra;
using namespace hydra::test;

namespace {

using Layer = LayerInput<float>;
using Weights = AttentionWeights<float>;

// Which matrices are not the previous trace's own: per head letters of "QKVSAOZ" (S and A for scores and attention, Z
// for the contribution), "C" and "Y" for the layer's.
bool renewed(const Array<float>& now, const Array<float>& before) {
  REQUIRE((now.owner() == before.owner()) == (now.stamp() == before.stamp()));
  return now.stamp() != before.stamp();
}
std::string renewed(const HeadTrace<float>& now, const HeadTrace<float>& before) {
  std::string letters;
  if (renewed(now.Q, before.Q)) letters += 'Q';
  if (renewed(now.K, before.K)) letters += 'K';
  if (renewed(now.V, before.V)) letters += 'V';
  if (renewed(now.scores, before.scores)) letters += 'S';
  if (renewed(now.attention, before.attention)) letters += 'A';
  if (renewed(now.output, before.output)) letters += 'O';
  if (renewed(now.contribution, before.contribution)) letters += 'Z';
  return letters;
}
std::string renewed(const LayerTrace<float>& now, const LayerTrace<float>& before) {
  return std::string(renewed(now.concat, before.concat) ? "C" : "") + (renewed(now.output, before.output) ? "Y" : "");
}

void check_same_bits(const LayerTrace<float>& a, const LayerTrace<float>& b) {
  REQUIRE(a.heads.size() == b.heads.size());
  for (std::size_t h = 0; h < a.heads.size(); ++h)
    for (const Quantity stage : kHeadStages) REQUIRE(same_bits<float>(a.heads[h][stage], b.heads[h][stage]));
  for (const Quantity stage : kLayerStages) REQUIRE(same_bits<float>(a[stage], b[stage]));
}

// An edit, and what must be recomputed after it: in one head (-1: in all), and in the layer.
struct Change {
  std::string name;
  int head;
  std::string in_head, in_layer;
};

const std::string kAllOfHead = "QKVSAOZ", kNothing;

Array<float> with_new_cell(const Array<float>& matrix, Index row, Index col, float value) {
  Mat<float> values = *matrix;
  values(row, col) = value;
  return replaced_block(matrix, std::move(values), row, col, 1, 1);
}

Index picked(Random& random, Index limit) {
  return static_cast<Index>(random.bits() % static_cast<std::uint64_t>(limit));
}

Change change_matrix(Layer& layer, Random& random) {
  struct Target {
    const char* name;
    Array<float> Weights::*W;
    const char *in_head, *in_layer;
  };
  static const Target targets[] = {{"W_Q", &Weights::W_Q, "QSAOZ", "CY"},
                                   {"W_K", &Weights::W_K, "KSAOZ", "CY"},
                                   {"W_V", &Weights::W_V, "VOZ", "CY"},
                                   {"W_O", &Weights::W_O, "Z", "Y"}};
  const Target& target = targets[picked(random, 4)];
  Array<float>& W = layer.weights.*target.W;
  const Index row = picked(random, W.rows()), col = picked(random, W.cols());
  W = with_new_cell(W, row, col, (*W)(row, col) + static_cast<float>(random.uniform(0.5, 1)));
  const Index place = target.W == &Weights::W_O ? row : col;
  return {target.name, static_cast<int>(place / layer.d_k()), target.in_head, target.in_layer};
}

// Switches a bias on or off, or changes one of its numbers.
Change change_bias(Layer& layer, Random& random) {
  struct Target {
    const char* name;
    Array<float> Weights::*b;
    const char *in_head, *in_layer;
  };
  static const Target targets[] = {{"b_Q", &Weights::b_Q, "QSAOZ", "CY"},
                                   {"b_K", &Weights::b_K, "KSAOZ", "CY"},
                                   {"b_V", &Weights::b_V, "VOZ", "CY"},
                                   {"b_O", &Weights::b_O, "", "Y"}};
  const Target& target = targets[picked(random, 4)];
  Array<float>& b = layer.weights.*target.b;
  if (!b || random.uniform() < 0.3) {
    b = b ? nullptr : random_bias<float>(random, target.b == &Weights::b_O ? layer.d_model() : layer.concat_width());
    return {target.name, -1, target.in_head, target.in_layer};
  }
  const Index place = picked(random, b.cols());
  b = with_new_cell(b, 0, place, (*b)(0, place) + 1);
  return {target.name, target.b == &Weights::b_O ? -1 : static_cast<int>(place / layer.d_k()), target.in_head,
          target.in_layer};
}

Change change_mask(Layer& layer, Random& random) {
  const Mask before = layer.mask;
  const Index kind = picked(random, 3);
  layer.mask = kind == 0 ? Mask{} : kind == 1 ? causal_mask() : random_mask(random, layer.n());
  const bool same = before == layer.mask;
  return {"mask", -1, same ? "" : "SAOZ", same ? "" : "CY"};
}

Change change_sizes(Layer& layer, Random& random) {
  layer.painted.clear();
  if (random.bits() & 1) {
    layer.heads = layer.heads == 3 ? 4 : 3;
  } else {
    const Index n = layer.n() == 9 ? 10 : 9;
    layer.X = share(random_matrix<float>(random, n, layer.d_model()));
    layer.mask = resized(layer.mask, n);
  }
  return {"sizes", -1, kAllOfHead, "CY"};
}

// A row of one head's attention or values set by hand, or, when it is already, let go.
Change change_painting(Layer& layer, Random& random) {
  const Index h = picked(random, layer.heads), row = picked(random, layer.n());
  const bool of_values = random.uniform() < 0.5;
  layer.painted.resize(static_cast<std::size_t>(layer.heads));
  PaintedHead<float>& head = layer.painted[static_cast<std::size_t>(h)];
  std::vector<PaintedRow<float>>& rows = of_values ? head.values : head.attention;
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const auto& painted) { return painted.row >= row; });
  if (at != rows.end() && at->row == row)
    rows.erase(at);
  else
    rows.insert(at, {row, random_bias<float>(random, of_values ? layer.d_k() : layer.n())});
  return {of_values ? "painted values" : "painted attention", static_cast<int>(h), of_values ? "VOZ" : "AOZ", "CY"};
}

// Other objects, same stamps: values read again, or recomputed.
Change change_nothing(Layer& layer) {
  layer.X = share(Mat<float>(*layer.X), layer.X.stamp());
  Array<float>&W_K = layer.weights.W_K, &W_O = layer.weights.W_O;
  W_K = share(Mat<float>(*W_K), W_K.stamp()).with_column_stamps(W_K.column_stamps());
  W_O = share(Mat<float>(*W_O), W_O.stamp()).with_row_stamps(W_O.row_stamps());
  for (PaintedHead<float>& head : layer.painted)
    for (PaintedRow<float>& painted : head.values)
      painted.values = share(Mat<float>(*painted.values), painted.values.stamp());
  return {"nothing", -1, kNothing, kNothing};
}

Change change_something(Layer& layer, Random& random) {
  switch (picked(random, 11)) {
    case 0:
    case 1:
    case 2:
      return change_matrix(layer, random);
    case 3:
      return change_bias(layer, random);
    case 4:
      return change_mask(layer, random);
    case 5:
      return change_sizes(layer, random);
    case 6:
      layer.settings.scale = !layer.settings.scale;
      return {"scale", -1, "SAOZ", "CY"};
    case 7:
      layer.X = with_new_cell(layer.X, picked(random, layer.n()), picked(random, layer.d_model()),
                              static_cast<float>(random.uniform(2, 3)));
      return {"X", -1, kAllOfHead, "CY"};
    case 8:
    case 9:
      return change_painting(layer, random);
    default:
      return change_nothing(layer);
  }
}

}  // namespace

TEST_CASE("forward: over random scripts, incremental equals scratch and renews just what an edit reaches",
          "[core][attention][incremental]") {
  const std::uint64_t seed = GENERATE(1u, 2u, 3u, 4u, 5u, 6u);
  Random random(seed);
  ThreadPool pool(2);
  Layer layer = random_layer<float>(random, 10, 24, 4, seed % 2 == 0, 1, seed % 3 == 0 ? 9 : 0);
  LayerTrace<float> before = forward<float>(layer);
  for (int step = 0; step < 200; ++step) {
    const Change change = change_something(layer, random);
    CAPTURE(seed, step, change.name, change.head);
    const LayerTrace<float> now = forward<float>(layer, &before, step % 2 ? &pool : nullptr);
    check_same_bits(now, forward<float>(layer));
    if (change.name != "sizes")
      for (std::size_t h = 0; h < now.heads.size(); ++h) {
        const bool reached = change.head < 0 || change.head == static_cast<int>(h);
        REQUIRE(renewed(now.heads[h], before.heads[h]) == (reached ? change.in_head : kNothing));
      }
    REQUIRE(renewed(now, before) == change.in_layer);
    before = now;
  }
}

TEST_CASE("forward: incremental equals scratch where the products are large", "[core][attention][incremental]") {
  Random random(8);
  ThreadPool pool(2);
  Layer layer = random_layer<float>(random, 150, 256, 2);
  LayerTrace<float> before = forward<float>(layer, nullptr, &pool);
  for (int step = 0; step < 8; ++step) {
    const Change change = change_matrix(layer, random);
    CAPTURE(step, change.name);
    before = forward<float>(layer, &before, &pool);
    check_same_bits(before, forward<float>(layer));
  }
}

TEST_CASE("forward: stamps say what is the same, also of heads of another cut", "[core][attention][incremental]") {
  Random random(1);
  Layer layer = random_layer<float>(random, 5, 12, 3);
  const LayerTrace<float> before = forward<float>(layer);
  layer.weights.W_O = with_new_cell(layer.weights.W_O, 0, 0, (*layer.weights.W_O)(0, 0));
  const LayerTrace<float> now = forward<float>(layer, &before);  // said to be new, though it is not
  CHECK(renewed(now.heads[0], before.heads[0]) == "Z");
  CHECK(renewed(now.heads[1], before.heads[1]).empty());
  layer.heads = 4;
  const LayerTrace<float> four = forward<float>(layer, &now);
  layer.heads = 3;
  check_same_bits(forward<float>(layer, &four), now);
}
