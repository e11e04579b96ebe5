#include "core/attention/ways.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

#include "core/attention/stages.h"
#include "core/linalg/matmul.h"
#include "core/work/progress.h"

namespace hydra {

namespace {

// One computation: how much is held at a time and the most so far, who computes, and whether it is still wanted.
class Run {
 public:
  Run(ThreadPool* pool, const std::stop_token& stop) : pool_(pool), stop_(stop) {}

  void add(std::size_t bytes) {
    const std::size_t now = now_ += bytes;
    std::size_t peak = peak_;
    while (now > peak && !peak_.compare_exchange_weak(peak, now)) {
    }
  }
  void remove(std::size_t bytes) { now_ -= bytes; }
  std::size_t peak() const { return peak_; }

  template <class Task>
  void tasks(Index count, const Task& task) const {
    parallel_for(pool_, count, [&](Index k) {
      Progress{stop_}.check();
      task(k);
    });
  }
  // task(first row, rows) for blocks of rows, which depend on n alone.
  template <class Task>
  void row_blocks(Index n, const Task& task) const {
    tasks(block_count(n), [&](Index k) {
      const RowBlock block = block_of(n, k);
      task(block.row, block.rows);
    });
  }

 private:
  ThreadPool* pool_;
  const std::stop_token& stop_;
  std::atomic<std::size_t> now_ = 0, peak_ = 0;
};

// A matrix that is metered while it lives.
template <class S>
class Held {
 public:
  Held(Run& run, Index rows, Index cols) : run_(run), values_(rows, cols) { run_.add(bytes()); }
  ~Held() { run_.remove(bytes()); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  Mat<S>& operator*() { return values_; }
  const Mat<S>& operator*() const { return values_; }
  Mat<S>* operator->() { return &values_; }
  const Mat<S>* operator->() const { return &values_; }

 private:
  std::size_t bytes() const { return static_cast<std::size_t>(values_.size()) * sizeof(S); }
  Run& run_;
  Mat<S> values_;
};

// out = X W[:, first ..] + b[first ..], as wide as out.
template <class S>
void project(const LayerInput<S>& input, const Array<S>& W, const Array<S>& b, Index first, Mat<S>& out,
             const Run& run) {
  run.row_blocks(input.n(), [&](Index row, Index rows) {
    linear::forward<S>(input.X->middleRows(row, rows), Factor<S>(W).columns(first, out.cols()),
                       linear::part_of(b, first, out.cols()), out.middleRows(row, rows));
  });
}

// In blocks of rows.
template <class S>
void norm_and_rotate(const LayerInput<S>& input, const Array<S>& gain, Index at, Mat<S>& projected, const Run& run) {
  run.row_blocks(input.n(), [&](Index row, Index rows) {
    hydra::norm_and_rotate<S>(input, gain, at, row, projected.middleRows(row, rows));
  });
}

// The output's gates of all heads; no columns where there are none.
template <class S>
struct Gates {
  Held<S> values;
  Gates(const LayerInput<S>& input, Run& run) : values(run, input.n(), width(input)) {
    if (values->cols() == 0) return;
    run.row_blocks(input.n(), [&](Index row, Index rows) {
      gate::open<S>(input.X->middleRows(row, rows), *gate_weights(input), values->middleRows(row, rows));
    });
  }
  // Onto the head's output for rows from that one on.
  void close(const LayerInput<S>& input, Index h, Index row, MatOut<S> out) const {
    if (values->cols() > 0) gate::forward<S>(out, gates_of<S>(input, values->middleRows(row, out.rows()), h), out);
  }

