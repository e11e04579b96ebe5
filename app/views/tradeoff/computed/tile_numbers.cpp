#include "app/views/tradeoff/computed/tile_numbers.h"
#include "app/draw/nth.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/ops/scores.h"

namespace hydra {

namespace {

constexpr float kSeenRescale = 0.9995f;  // larger ones read 1.000

Index keys_of(const Mask& mask, Index query, Index side, Index n) {
  const Index row = query / side * side;
  return scores::keys_to_visit(mask, row, std::min(side, n - row), n);
}

void walk(TileNumbers& t) {
  const Index n = t.scores->rows(), row = t.query / t.side * t.side;
  t.walk = tile_walk(t.mask, n, t.side);
  while (nth(t.walk.visited, t.first).row != row) ++t.first;
  t.states = running_softmax<float>(t.scores->row(t.query), *t.V, keys_of(t.mask, t.query, t.side, n), t.side, t.sink);
}

void collect(TileNumbers& t) {
  const Mat<float> scores = t.scores->row(t.query);
  Mat<float> outputs(std::ssize(t.states), t.V->cols()), ends(2, t.V->cols());
  for (std::size_t k = 0; k < t.states.size(); ++k) {
    outputs.row(static_cast<Index>(k)) = t.states[k].output;
    t.weights.push_back(weights_so_far<float>(scores, t.states[k]));
  }
  ends.row(0) = output_so_far<float>(t.states.back());
  ends.row(1) = t.output->row(t.query);
  t.largest = std::max(outputs.cwiseAbs().maxCoeff(), ends.cwiseAbs().maxCoeff());
  t.weights_apart = (t.weights.back() - t.attention->row(t.query)).cwiseAbs().maxCoeff();
  t.output_apart = (ends.row(0) - ends.row(1)).cwiseAbs().maxCoeff();
  t.outputs = share(std::move(outputs));
  t.ends = share(std::move(ends));
}

}  // namespace

Index TileNumbers::seen(Index done) const { return std::clamp<Index>(done - first, 0, std::ssize(states)); }

Index TileNumbers::opening() const {
  const Rescale rescale = first_rescale(*scores, mask, query, side, sink);
  return first + (rescale.tile >= 0 ? rescale.tile + 1 : std::max<Index>(1, std::ssize(states) - 1));
}

Rescale first_rescale(MatIn<float> scores, const Mask& mask, Index query, Index side, std::optional<float> sink) {
  const Index keys = keys_of(mask, query, side, scores.cols());
  float top = sink.value_or(-std::numeric_limits<float>::infinity());
  for (Index key = 0; key < keys; key += side) {
    const float tile_top = scores.row(query).segment(key, std::min(side, keys - key)).maxCoeff();
    const float by = std::isinf(top) ? 1 : std::exp(top - std::max(top, tile_top));
    if (by < kSeenRescale) return {key / side, by};
    top = std::max(top, tile_top);
  }
  return {};
}

Index telling_query(MatIn<float> scores, const Mask& mask, Index side, Index asked, std::optional<float> sink) {
  if (first_rescale(scores, mask, asked, side, sink).tile >= 0) return asked;
  Index found = asked;
  float least = 1;
  for (Index query = 0; query < scores.rows(); ++query)
    if (const Rescale rescale = first_rescale(scores, mask, query, side, sink); rescale.by < least)
      least = rescale.by, found = query;
  return found;
}

namespace {
Stamp stamp_of(const HeadTrace<float>& head) {  // scores are of the mask, too
  return (Key("tiles") << head.scores.stamp() << head.V.stamp() << head.softmaxed().stamp() << head.output.stamp())
      .stamp();
}
}  // namespace

bool TileNumbers::are_of(const LayerTrace<float>& layer, int head, Index of_query, Index of_side) const {
  return query == of_query && side == of_side && of == stamp_of(nth(layer.heads, head));
}

TileNumbers tile_numbers_of(const LayerTrace<float>& layer, int head, Index query, Index side) {
  const HeadTrace<float>& h = nth(layer.heads, head);
  TileNumbers t;
  t.scores = scores_of(layer, head);
  t.of = stamp_of(h);
  t.V = h.V;
  t.alone = is_signed(layer.input.settings);
  t.attention = t.alone ? pattern_of(layer, Quantity::own_attention, head) : h.attention;
  t.output = h.output;
  if (t.alone || layer.input.settings.dropout > 0) t.output = share(Mat<float>(*t.attention * *t.V));
  t.mask = layer.input.mask_of(head);
  t.sink = layer.input.sink(head);
  t.query = query;
  t.side = side;
  const PaintedHead<float>* painted = painted_head(layer.input.painted, head);
  t.painted = !t.alone && painted && painted_row(painted->attention, query);
  walk(t);
  collect(t);
  return t;
}

}  // namespace hydra
