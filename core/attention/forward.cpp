#include "core/attention/forward.h"

#include <cassert>
#include <cmath>
#include <limits>

#include "core/attention/stages.h"
#include "core/attention/tiles.h"
#include "core/linalg/matmul.h"
#include "core/linalg/same_bits.h"
#include "core/linalg/softmax.h"

namespace hydra {

template <class S>
S LayerInput<S>::score_factor() const {
  return (scale ? 1 / std::sqrt(static_cast<S>(d_k())) : S(1)) / temperature * slice_factor;
}

namespace {

// The stages of one head that must be computed: the fresh matrices to fill, null where the previous trace's is shared.
// Attention is fresh with the scores, and alone when only its painting changed.
template <class S>
struct HeadWork {
  Mat<S>*Q = nullptr, *K = nullptr, *V = nullptr;
  Mat<S>*scores = nullptr, *attention = nullptr, *output = nullptr, *contribution = nullptr;
  bool new_K = false, new_V = false;                  // also those of another head of the group
  bool new_scores = false, new_contribution = false;  // where they are not kept there is nothing to fill
  bool new_gate = false;
};

// A trace in the making. The work is cut into blocks of rows whose size depends on n alone, so every product has the
// same shape, and every number the same bits, whatever is shared and however many threads there are.
template <class S>
struct Making {
  LayerTrace<S> trace;            // finished stages are read from here
  std::vector<HeadWork<S>> work;  // and fresh ones written through here
  Mat<S>*concat = nullptr, *output = nullptr;
};

// Waking the pool takes longer than this many multiply-adds.
constexpr Index kTooLittleToShare = 1'000'000;

// A fresh matrix in the slot. Made by the calling thread: tasks only fill it.
template <class S>
Mat<S>* renew(MatPtr<S>& slot, Index rows, Index cols) {
  auto fresh = std::make_shared<Mat<S>>(rows, cols);
  slot = fresh;
  return fresh.get();
}

// The same where it is kept; else an empty matrix stands in the slot, and there is none to fill.
template <class S>
Mat<S>* renew_kept(const LayerInput<S>& input, MatPtr<S>& slot, Index rows, Index cols) {
  if (input.keep_all) return renew(slot, rows, cols);
  renew(slot, 0, 0);
  return nullptr;
}

// 1. What is stale -------------------------------------------------------------------------------------------------

template <class S>
bool same_bias(const RowVecPtr<S>& a, const RowVecPtr<S>& b, Index first, Index count) {
  if (a == b) return true;
  return a && b && same_bits<S>(MatView<S>(a->segment(first, count)), MatView<S>(b->segment(first, count)));
}

// Whether X W^i + b^i has the same inputs, X apart, for the head whose columns start at first.
template <class S>
bool same_projection(const MatPtr<S>& W, const MatPtr<S>& old_W, const RowVecPtr<S>& b, const RowVecPtr<S>& old_b,
                     Index first, Index d_k) {
  return same_bias<S>(b, old_b, first, d_k) && same_columns<S>(W, old_W, first, d_k);
}

// Whether the head's painted rows of one kind are the same.
template <class S>
bool same_painting(const LayerInput<S>& now, const LayerInput<S>& old, Index h,
                   std::vector<PaintedRow<S>> PaintedHead<S>::*rows) {
  static const std::vector<PaintedRow<S>> none;
  const PaintedHead<S>*a = painted_head(now.painted, h), *b = painted_head(old.painted, h);
  return same_bits<S>(a ? a->*rows : none, b ? b->*rows : none);
}

// The first head of the group whose K, or whose V (painted ones have their own), is this head's too.
template <class S>
Index sharing_K(const LayerInput<S>& input, Index h) {
  return h / input.group_size() * input.group_size();
}
template <class S>
Index sharing_V(const LayerInput<S>& input, Index h) {
  const auto painted = [&](Index k) {
    const PaintedHead<S>* head = painted_head(input.painted, k);
    return head && !head->values.empty();
  };
  if (painted(h)) return h;
  Index first = sharing_K(input, h);
  while (painted(first)) ++first;
  return first;
}

// Puts fresh matrices in the place of the head's stale stages. previous is null, or of the same sizes; then the heads
// hold the previous stages, and those before h what is fresh.
template <class S>
HeadWork<S> renew_stale(const LayerInput<S>& now, const LayerInput<S>* previous, bool same_X, bool same_scoring,
                        Index h, std::vector<HeadTrace<S>>& heads) {
  HeadTrace<S>& head = heads[static_cast<std::size_t>(h)];
  const Index n = now.n(), d_k = now.d_k(), first = h * d_k, kv_first = now.kv_head(h) * d_k;
  const AttentionWeights<S>& w = now.weights;
  const AttentionWeights<S>& old = previous ? previous->weights : w;
  HeadWork<S> work;
  if (!same_X || !same_projection<S>(w.W_Q, old.W_Q, w.b_Q, old.b_Q, first, d_k)) work.Q = renew(head.Q, n, d_k);
  work.new_K = !same_X || !same_projection<S>(w.W_K, old.W_K, w.b_K, old.b_K, kv_first, d_k);
  work.new_V = !same_X || !same_projection<S>(w.W_V, old.W_V, w.b_V, old.b_V, kv_first, d_k) ||
               !same_painting(now, previous ? *previous : now, h, &PaintedHead<S>::values);
  const Index same_K = sharing_K(now, h), same_V = sharing_V(now, h);
  if (work.new_K && same_K != h) head.K = heads[static_cast<std::size_t>(same_K)].K;
  if (work.new_K && same_K == h) work.K = renew(head.K, n, d_k);
  if (work.new_V && same_V != h) head.V = heads[static_cast<std::size_t>(same_V)].V;
  if (work.new_V && same_V == h) work.V = renew(head.V, n, d_k);
  work.new_scores = work.Q || work.new_K || !same_scoring;
  if (work.new_scores) work.scores = renew_kept(now, head.scores, n, n);
  if (work.new_scores || !same_painting(now, previous ? *previous : now, h, &PaintedHead<S>::attention))
    work.attention = renew(head.attention, n, n);
  if (work.attention || work.new_V) work.output = renew(head.output, n, d_k);
  work.new_gate = previous && previous->gate(h) != now.gate(h);
  work.new_contribution = work.output || work.new_gate || !same_rows<S>(w.W_O, old.W_O, first, d_k);
  if (work.new_contribution) work.contribution = renew_kept(now, head.contribution, n, now.d_model());
  return work;
}

template <class S>
Making<S> plan(LayerInput<S> input, const LayerTrace<S>* previous) {
  const auto same_sizes = [&](const LayerInput<S>& old) {
    return old.heads == input.heads && old.own_kv_heads() == input.own_kv_heads() && old.n() == input.n() &&
           old.d_model() == input.d_model() && old.keep_all == input.keep_all;
  };
  const LayerInput<S>* old = previous && same_sizes(previous->input) ? &previous->input : nullptr;
  const bool same_X = old && same_bits<S>(old->X, input.X);
  const bool same_scoring = old && old->mask == input.mask && old->score_factor() == input.score_factor();

  Making<S> making;
  if (old) making.trace = *previous;
  LayerTrace<S>& trace = making.trace;
  trace.heads.resize(static_cast<std::size_t>(input.heads));
  bool new_concat = false, new_output = !old || !same_bias<S>(old->weights.b_O, input.weights.b_O, 0, input.d_model());
  for (Index h = 0; h < input.heads; ++h) {
    const HeadWork<S> work = renew_stale(input, old, same_X, same_scoring, h, trace.heads);
    new_concat |= work.output != nullptr || work.new_gate;
    new_output |= work.new_contribution;
    making.work.push_back(work);
  }
  if (new_concat) making.concat = renew(trace.concat, input.n(), input.d_model());
  if (new_output) making.output = renew(trace.output, input.n(), input.d_model());
  trace.again = input.keep_all ? nullptr : std::make_shared<MadeAgain<S>>();
  trace.input = std::move(input);
  return making;
}

// 2. Computing a block of rows -------------------------------------------------------------------------------------

// X W^i + b^i
template <class S>
void project(const Mat<S>& X, const Mat<S>& W, const RowVecPtr<S>& b, Index first, Index row, Index rows, Mat<S>* out) {
  if (!out) return;
  MatOut<S> block = out->middleRows(row, rows);
  multiply<S>(X.middleRows(row, rows), W.middleCols(first, out->cols()), block);
  if (b) block.rowwise() += b->segment(first, out->cols());
}

template <class S>
S largest_finite(MatIn<S> values) {
  const auto sizes = values.array().abs();
  return (sizes <= std::numeric_limits<S>::max()).select(sizes, S(0)).maxCoeff();
}

// From the queries of the block to the head's contribution to their output. Gives the largest score where the scores
// are fresh and not kept.
template <class S>
S attend(const LayerInput<S>& input, const HeadTrace<S>& head, const HeadWork<S>& work, Index h, Index row,
         Index rows) {
  const Index keys = keys_to_visit(input.mask, row, rows, input.n()), hidden = input.n() - keys;
  S largest = 0;
  if (work.scores) score<S>(input, head, row, work.scores->middleRows(row, rows));
  if (work.attention) {
    MatOut<S> weights = work.attention->middleRows(row, rows);
    if (input.keep_all) {
      softmax_rows<S>(head.scores->block(row, 0, rows, keys), weights.leftCols(keys));
    } else {
      Mat<S> scores(rows, input.n());
      score<S>(input, head, row, scores);
      largest = largest_finite<S>(scores);
      softmax_rows<S>(scores.leftCols(keys), weights.leftCols(keys));
    }
    weights.rightCols(hidden).setZero();
    if (const PaintedHead<S>* painted = painted_head(input.painted, h))
      put_painted<S>(painted->attention, row, weights);
  }
  if (work.output)
    multiply<S>(head.attention->block(row, 0, rows, keys), head.V->topRows(keys), work.output->middleRows(row, rows));
  if (work.contribution) contribute<S>(input, head, h, row, work.contribution->middleRows(row, rows));
  return largest;
}

// The sum of contributions that are not kept: each is made, added and dropped. largest [1 x heads]: the largest value
// of each.
template <class S>
void add_contributions(const Making<S>& making, Index row, Index rows, MatOut<S> largest) {
  const LayerTrace<S>& trace = making.trace;
  Mat<S> contribution(rows, trace.input.d_model());
  for (Index h = 0; h < trace.input.heads; ++h) {
    contribute<S>(trace.input, trace.heads[static_cast<std::size_t>(h)], h, row, contribution);
    largest(0, h) = largest_finite<S>(contribution);
    if (h == 0) making.output->middleRows(row, rows) = contribution;
    if (h > 0) making.output->middleRows(row, rows) += contribution;
  }
}

// The heads' gated outputs side by side, and the sum of their contributions.
template <class S>
void mix(const Making<S>& making, Index row, Index rows) {
  const LayerTrace<S>& trace = making.trace;
  const RowVecPtr<S>& b_O = trace.input.weights.b_O;
  const Index d_k = trace.input.d_k();
  for (Index i = row; i < row + rows; ++i) {
    Index first = 0, h = 0;
    for (const HeadTrace<S>& head : trace.heads) {
      const S gate = trace.input.gate(h++);
      if (making.concat && gate == 0)
        making.concat->row(i).segment(first, d_k).setZero();
      else if (making.concat)
        making.concat->row(i).segment(first, d_k) = gate * head.output->row(i);
      const bool kept = trace.input.keep_all;
      if (making.output && kept && first == 0) making.output->row(i) = head.contribution->row(i);
      if (making.output && kept && first > 0) making.output->row(i) += head.contribution->row(i);
      first += d_k;
    }
    if (making.output && b_O) making.output->row(i) += *b_O;
  }
}

// 3. All blocks ----------------------------------------------------------------------------------------------------

// Multiply-adds of the fresh stages, an exponential counted as ten.
template <class S>
Index work_of(const Making<S>& making) {
  const LayerInput<S>& input = making.trace.input;
  const Index n = input.n(), projection = n * input.d_model() * input.d_k(), pairs = n * n;
  Index sum = 0;
  for (const HeadWork<S>& work : making.work) {
    for (const Mat<S>* m : {work.Q, work.K, work.V}) sum += m ? projection : 0;
    const bool scores = work.new_scores || (work.attention && !input.keep_all);
    const bool contribution = work.new_contribution || (making.output && !input.keep_all);
    sum += (contribution ? projection : 0) + (scores ? pairs * input.d_k() : 0) + (work.attention ? 10 * pairs : 0);
    sum += work.output ? pairs * input.d_k() : 0;
  }
  return sum;
}

template <class S>
void compute(Making<S>& making, ThreadPool* pool) {
  if (work_of(making) < kTooLittleToShare) pool = nullptr;
  const LayerInput<S>& input = making.trace.input;
  const AttentionWeights<S>& w = input.weights;
  const Index n = input.n(), blocks = block_count(n), heads = input.heads;
  const auto for_blocks = [&](Index count, const auto& task) {
    parallel_for(pool, count * blocks, [&](Index k) { task(k / blocks, block_of(n, k % blocks)); });
  };
  for_blocks(heads, [&](Index h, Block block) {
    const Index row = block.row, rows = block.rows;
    const HeadWork<S>& work = making.work[static_cast<std::size_t>(h)];
    project<S>(*input.X, *w.W_Q, w.b_Q, h * input.d_k(), row, rows, work.Q);
    project<S>(*input.X, *w.W_K, w.b_K, input.kv_head(h) * input.d_k(), row, rows, work.K);
    project<S>(*input.X, *w.W_V, w.b_V, input.kv_head(h) * input.d_k(), row, rows, work.V);
    const PaintedHead<S>* painted = work.V ? painted_head(input.painted, h) : nullptr;
    if (painted) put_painted<S>(painted->values, row, work.V->middleRows(row, rows));
  });
  Mat<S> scores = Mat<S>::Zero(blocks, heads), contributions = scores;  // the largest of each block
  for_blocks(heads, [&](Index h, Block block) {
    const auto k = static_cast<std::size_t>(h);
    scores(block.index, h) = attend<S>(input, making.trace.heads[k], making.work[k], h, block.row, block.rows);
  });
  for_blocks(1, [&](Index, Block block) {
    if (making.output && !input.keep_all)
      add_contributions<S>(making, block.row, block.rows, contributions.row(block.index));
    mix<S>(making, block.row, block.rows);
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
  assert(input.d_model() % input.heads == 0 && input.heads % input.own_kv_heads() == 0);
  assert(input.weights.W_K->cols() == input.kv_width() && input.weights.W_V->cols() == input.kv_width());
  Making<S> making = plan<S>(std::move(input), previous);
  compute<S>(making, pool);
  return std::move(making.trace);
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
template LayerTrace<float> ungated(const LayerTrace<float>&, ThreadPool*);
template LayerTrace<double> ungated(const LayerTrace<double>&, ThreadPool*);

}  // namespace hydra