 private:
  static Index width(const LayerInput<S>& input) {
    return input.settings.output_gate == OutputGate::none ? 0 : gate_weights(input)->cols();
  }
};

template <class S>
Mat<S> output_of(const LayerInput<S>& input, const Mat<S>& concat, const Run& run) {
  Mat<S> output(input.n(), input.d_model());
  run.row_blocks(input.n(), [&](Index row, Index rows) {
    linear::forward<S>(concat.middleRows(row, rows), input.weights.W_O,
                       linear::part_of(input.weights.b_O, 0, input.d_model()), output.middleRows(row, rows));
  });
  return output;
}

// The patterns of the block's queries to their outputs; pattern is [rows x n], and left with what is dropped.
template <class S>
void give(const LayerInput<S>& input, const Gates<S>& gates, MatIn<S> V, Index h, Index row, MatOut<S> pattern,
          MatOut<S> out) {
  drop_some<S>(input, h, row, 0, pattern);
  mix_by<S>(input.mask_of(h), row, pattern, V, out);
  if (input.settings.differential) normalize_output<S>(input, h, out, out);
  gates.close(input, h, row, out);
  scale::forward<S>(out, input.gate(h), out);
}

// The queries of the block to their scores, patterns and outputs; a second pattern is held with the first.
template <class S>
void attend(const LayerInput<S>& input, const Gates<S>& gates, MatIn<S> Q, MatIn<S> K, MatIn<S> V, Index h, Index row,
            Run& run, MatOut<S> pattern, MatOut<S> out) {
  const auto to_pattern = [&](Half half, MatOut<S> of) {
    const Range cols = columns_of(half, Q.cols());
    scores::forward<S>(Q.middleCols(cols.first, cols.count()), K.middleCols(cols.first, cols.count()),
                       input.score_rule(h), input.mask_of(h), row, of);
    attend_with<S>(input.mask_of(h), row, of, input.sink(h), of);
  };
  to_pattern(half_of_scores(input.settings), pattern);
  if (input.settings.differential) {
    Held<S> second(run, pattern.rows(), pattern.cols());
    to_pattern(Half::second, *second);
    differ::forward<S>(pattern, *second, lambda_of(input), pattern);
  }
  give<S>(input, gates, V, h, row, pattern, out);
}

// Q of all heads, K and V of those that have their own, side by side.
template <class S>
struct Projections {
  Held<S> Q, K, V;
  Projections(const LayerInput<S>& input, Run& run)
      : Q(run, input.n(), input.concat_width()),
        K(run, input.n(), input.kv_width()),
        V(run, input.n(), input.kv_width()) {
    const AttentionWeights<S>& w = input.weights;
    project(input, w.W_Q, w.b_Q, 0, *Q, run);
    project(input, w.W_K, w.b_K, 0, *K, run);
    norm_and_rotate(input, w.gain_Q, 0, *Q, run);
    norm_and_rotate(input, w.gain_K, 0, *K, run);
    project(input, w.W_V, w.b_V, 0, *V, run);
  }
};

// Where queries and keys of all heads are normalised as one row, those of all are needed before a head's.
template <class S>
Mat<S> per_head_after_all(const LayerInput<S>& input, Run& run) {
  const Index n = input.n(), d_k = input.d_k();
  const Projections<S> all(input, run);
  const Gates<S> gates(input, run);
  Held<S> concat(run, n, input.concat_width()), pattern(run, n, n);
  for (Index h = 0; h < input.heads; ++h)
    run.row_blocks(n, [&](Index row, Index rows) {
      attend<S>(input, gates, all.Q->block(row, h * d_k, rows, d_k), all.K->middleCols(input.kv_head(h) * d_k, d_k),
                all.V->middleCols(input.kv_head(h) * d_k, d_k), h, row, run, pattern->middleRows(row, rows),
                concat->block(row, h * d_k, rows, d_k));
    });
  return output_of(input, *concat, run);
}

template <class S>
Mat<S> per_head(const LayerInput<S>& input, Run& run) {
  if (norms_all_heads(input.settings)) return per_head_after_all(input, run);
  const Index n = input.n(), d_k = input.d_k();
  const AttentionWeights<S>& w = input.weights;
  const Gates<S> gates(input, run);
  Held<S> concat(run, n, input.concat_width());
  Held<S> Q(run, n, d_k), K(run, n, d_k), V(run, n, d_k), pattern(run, n, n);  // of one head after the other
  for (Index h = 0; h < input.heads; ++h) {
    const Index first = h * d_k;
    project(input, w.W_Q, w.b_Q, first, *Q, run);
    project(input, w.W_K, w.b_K, input.kv_head(h) * d_k, *K, run);
    norm_and_rotate(input, w.gain_Q, first, *Q, run);
    norm_and_rotate(input, w.gain_K, input.kv_head(h) * d_k, *K, run);
    project(input, w.W_V, w.b_V, input.kv_head(h) * d_k, *V, run);
    run.row_blocks(n, [&](Index row, Index rows) {
      attend<S>(input, gates, Q->middleRows(row, rows), *K, *V, h, row, run, pattern->middleRows(row, rows),
                concat->block(row, first, rows, d_k));
    });
  }
  return output_of(input, *concat, run);
}

// The queries of the block in all heads, which talk; patterns [heads n x n].
template <class S>
void attend_together(const LayerInput<S>& input, const Gates<S>& gates, const Projections<S>& all, Index row,
                     Index rows, Run& run, Mat<S>& patterns, Mat<S>& concat) {
  const Index n = input.n(), d_k = input.d_k();
  Held<S> heard(run, input.heads * rows, n);
  const auto of = [&](Index h) -> MatOut<S> { return patterns.middleRows(h * n + row, rows); };
  const auto own_rows = [&](Index h) -> MatOut<S> { return heard->middleRows(h * rows, rows); };
  const bool before = talk_before(input.settings), after = talk_after(input.settings);
  for (Index h = 0; h < input.heads; ++h)
    scores::forward<S>(all.Q->block(row, h * d_k, rows, d_k), all.K->middleCols(input.kv_head(h) * d_k, d_k),
                       input.score_rule(h), input.mask_of(h), row, of(h));
  for (Index h = 0; h < input.heads && before; ++h) mix_scores_across_heads<S>(input, h, row, of, own_rows(h));
  for (Index h = 0; h < input.heads; ++h)
    attend_with<S>(input.mask_of(h), row, before ? own_rows(h) : of(h), input.sink(h), of(h));
  for (Index h = 0; h < input.heads && after; ++h) mix_weights_across_heads<S>(input, h, row, of, own_rows(h));
  for (Index h = 0; h < input.heads; ++h)
    give<S>(input, gates, all.V->middleCols(input.kv_head(h) * d_k, d_k), h, row, after ? own_rows(h) : of(h),
            concat.block(row, h * d_k, rows, d_k));
}

template <class S>
Mat<S> combined(const LayerInput<S>& input, Run& run) {
  const Index n = input.n(), d_k = input.d_k(), blocks = block_count(n);
  const Projections<S> all(input, run);
  const Gates<S> gates(input, run);
  Held<S> patterns(run, input.heads * n, n), concat(run, n, input.concat_width());
  if (input.settings.talking_heads != TalkingHeads::none) {
    run.row_blocks(
        n, [&](Index row, Index rows) { attend_together(input, gates, all, row, rows, run, *patterns, *concat); });
    return output_of(input, *concat, run);
  }
  run.tasks(input.heads * blocks, [&](Index task) {
    const Index h = task / blocks;
    const auto [index, row, rows] = block_of(n, task % blocks);
    const Index first = h * d_k, kv_first = input.kv_head(h) * d_k;
    attend<S>(input, gates, all.Q->block(row, first, rows, d_k), all.K->middleCols(kv_first, d_k),
              all.V->middleCols(kv_first, d_k), h, row, run, patterns->middleRows(h * n + row, rows),
              concat->block(row, first, rows, d_k));
  });
  return output_of(input, *concat, run);
}

// One query's attention while its keys come tile by tile: after the last tile, its row of out divided by total is what
// softmax and the product with V give. Milakov and Gimelshein 2018, algorithm 3.
template <class S>
struct RunningRow {
  S top;    // the largest score so far; -inf before the first that counts
  S total;  // sum of exp(score - top)
};

// The scores of a tile become exp(score - top), and total and out [rows x d_k] what they are up to this tile.
// drop(tile): of the weights those are left that count for out.
template <class S, class Drop>
void take_tile(MatOut<S> tile, MatIn<S> V, const Drop& drop, std::vector<RunningRow<S>>& running, MatOut<S> out) {
  for (Index i = 0; i < tile.rows(); ++i) {
    RunningRow<S>& row = running[static_cast<std::size_t>(i)];
    const S top = std::max(row.top, tile.row(i).maxCoeff());
    if (top == -std::numeric_limits<S>::infinity()) {  // nothing to attend to so far
      tile.row(i).setZero();
      continue;
    }
    const S shrink = std::exp(row.top - top);
    row.total = row.total * shrink + softmax::exponentials<S>(tile.row(i).data(), tile.cols(), top);
    row.top = top;
    if (shrink != 1) out.row(i) *= shrink;
  }
  drop(tile);
  add_product<S>(tile, V, out);
}

// What the queries take by one pattern, times the factor.
template <class S>
void take_tiles(const LayerInput<S>& input, const Projections<S>& all, Index h, Index row, Index rows, Half half,
                S factor, Run& run, MatOut<S> out) {
  const Index d_k = input.d_k(), kv_first = input.kv_head(h) * d_k;
  const Range cols = columns_of(half, d_k);
  const Index first = h * d_k + cols.first, key_first = kv_first + cols.first;
  const Index keys = scores::keys_to_visit(input.mask_of(h), row, rows, input.n());
  Held<S> scores(run, rows, std::min(kTileKeys, keys));
  const std::optional<S> sink = input.sink(h);  // counts before the first tile
  const RunningRow<S> begin = sink ? RunningRow<S>{*sink, 1} : RunningRow<S>{-std::numeric_limits<S>::infinity(), 0};
  std::vector<RunningRow<S>> running(static_cast<std::size_t>(rows), begin);
  out.setZero();
  for (Index key = 0; key < keys; key += kTileKeys) {
    const Index count = std::min(kTileKeys, keys - key);
    MatOut<S> tile = scores->leftCols(count);
    scores::forward<S>(all.Q->block(row, first, rows, cols.count()), all.K->block(key, key_first, count, cols.count()),
                       input.score_rule(h), input.mask_of(h), row, tile, key);
    const auto drop = [&](MatOut<S> weights) { drop_some<S>(input, h, row, key, weights); };
    take_tile<S>(tile, all.V->block(key, kv_first, count, d_k), drop, running, out);
  }
  for (Index i = 0; i < rows; ++i)
    if (const S total = running[static_cast<std::size_t>(i)].total; total != 0) out.row(i) *= factor / total;
}

template <class S>
void attend_tiled(const LayerInput<S>& input, const Projections<S>& all, const Gates<S>& gates, Index h, Index row,
                  Index rows, Run& run, MatOut<S> out) {
  if (!input.settings.differential) {
    take_tiles(input, all, h, row, rows, Half::none, input.gate(h), run, out);
    return gates.close(input, h, row, out);
  }
  Held<S> second(run, rows, input.d_k());
  take_tiles<S>(input, all, h, row, rows, Half::first, 1, run, out);
  take_tiles<S>(input, all, h, row, rows, Half::second, 1, run, *second);
  differ::forward<S>(out, *second, lambda_of(input), out);
  normalize_output<S>(input, h, out, out);
  gates.close(input, h, row, out);
  scale::forward<S>(out, input.gate(h), out);
}

template <class S>
Mat<S> tiled(const LayerInput<S>& input, Run& run) {
  const Index n = input.n(), d_k = input.d_k(), blocks = (n + kTileQueries - 1) / kTileQueries;
  const Projections<S> all(input, run);
  const Gates<S> gates(input, run);
  Held<S> concat(run, n, input.concat_width());
  run.tasks(input.heads * blocks, [&](Index task) {
    const Index h = task / blocks, row = task % blocks * kTileQueries, rows = std::min(kTileQueries, n - row);
    attend_tiled<S>(input, all, gates, h, row, rows, run, concat->block(row, h * d_k, rows, d_k));
  });
  return output_of(input, *concat, run);
}

}  // namespace

const std::array<WayEntry, 3>& ways() {
  static const std::array<WayEntry, 3> entries{{
      {Way::per_head, "per_head", "core:way.loop", "core:way.loop.label", "core:way.loop.under_way"},
      {Way::combined, "combined", "core:way.combined", "core:way.combined.label", "core:way.combined.under_way"},
      {Way::tiled, "tiled", "core:way.tiles", "core:way.tiles.label", "core:way.tiles.under_way"},
  }};
  return entries;
}

const WayEntry& entry_of(Way way) { return ways()[static_cast<std::size_t>(way)]; }

const char* why_not(Way way, const LayerSettings& settings) {
  if (settings.talking_heads == TalkingHeads::none || way == Way::combined) return "";
  return way == Way::per_head ? "core:way.loop.talking" : "core:way.tiles.talking";
}

template <class S>
WayResult<S> compute(const LayerInput<S>& input, Way way, ThreadPool* pool, const std::stop_token& stop) {
  assert(*why_not(way, input.settings) == 0);
  Run run(pool, stop);
  WayResult<S> result;
  result.output = way == Way::per_head   ? per_head(input, run)
                  : way == Way::combined ? combined(input, run)
                                         : tiled(input, run);
  result.peak_bytes = run.peak();
  return result;
}

namespace {
// Of the largest block.
Index most_rows(Index n) {
  Index most = 0;
  for (Index k = 0; k < block_count(n); ++k) most = std::max(most, block_of(n, k).rows);
  return most;
}
}  // namespace

template <class S>
std::size_t bytes_needed(const LayerInput<S>& layer, Index n, Way way) {
  const Index concat = layer.concat_width(), projections = concat + 2 * layer.kv_width();
  const Index of_head = norms_all_heads(layer.settings) ? n * projections : 3 * n * layer.d_k();
  const Index held = way == Way::per_head   ? of_head + n * n
                     : way == Way::combined ? n * projections + layer.heads * n * n
                                            : n * projections + std::min(kTileQueries, n) * std::min(kTileKeys, n);
  const bool talk = layer.settings.talking_heads != TalkingHeads::none;
  const Index heard = talk && way == Way::combined ? layer.heads * most_rows(n) * n : 0;
  const Index second = !layer.settings.differential ? 0
                       : way == Way::tiled          ? std::min(kTileQueries, n) * layer.d_k()
                                                    : most_rows(n) * n;
  const OutputGate gate = layer.settings.output_gate;
  const Index gates = gate == OutputGate::none ? 0 : n * (gate == OutputGate::head ? layer.heads : concat);
  return static_cast<std::size_t>(n * concat + held + heard + second + gates) * sizeof(S);
}

template std::size_t bytes_needed(const LayerInput<float>&, Index, Way);
template std::size_t bytes_needed(const LayerInput<double>&, Index, Way);
template WayResult<float> compute(const LayerInput<float>&, Way, ThreadPool*, const std::stop_token&);
template WayResult<double> compute(const LayerInput<double>&, Way, ThreadPool*, const std::stop_token&);

}  // namespace hydra
