#include "core/attention/forward.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/attention/head_rows.h"
#include "core/attention/head_stamps.h"
#include "core/linalg/arena.h"
#include "core/linalg/fours.h"
#include "core/linalg/largest.h"
#include "core/linalg/matmul.h"

namespace hydra {

template <class S>
S LayerInput<S>::score_factor(Index head) const {
  return (settings.scale ? 1 / std::sqrt(static_cast<S>(score_width())) : S(1)) / static_cast<S>(temperature_of(head)) *
         slice_factor;
}

template <class S>
scores::Rule<S> LayerInput<S>::score_rule(Index head) const {
  return scores::with_biases<S>(
      {score_factor(head), static_cast<S>(settings.soft_cap), static_cast<S>(scores::slope_of(settings, head, heads))},
      weights.offset_bias, head);
}

template <class S>
bool LayerInput<S>::sees(Index head, Index query, Index key) const {
  if (head >= 0 || own.empty()) return mask_of(head).allows(query, key);
  return std::ranges::any_of(own, [&](const HeadTerms& of) { return of.mask.allows(query, key); });
}

template <class S>
bool LayerInput<S>::masks(Index head) const {
  if (head >= 0 || own.empty()) return mask_of(head).may_hide();
  return std::ranges::all_of(own, [](const HeadTerms& of) { return of.mask.may_hide(); });
}

template <class S>
std::optional<S> LayerInput<S>::sink(Index head) const {
  if (settings.sink == SinkKind::none) return std::nullopt;
  return settings.sink == SinkKind::zero ? S(0) : (*weights.sink)(0, head);
}

template <class S>
Index LayerInput<S>::along(Axis axis) const {
  assert(axis == Axis::token || axis == Axis::head_dim || axis == Axis::model_dim || axis == Axis::one);
  return axis == Axis::token ? n() : axis == Axis::head_dim ? d_k() : axis == Axis::model_dim ? d_model() : 1;
}

template <class S>
LayerSizes sizes_of(const LayerInput<S>& layer) {
  const auto number = [](Index value) { return static_cast<double>(value); };
  const Index read = layer.split == Split::slice ? layer.d_k() : 0;
  return {number(layer.d_model()), number(layer.heads), number(layer.kv_heads()),
          number(layer.d_k()),     number(read),        layer.settings};
}

namespace {

// 1. What is stale: whatever has not the stamp that it should have (head_stamps.h) -----------------------------------

// A fresh array in the slot, unless what it should hold is there. Made by the calling thread: tasks only fill it.
template <class S>
Fresh<S> renew(Arena<S>& arena, Array<S>& slot, Stamp stamp, Index rows, Index cols) {
  if (slot.stamp() == stamp) return {};
  if (stamp) return arena.make(slot, stamp, rows, cols);
  slot = {};  // of what the settings leave out
  return {};
}

// The same of a stage of a head. What a head before it has is shared: heads of a group have one K, and one V but for
// painted rows. What is not kept leaves its stamp.
template <class S>
Fresh<S> renew(Arena<S>& arena, const LayerInput<S>& input, std::vector<HeadTrace<S>>& heads, Index h,
               const QuantityRow& row, Stamp stamp) {
  Array<S>& slot = heads[static_cast<std::size_t>(h)][row.quantity];
  if (row.kind == QuantityRow::Kind::recomputed && !input.keep_all) {
    slot = Array<S>::dropped(stamp);
    return {};
  }
  for (Index k = row.of_group ? input.key_groups().first(input.kv_head(h)) : h; k < h; ++k)
    if (const Array<S>& other = heads[static_cast<std::size_t>(k)][row.quantity]; other.stamp() == stamp) {
      slot = other;
      return {};
    }
  return renew(arena, slot, stamp, input.along(row.rows), input.along(row.cols));
}

template <class S>
Making<S> plan(LayerInput<S> input, const LayerTrace<S>* previous) {
  Making<S> making;
  Arena<S> arena;
  if (previous && previous->is_whole() && previous->input.keep_all == input.keep_all) making.trace = *previous;
  LayerTrace<S>& trace = making.trace;
  trace.heads.resize(static_cast<std::size_t>(input.heads));
  making.work.resize(trace.heads.size());
  const LayerProgram& program = program_of(input.settings);
  if (!input.keep_all) making.passages = &program.passages;
  for (HeadTrace<S>& head : trace.heads) head.ends = program.ends;
  const StampsOfHeads stamps = stamps_of(input);
  std::vector<Quantity> stages;  // that the heads have, or had
  for (const Quantity stage : kHeadStages)
    if (stamps.heads.front()[stage] || trace.heads.front()[stage].stamp()) stages.push_back(stage);
  for (std::size_t h = 0; h < trace.heads.size(); ++h)
    for (const Quantity stage : stages)
      making.work[h][stage] =
          renew(arena, input, trace.heads, static_cast<Index>(h), entry_of(stage), stamps.heads[h][stage]);
  making.head_gates = renew(arena, trace.head_gates, stamps.head_gates, input.n(), input.heads);
  making.lambda = renew(arena, trace.lambda, stamps.lambda, 1, 1);
  making.concat = renew(arena, trace.concat, stamps.concat, input.n(), input.concat_width());
  making.output = renew(arena, trace.output, stamps.output, input.n(), input.d_model());
  trace.recomputed = input.keep_all ? nullptr : std::make_shared<RecomputedStages<S>>();
  trace.input = std::move(input);
  return making;
}

// 2. Computing a block of rows -------------------------------------------------------------------------------------

// A head's projection, X W^i + b^i.
template <class S>
void project(const Making<S>& making, const ProgramNode& node, Index h, const Piece& at) {
  const LayerInput<S>& input = making.trace.input;
  const Fresh<S>& out = making.work[static_cast<std::size_t>(h)][node.result];
  if (!out) return;
  const Array<S>&W = *field_of(input.weights, node.reads()[1]), &b = *field_of(input.weights, node.reads()[2]);
  const Index first = input.first_column(node.result, h) + at.col;
  linear::forward<S>(input.X->middleRows(at.row, at.rows), Factor<S>(W).columns(first, at.cols),
                     linear::part_of(b, first, at.cols), out.rows(at.row, at.rows).middleCols(at.col, at.cols));
}

// Of few tokens all heads' projections at once (multiply_columns).
template <class S>
void project_few(const Making<S>& making, const ProgramNode& node) {
  const LayerInput<S>& input = making.trace.input;
  const Array<S>&W = *field_of(input.weights, node.reads()[1]), &b = *field_of(input.weights, node.reads()[2]);
  const Index d_k = input.d_k();
  thread_local std::vector<ColumnsOut<S>> parts;  // kept: allocating takes longer than a head's product
  parts.clear();
  for (Index h = 0; h < input.heads; ++h)
    if (const Fresh<S>& fresh = making.work[static_cast<std::size_t>(h)][node.result])
      parts.push_back({input.first_column(node.result, h), fresh.data()});
  if (b)
    for (ColumnsOut<S>& part : parts) part.bias = b->data() + part.first;
  multiply_columns<S>(*input.X, W, d_k, parts);
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

// A head's output times its gate, among the heads' columns.
template <class S>
void put_beside(MatIn<S> leaving, S gate, MatOut<S> out) {
  if (gate != 1) return scale::forward<S>(leaving, gate, out);
  for_fours(out.cols(), [&]<int COUNT>(Index col, std::integral_constant<int, COUNT>) {
    for (Index i = 0; i < out.rows(); ++i)
      put_few<S, COUNT>(few_at<S, COUNT>(leaving.data() + i * leaving.outerStride() + col),
                        out.data() + i * out.outerStride() + col);
  });
}

// out = the sum of the terms [count] each, the first one first. A number's sum stays in a register.
template <class S>
void add_up(std::span<const S* const> terms, Index count, S* out) {
  for_fours<16>(count, [&]<int COUNT>(Index k, std::integral_constant<int, COUNT>) {
    auto sum = few_at<S, COUNT>(terms[0] + k);
    for (const S* term : terms.subspan(1)) sum += few_at<S, COUNT>(term + k);
    put_few<S, COUNT>(sum, out + k);
  });
}

// The heads' gated outputs side by side, and the sum of their contributions.
template <class S>
void put_together(const Making<S>& making, Index row, Index rows) {
  const LayerTrace<S>& trace = making.trace;
  const Array<S>& b_O = trace.input.weights.b_O;
  const Index d_model = trace.input.d_model(), d_k = trace.input.d_k();
  for (Index h = 0; h < trace.input.heads && making.concat; ++h)
    put_beside<S>(trace.heads[static_cast<std::size_t>(h)].leaving()->middleRows(row, rows), trace.input.gate(h),
                  making.concat.rows(row, rows).middleCols(h * d_k, d_k));
  if (!making.output) return;
  if (trace.input.keep_all) {
    thread_local std::vector<const S*> terms;  // kept: allocating takes longer than a short sum
    terms.clear();
    for (const HeadTrace<S>& head : trace.heads) terms.push_back(head.contribution->data() + row * d_model);
    add_up<S>(terms, rows * d_model, making.output.data() + row * d_model);
  }
  if (b_O) making.output.rows(row, rows).rowwise() += b_O->row(0);
}

// 3. All blocks ----------------------------------------------------------------------------------------------------

// Of the stages that are to be made (model/cost.h). What is not kept is made with what is made of it.
template <class S>
double work_of(const Making<S>& making, std::span<const ProgramNode> nodes) {
  const LayerInput<S>& input = making.trace.input;
  LayerSizes sizes = sizes_of(input);
  sizes.read = 0;  // of slices, too, all columns of X are multiplied
  const auto n = static_cast<double>(input.n());
  double sum = 0;
  for (const ProgramNode& node : nodes) {
    const double work = is_head_stage(node.result) ? cost_of(sizes, node, n, n).work() : 0;
    if (work == 0) continue;
    const bool kept = input.keep_all || entry_of(node.result).kind != QuantityRow::Kind::recomputed;
    const Quantity stage = kept ? node.result : Quantity::attention;
    if (!kept && node.result == Quantity::contribution)
      sum += making.output ? sizes.heads * work : 0;
    else
      for (const HeadWork<S>& of : making.work) sum += of[stage] ? work : 0;
  }
  return sum;
}

// What heads read besides their own: the gates of all of them, and lambda.
template <class S, class ForBlocks>
void make_shared(const Making<S>& making, const ForBlocks& for_blocks) {
  const LayerInput<S>& input = making.trace.input;
  if (making.head_gates)
    for_blocks(1, [&](Index, RowBlock block) {
      gate::open<S>(input.X->middleRows(block.row, block.rows), *input.weights.w_G,
                    making.head_gates.rows(block.row, block.rows));
    });
  if (making.lambda) making.lambda.rows(0, 1)(0, 0) = lambda_of(input);
}

template <class S>
void make_projections(const Making<S>& making, std::span<const ProgramNode> nodes, ThreadPool* pool) {
  const LayerInput<S>& input = making.trace.input;
  const Index n = input.n(), heads = input.heads;
  if (!pool && n <= kFewRows) {
    for (const ProgramNode& node : nodes) project_few<S>(making, node);
  } else {
    const Pieces of_head(n, input.d_k());
    parallel_for(pool, heads * of_head.count(), [&](Index task) {
      for (const ProgramNode& node : nodes)
        project<S>(making, node, task / of_head.count(), of_head[task % of_head.count()]);
    });
  }
  for (std::size_t h = 0; h < input.painted.size(); ++h)
    for (const ProgramNode& node : nodes)
      if (const Fresh<S>& fresh = making.work[h][node.result])
        if (const auto* rows = painted_rows(input.painted[h], node.result))
          painted::forward<S>(*rows, 0, fresh.rows(0, n));
}

template <class S>
void compute(Making<S>& making, ThreadPool* pool) {
  const LayerInput<S>& input = making.trace.input;
  const LayerProgram& program = program_of(input.settings);
  const std::span<const ProgramNode> own = program.own, rest = program.rest;
  if (work_of(making, program.heads) < kTooLittleToCut) pool = nullptr;
  const Index n = input.n(), blocks = block_count(n), heads = input.heads;
  const auto for_blocks = [&](Index count, const auto& task) {
    parallel_for(pool, count * blocks, [&](Index k) { task(k / blocks, block_of(n, k % blocks)); });
  };
  make_projections(making, program.projections, pool);
  if (!own.empty()) for_blocks(heads, [&](Index h, RowBlock block) { HeadRows<S>(making, h, block).make(own); });
  make_shared(making, for_blocks);
  const Pieces pieces(n, input.d_model());
  Mat<S> scores = Mat<S>::Zero(blocks, heads), contributions = Mat<S>::Zero(pieces.count(), heads);  // the largest
  const bool together = std::ranges::count(rest, Operation::talk, &ProgramNode::operation) > 0;
  if (together)
    for_blocks(1, [&](Index, RowBlock block) { make_together<S>(making, rest, block, scores.row(block.index)); });
  for_blocks(together ? 0 : heads, [&](Index h, RowBlock block) {
    HeadRows<S> rows(making, h, block);
    rows.make(rest);
    scores(block.index, h) = rows.largest_score();
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
  assert(input.own.empty() || static_cast<Index>(input.own.size()) == input.heads);
  assert(input.weights.W_Q.rows() == input.d_model() && input.weights.W_O.rows() == input.concat_width());
  assert(input.weights.W_K.cols() == input.kv_width() && input.weights.W_V.cols() == input.kv_width());
  Making<S> making = plan<S>(std::move(input), previous);
  compute<S>(making, pool);
  return std::move(making.trace);
}

template <class S>
Stamp output_stamp(const LayerInput<S>& input) {
  return stamps_of(input).output;
}

template <class S>
LayerTrace<S> ungated(const LayerTrace<S>& trace, ThreadPool* pool) {
  LayerInput<S> input = trace.input;
  input.gates.clear();
  return forward(std::move(input), &trace, pool);
}

template struct LayerInput<float>;
template struct LayerInput<double>;
template LayerSizes sizes_of(const LayerInput<float>&);
template LayerSizes sizes_of(const LayerInput<double>&);
template LayerTrace<float> forward(LayerInput<float>, const LayerTrace<float>*, ThreadPool*);
template LayerTrace<double> forward(LayerInput<double>, const LayerTrace<double>*, ThreadPool*);
template Stamp output_stamp(const LayerInput<float>&);
template Stamp output_stamp(const LayerInput<double>&);
template LayerTrace<float> ungated(const LayerTrace<float>&, ThreadPool*);
template LayerTrace<double> ungated(const LayerTrace<double>&, ThreadPool*);

}  // namespace hydra
