#include "core/attention/tiles.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "core/ops/scores.h"
#include "core/ops/softmax.h"

namespace hydra {

TileWalk tile_walk(const Mask& mask, Index n, Index side) {
  assert(side > 0);
  TileWalk walk;
  for (Index row = 0; row < n; row += side) {
    const Index rows = std::min(side, n - row), keys = scores::keys_to_visit(mask, row, rows, n);
    for (Index key = 0; key < n; key += side)
      (key < keys ? walk.visited : walk.skipped).push_back({row, rows, key, std::min(side, n - key)});
  }
  return walk;
}

template <class S>
std::vector<RunningSoftmax<S>> running_softmax(MatIn<S> scores, MatIn<S> V, Index keys, Index side,
                                               std::optional<S> sink) {
  assert(scores.rows() == 1 && scores.cols() == V.rows() && keys <= V.rows() && side > 0);
  constexpr S nothing = -std::numeric_limits<S>::infinity();
  std::vector<RunningSoftmax<S>> states;
  RunningSoftmax<S> now;
  now.top = sink.value_or(nothing);
  now.total = sink ? 1 : 0;
  now.output = RowVec<S>::Zero(V.cols());
  for (Index key = 0; key < keys; key += side) {
    const Index count = std::min(side, keys - key);
    const auto tile = scores.row(0).segment(key, count);
    const S before = now.top;
    now.keys = key + count;
    now.tile_top = tile.maxCoeff();
    now.top = std::max(before, now.tile_top);
    now.shrink = before == nothing ? S(0) : std::exp(before - now.top);
    now.tile_total = 0;
    if (now.top != nothing) {
      RowVec<S> weights = tile;
      now.tile_total = softmax::exponentials<S>(weights.data(), count, now.top);
      now.total = now.total * now.shrink + now.tile_total;
      now.output = (now.output * now.shrink + weights * V.middleRows(key, count)).eval();
    }
    states.push_back(now);
  }
  return states;
}

template <class S>
RowVec<S> weights_so_far(MatIn<S> scores, const RunningSoftmax<S>& state) {
  RowVec<S> weights = RowVec<S>::Zero(scores.cols());
  if (state.total == 0) return weights;
  for (Index key = 0; key < state.keys; ++key) weights(key) = std::exp(scores(0, key) - state.top) / state.total;
  return weights;
}

template <class S>
RowVec<S> output_so_far(const RunningSoftmax<S>& state) {
  if (state.total == 0) return RowVec<S>::Zero(state.output.size());
  return state.output / state.total;
}

template std::vector<RunningSoftmax<float>> running_softmax(MatIn<float>, MatIn<float>, Index, Index,
                                                            std::optional<float>);
template std::vector<RunningSoftmax<double>> running_softmax(MatIn<double>, MatIn<double>, Index, Index,
                                                             std::optional<double>);
template RowVec<float> weights_so_far(MatIn<float>, const RunningSoftmax<float>&);
template RowVec<double> weights_so_far(MatIn<double>, const RunningSoftmax<double>&);
template RowVec<float> output_so_far(const RunningSoftmax<float>&);
template RowVec<double> output_so_far(const RunningSoftmax<double>&);

}  // namespace hydra
