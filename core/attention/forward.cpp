#include "core/attention/forward.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/attention/difference.h"
#include "core/attention/head_stamps.h"
#include "core/attention/together.h"
#include "core/linalg/arena.h"
#include "core/linalg/largest.h"
#include "core/linalg/matmul.h"

namespace hydra {

template <class S>
S LayerInput<S>::score_factor() const {
  return (settings.scale ? 1 / std::sqrt(static_cast<S>(score_width())) : S(1)) / static_cast<S>(settings.temperature) *
         slice_factor;
}

template <class S>
scores::Rule<S> LayerInput<S>::score_rule(Index head) const {
  return {score_factor(), static_cast<S>(settings.soft_cap), static_cast<S>(scores::slope_of(settings, head, heads))};
}

template <class S>
std::optional<S> LayerInput<S>::sink(Index head) const {
  if (settings.sink == SinkKind::none) return std::nullopt;
  return settings.sink == SinkKind::zero ? S(0) : (*weights.sink)(0, head);
}

namespace {

// 1. What is stale: whatever has not the stamp that it should have (head_stamps.h) -----------------------------------

// A fresh array in the slot, unless what it should hold is there. Made by the calling thread: tasks only fill it.
template <class S>
Fresh<S> renew(Arena<S>& arena, Array<S>& slot, Stamp stamp, Index rows, Index cols) {
  if (!stamp) slot = {};  // of what the settings leave out
  return slot.stamp() == stamp ? Fresh<S>() : arena.make(slot, stamp, rows, cols);
}

// The same, but what a head before it has is shared: heads of a group have one K, and one V but for painted rows.
template <class S>
Fresh<S> renew_shared(Arena<S>& arena, std::vector<HeadTrace<S>>& heads, Index h, Array<S> HeadTrace<S>::*stage,
                      Stamp stamp, Index group, Index rows, Index cols) {
  Array<S>& slot = heads[static_cast<std::size_t>(h)].*stage;
  for (Index k = h / group * group; k < h; ++k)
    if (const Array<S>& other = heads[static_cast<std::size_t>(k)].*stage; other.stamp() == stamp) {
      slot = other;
      return {};
    }
  return renew(arena, slot, stamp, rows, cols);
}

// The same where it is kept; else its stamp stands in the slot. Says whether it is new.
template <class S>
bool renew_kept(Arena<S>& arena, bool keep, Array<S>& slot, Stamp stamp, Index rows, Index cols, Fresh<S>& fresh) {
  if (slot.stamp() == stamp) return false;
  if (keep)
    fresh = renew(arena, slot, stamp, rows, cols);
  else
    slot = Array<S>::dropped(stamp);
  return true;
}

// Puts fresh arrays in the place of the head's stale stages; the heads before it have theirs.
template <class S>
HeadWork<S> renew_stale(const LayerInput<S>& input, const HeadStamps& of, Index h, Arena<S>& arena,
                        std::vector<HeadTrace<S>>& heads) {
  HeadTrace<S>& head = heads[static_cast<std::size_t>(h)];
  const Index n = input.n(), d_k = input.d_k(), group = input.group_size;
  HeadWork<S> work;
  work.Q = renew(arena, head.Q, of.Q, n, d_k);
  work.K = renew_shared(arena, heads, h, &HeadTrace<S>::K, of.K, group, n, d_k);
  work.V = renew_shared(arena, heads, h, &HeadTrace<S>::V, of.V, group, n, d_k);
  work.normed_Q = renew(arena, head.normed_Q, of.normed_Q, n, d_k);
  work.normed_K = renew_shared(arena, heads, h, &HeadTrace<S>::normed_K, of.normed_K, group, n, d_k);
  work.rotated_Q = renew(arena, head.rotated_Q, of.rotated_Q, n, d_k);
  work.rotated_K = renew_shared(arena, heads, h, &HeadTrace<S>::rotated_K, of.rotated_K, group, n, d_k);
  renew_kept(arena, input.keep_all, head.own_scores, of.own_scores, n, n, work.own_scores);
  renew_kept(arena, input.keep_all, head.own_attention, of.own_attention, n, n, work.own_attention);
  renew_kept(arena, input.keep_all, head.scores_2, of.scores_2, n, n, work.scores_2);
  renew_kept(arena, input.keep_all, head.attention_2, of.attention_2, n, n, work.attention_2);
  work.new_scores = renew_kept(arena, input.keep_all, head.scores, of.scores, n, n, work.scores);
  work.attention = renew(arena, head.attention, of.attention, n, n);
  work.output = renew(arena, head.output, of.output, n, d_k);
  work.normed_output = renew(arena, head.normed_output, of.normed_output, n, d_k);
  work.output_gate = renew(arena, head.output_gate, of.output_gate, n, d_k);
  work.gated_output = renew(arena, head.gated_output, of.gated_output, n, d_k);
  work.new_contribution =
      renew_kept(arena, input.keep_all, head.contribution, of.contribution, n, input.d_model(), work.contribution);
  return work;
}

template <class S>
Making<S> plan(LayerInput<S> input, const LayerTrace<S>* previous) {
  Making<S> making;
  Arena<S> arena;
  if (previous && previous->is_whole() && previous->input.keep_all == input.keep_all) making.trace = *previous;
  LayerTrace<S>& trace = making.trace;
  trace.heads.resize(static_cast<std::size_t>(input.heads));
  const std::vector<HeadStamps> stamps = stamps_of(input);
  OutputStamps out;
  making.work.reserve(trace.heads.size());
  for (Index h = 0; h < input.heads; ++h) {
    const HeadStamps& of = stamps[static_cast<std::size_t>(h)];
    out.add(input, of, h);
    making.work.push_back(renew_stale(input, of, h, arena, trace.heads));
  }
  out.output << input.weights.b_O.stamp();
  making.head_gates = renew(arena, trace.head_gates, stamp_of_head_gates(input), input.n(), input.heads);
  making.lambda = renew(arena, trace.lambda, stamp_of_lambda(input), 1, 1);
  making.concat = renew(arena, trace.concat, out.concat.stamp(), input.n(), input.concat_width());
  making.output = renew(arena, trace.output, out.output.stamp(), input.n(), input.d_model());
  trace.recomputed = input.keep_all ? nullptr : std::make_shared<RecomputedStages<S>>();
  trace.input = std::move(input);
  return making;
}

// 2. Computing a block of rows -------------------------------------------------------------------------------------

// X W^i + b^i. first: of the head's columns of W.
template <class S>
void project(const Array<S>& X, const Array<S>& W, const Array<S>& b, Index first, const Piece& at, Fresh<S> out) {
  if (out)
    linear::forward<S>(X->middleRows(at.row, at.rows), W->middleCols(first + at.col, at.cols),
                       linear::part_of(b, first + at.col, at.cols),
                       out.rows(at.row, at.rows).middleCols(at.col, at.cols));
}

// Of few tokens all heads' projections by W at once (multiply_columns). group: of heads that share the columns.
template <class S>
void project_few(const Making<S>& making, const Array<S>& W, const Array<S>& b, Index group,
                 Fresh<S> HeadWork<S>::*stage) {
  const LayerInput<S>& input = making.trace.input;
  const Index d_k = input.d_k();
  thread_local std::vector<ColumnsOut<S>> parts;  // kept: allocating takes longer than a head's product
  parts.clear();
  for (Index h = 0; h < input.heads; ++h)
    if (const Fresh<S>& fresh = making.work[static_cast<std::size_t>(h)].*stage)
      parts.push_back({h / group * d_k, fresh.data()});
  multiply_columns<S>(*input.X, *W, d_k, parts);
  for (const ColumnsOut<S>& part : parts)
    if (b) Eigen::Map<Mat<S>>(part.out, input.n(), d_k).rowwise() += b->row(0).segment(part.first, d_k);
}

// What the scores are made of, from the block's queries and keys.
template <class S>
void norm_and_rotate(const LayerInput<S>& input, const HeadTrace<S>& head, const HeadWork<S>& work, Index h, Index row,
                     Index rows) {
  const Index d_k = input.d_k();
  const auto bring = [&](const Array<S>& of, const Array<S>& gain, Index first, const Fresh<S>& normed) {
    if (normed)
      norm::forward<S>(of->middleRows(row, rows), linear::part_of(gain, first, d_k), Mat<S>(), NormKind::rms,
                       input.settings.norm_epsilon, normed.rows(row, rows), query_parts(input.settings));
  };
  const auto turn = [&](const Array<S>& of, const Fresh<S>& turned) {
    if (turned)
      rotate::forward<S>(of->middleRows(row, rows), rotate::rotation_of(input.settings, d_k), row,
                         turned.rows(row, rows));
  };
  bring(head.Q, input.weights.gain_Q, h * d_k, work.normed_Q);
  bring(head.K, input.weights.gain_K, input.kv_head(h) * d_k, work.normed_K);
  turn(input.settings.qk_norm ? head.normed_Q : head.Q, work.rotated_Q);
  turn(input.settings.qk_norm ? head.normed_K : head.K, work.rotated_K);
}

// From the queries of the block to what they attend with. Gives the largest score where the scores are fresh and not
// kept.
template <class S>
S attend(const LayerTrace<S>& trace, const HeadTrace<S>& head, const HeadWork<S>& work, Index h, Index row,
         Index rows) {
  const LayerInput<S>& input = trace.input;
  S largest = 0;
  if (work.scores) score<S>(input, head, h, row, work.scores.rows(row, rows));
  if (work.attention) {
    MatOut<S> attention = work.attention.rows(row, rows);
    if (!input.keep_all) {
      score<S>(input, head, h, row, attention);
      largest = largest_finite<S>(attention);
    }
    if (input.keep_all)
      attend_with<S>(input.mask, row, head.scores->middleRows(row, rows), input.sink(h), attention);
    else
      attend_with<S>(input.mask, row, attention, input.sink(h), attention);
    if (const PaintedHead<S>* by_hand = painted_head(input.painted, h))
      painted::forward<S>(by_hand->attention, row, attention);
  }
  return largest;
}

// The sum of contributions that are not kept: each is made, added and dropped. largest [1 x heads]: the largest value
// of each.
template <class S>
void add_contributions(const Making<S>& making, const Piece& at, MatOut<S> largest) {
  const LayerTrace<S>& trace = making.trace;
  Mat<S> contribution(at.rows, at.cols);
  auto output = making.output.rows(at.row, at.rows).middleCols(at.col, at.cols);
  for (Index h = 0; h < trace.input.heads; ++h) {
    compute_contribution<S>(trace.input, trace.heads[static_cast<std::size_t>(h)], h, at.row, contribution, at.col);
    largest(0, h) = largest_finite<S>(contribution);
    if (h == 0) output = contribution;
    if (h > 0) output += contribution;
  }
}

// The heads' gated outputs side by side, and the sum of their contributions.
template <class S>
void put_together(const Making<S>& making, Index row, Index rows) {
  const LayerTrace<S>& trace = making.trace;
  const Array<S>& b_O = trace.input.weights.b_O;
  const bool kept = trace.input.keep_all;
  const Index d_model = trace.input.d_model(), begin = row * d_model, count = rows * d_model;
  Index first = 0, h = 0;
  for (const HeadTrace<S>& head : trace.heads) {
    const Index d_k = head.output.cols();
    if (making.concat)
      scale::forward<S>(head.leaving()->middleRows(row, rows), trace.input.gate(h),
                        making.concat.rows(row, rows).middleCols(first, d_k));
    if (making.output && kept) {  // whole rows, one after the other: short ones are taken together
      const Eigen::Map<const RowVec<S>> contribution(head.contribution->data() + begin, count);
      Eigen::Map<RowVec<S>> sum(making.output.data() + begin, count);
      if (h == 0) sum = contribution;
      if (h > 0) sum += contribution;
    }
    first += d_k;
    ++h;
  }
  if (making.output && b_O) making.output.rows(row, rows).rowwise() += b_O->row(0);
}

// 3. All blocks ----------------------------------------------------------------------------------------------------

// Multiply-adds of the fresh stages, an exponential counted as ten.
template <class S>
Index work_of(const Making<S>& making) {
  const LayerInput<S>& input = making.trace.input;
  const Index n = input.n(), projection = n * input.d_model() * input.d_k(), pairs = n * n;
  const Index heard = input.settings.talking_heads == TalkingHeads::none ? 0 : input.heads;
  Index sum = 0;
  for (const HeadWork<S>& work : making.work) {
    for (const Fresh<S>& m : {work.Q, work.K, work.V, work.output_gate}) sum += m ? projection : 0;
    const bool scores = work.new_scores || (work.attention && !input.keep_all);
    const bool contribution = work.new_contribution || (making.output && !input.keep_all);
    sum += (contribution ? projection : 0) + (scores ? pairs * (input.d_k() + heard) : 0) +
           (work.attention ? 10 * pairs * query_parts(input.settings) : 0);
    sum += work.output ? pairs * input.d_k() : 0;
  }
  return sum;
}

// The output's gates, of each head or of all.
template <class S, class ForBlocks>
void open_gates(const Making<S>& making, const ForBlocks& for_blocks) {
  const LayerInput<S>& input = making.trace.input;
  if (input.settings.output_gate == OutputGate::none) return;
  const Index d_k = input.d_k();
  if (making.head_gates)
    for_blocks(1, [&](Index, RowBlock block) {
      gate::open<S>(input.X->middleRows(block.row, block.rows), *input.weights.w_G,
                    making.head_gates.rows(block.row, block.rows));
    });
  for_blocks(input.heads, [&](Index h, RowBlock block) {
    if (const Fresh<S>& gates = making.work[static_cast<std::size_t>(h)].output_gate)
      gate::open<S>(input.X->middleRows(block.row, block.rows), input.weights.W_G->middleCols(h * d_k, d_k),
                    gates.rows(block.row, block.rows));
  });
}

template <class S>
void compute(Making<S>& making, ThreadPool* pool) {
  if (work_of(making) < kTooLittleToCut) pool = nullptr;
  const LayerInput<S>& input = making.trace.input;
  const AttentionWeights<S>& w = input.weights;
  const Index n = input.n(), blocks = block_count(n), heads = input.heads;
  const auto for_blocks = [&](Index count, const auto& task) {
    parallel_for(pool, count * blocks, [&](Index k) { task(k / blocks, block_of(n, k % blocks)); });
  };
  if (!pool && n <= kFewRows) {
    project_few<S>(making, w.W_Q, w.b_Q, 1, &HeadWork<S>::Q);
    project_few<S>(making, w.W_K, w.b_K, input.group_size, &HeadWork<S>::K);
    project_few<S>(making, w.W_V, w.b_V, input.group_size, &HeadWork<S>::V);
  } else {
    const Index d_k = input.d_k();
    const Pieces of_head(n, d_k);
    parallel_for(pool, heads * of_head.count(), [&](Index task) {
      const Index h = task / of_head.count();
      const Piece at = of_head[task % of_head.count()];
      const HeadWork<S>& work = making.work[static_cast<std::size_t>(h)];
      project<S>(input.X, w.W_Q, w.b_Q, h * d_k, at, work.Q);
      project<S>(input.X, w.W_K, w.b_K, input.kv_head(h) * d_k, at, work.K);
      project<S>(input.X, w.W_V, w.b_V, input.kv_head(h) * d_k, at, work.V);
    });
  }
  for (std::size_t h = 0; h < input.painted.size(); ++h)
    if (const Fresh<S>& V = making.work[h].V) painted::forward<S>(input.painted[h].values, 0, V.rows(0, n));
  if (input.settings.qk_norm || input.settings.rotary)
    for_blocks(heads, [&](Index h, RowBlock block) {
      const auto k = static_cast<std::size_t>(h);
      norm_and_rotate<S>(input, making.trace.heads[k], making.work[k], h, block.row, block.rows);
    });
  open_gates(making, for_blocks);
  if (making.lambda) making.lambda.rows(0, 1)(0, 0) = lambda_of(input);
  const Pieces pieces(n, input.d_model());
  Mat<S> scores = Mat<S>::Zero(blocks, heads), contributions = Mat<S>::Zero(pieces.count(), heads);  // the largest
  const bool talk = input.settings.talking_heads != TalkingHeads::none;
  if (talk) for_blocks(1, [&](Index, RowBlock block) { Together<S>(making, block).attend(scores.row(block.index)); });
  for_blocks(talk ? 0 : heads, [&](Index h, RowBlock block) {
    const auto k = static_cast<std::size_t>(h);
    const HeadTrace<S>& head = making.trace.heads[k];
    const auto to_attention = input.settings.differential ? attend_by_difference<S> : attend<S>;
    scores(block.index, h) = to_attention(making.trace, head, making.work[k], h, block.row, block.rows);
    give<S>(making.trace, head, making.work[k], h, block.row, block.rows);
  });
  if (making.output && !input.keep_all)
    parallel_for(pool, pieces.count(), [&](Index k) { add_contributions<S>(making, pieces[k], contributions.row(k)); });
  const Index few = std::max<Index>(1, 4096 / input.d_model());  // rows of the output that stay in the nearest cache
  for_blocks(1, [&](Index, RowBlock block) {
    for (Index row = block.row, end = row + block.rows; row < end; row += few)
      put_together<S>(making, row, std::min(few, end - row));
  });
  for (Index h = 0; h < heads && !input.keep_all; ++h) {
    HeadTrace<S>& head = making.trace.heads[static_cast<std::size_t>(h)];
    if (making.work[static_cast<std::size_t>(h)].attention) head.largest_score = scores.col(h).maxCoeff();
    if (making.output) head.largest_contribution = contributions.col(h).maxCoeff();
  }
}

}  // namespace

template <class S>
LayerTrace<S> forward(LayerInput<S> input, const LayerTrace<S>* previous, ThreadPool* pool) {
  assert(input.concat_width() % input.heads == 0 && input.heads % input.group_size == 0);
  assert(input.weights.W_Q->rows() == input.d_model() && input.weights.W_O->rows() == input.concat_width());
  assert(input.weights.W_K->cols() == input.kv_width() && input.weights.W_V->cols() == input.kv_width());
  Making<S> making = plan<S>(std::move(input), previous);
  compute<S>(making, pool);
  return std::move(making.trace);
}

template <class S>
Stamp output_stamp(const LayerInput<S>& input) {
  const std::vector<HeadStamps> stamps = stamps_of(input);
  OutputStamps out;
  for (Index h = 0; h < input.heads; ++h) out.add(input, stamps[static_cast<std::size_t>(h)], h);
  return (out.output << input.weights.b_O.stamp()).stamp();
}

template <class S>
LayerTrace<S> ungated(const LayerTrace<S>& trace, ThreadPool* pool) {
  LayerInput<S> input = trace.input;
  input.gates.clear();
  return forward(std::move(input), &trace, pool);
}

template struct LayerInput<float>;
template struct LayerInput<double>;
template LayerTrace<float> forward(LayerInput<float>, const LayerTrace<float>*, ThreadPool*);
template LayerTrace<double> forward(LayerInput<double>, const LayerTrace<double>*, ThreadPool*);
template Stamp output_stamp(const LayerInput<float>&);
template Stamp output_stamp(const LayerInput<double>&);
template LayerTrace<float> ungated(const LayerTrace<float>&, ThreadPool*);
template LayerTrace<double> ungated(const LayerTrace<double>&, ThreadPool*);

}  // namespace hydra
