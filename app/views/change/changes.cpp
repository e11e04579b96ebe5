#include "app/views/change/changes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "core/document/evaluate.h"
#include "core/document/models.h"

namespace hydra {

namespace {

template <class Visit>
void for_each_matrix(const Trace& trace, const Visit& visit) {
  visit(trace.X);
  for (const LayerTrace<float>& layer : trace.layers) for_each_stage(layer, visit);
  for (const ProgramNode& node : trace.model.program().out) visit(*trace.model.stage(node.result));
}

// Of the matrices of one trace that the other does not share. What nobody has looked at takes no memory, and is not
// looked at for this.
std::size_t bytes_apart(const Trace& trace, const Trace& other) {
  std::unordered_set<const void*> counted;
  for_each_matrix(other, [&](const Array<float>& matrix) {
    if (matrix && matrix.is_read()) counted.insert(matrix->data());
  });
  std::size_t bytes = 0;
  for_each_matrix(trace, [&](const Array<float>& matrix) {
    if (matrix && matrix.is_read() && counted.insert(matrix->data()).second)
      bytes += static_cast<std::size_t>(matrix.size()) * sizeof(float);
  });
  return bytes;
}

// Whether the same numbers stand at the same places.
bool comparable(const Trace& a, const Trace& b) {
  const auto same = [](const LayerTrace<float>& one, const LayerTrace<float>& other) {
    const LayerInput<float>&p = one.input, &q = other.input;
    return p.n() == q.n() && p.d_model() == q.d_model() && p.concat_width() == q.concat_width() &&
           p.key_groups() == q.key_groups();
  };
  const std::vector<std::string>&words = a.model.words.words(), &others = b.model.words.words();
  const bool same_words = (&words == &others || words == others) && a.model.next_words == b.model.next_words;
  return same_words && std::equal(a.layers.begin(), a.layers.end(), b.layers.begin(), b.layers.end(), same);
}

constexpr double kRounding = 1e-5;  // relative: what sums come to in another order

// Only a switch of models puts one aside, or takes one from there.
bool same_aside(const Document& a, const Document& b) {
  const auto same_weights = [](const Layer& p, const Layer& q) {
    return p.weights.W_Q == q.weights.W_Q && p.weights.W_O == q.weights.W_O;
  };
  return std::ranges::equal(a.aside, b.aside, [&](const Model& p, const Model& q) {
    return std::ranges::equal(p.layers, q.layers, same_weights);
  });
}

// Whether all weights are others: another model, other seeds, other words' vectors, a step of training.
bool is_another_model(const Document& a, const Document& b) {
  if (!same_aside(a, b)) return true;
  if (kind_of(a) != kind_of(b) || a.layers.size() != b.layers.size() || a.embedding.kind != b.embedding.kind ||
      a.embedding.seed != b.embedding.seed)
    return true;
  bool all_others = true;
  for (std::size_t k = 0; k < a.layers.size(); ++k) {
    const WeightSource &was = a.layers[k].source, &is = b.layers[k].source;
    if (was.init != is.init || was.seed != is.seed) return true;
    const AttentionWeights<float>&p = a.layers[k].weights, &q = b.layers[k].weights;
    all_others = all_others && p.W_Q != q.W_Q && p.W_K != q.W_K && p.W_V != q.W_V && p.W_O != q.W_O;
  }
  return all_others && kind_of(b) == ModelKind::trained;
}

// Where each of these words stood among the others, the same ones in another order; nullopt: there are others.
std::optional<std::vector<Index>> places_of(const std::vector<std::string>& words,
                                            const std::vector<std::string>& among) {
  std::unordered_map<std::string_view, std::vector<Index>> places;
  for (std::size_t k = among.size(); k-- > 0;) places[among[k]].push_back(static_cast<Index>(k));
  std::vector<Index> order;
  for (const std::string& word : words) {
    std::vector<Index>& left = places[word];
    if (left.empty()) return std::nullopt;
    order.push_back(left.back());
    left.pop_back();
  }
  return order;
}

// The block with its rows, or columns, that are of tokens in that order.
Backing in_order(const Backing& block, const Shape& shape, const std::vector<Index>& order) {
  Mat<float> values = block.matrix->block(block.row0, block.col0, block.rows, block.cols);
  if (shape.row_axis == Axis::token) values = Mat<float>(values(order, Eigen::all));
  if (shape.col_axis == Axis::token) values = Mat<float>(values(Eigen::all, order));
  return whole(share(std::move(values)));
}

// The largest change that does not stand out, see MatrixChange.
float outstanding_above(const Mat<float>& size) {
  constexpr Index most_looked_at = 4096, never_too_many = 8;
  const Index step = 1 + (size.size() - 1) / most_looked_at;
  std::vector<float> sizes;
  for (Index k = 0; k < size.size(); k += step) sizes.push_back(size.data()[k]);
  const auto all = std::ssize(sizes), most = std::max(all / 8, never_too_many);
  if (all <= most) return 0;
  const auto at = sizes.begin() + most;
  std::nth_element(sizes.begin(), at, sizes.end(), std::greater<>());
  return *at;
}

}  // namespace

MatrixChange change_between(const Backing& before, const Backing& now) {
  MatrixChange change;
  if (!before.matrix || !now.matrix || before.rows != now.rows || before.cols != now.cols) return change;
  if (before.matrix == now.matrix && before.row0 == now.row0 && before.col0 == now.col0) return change;
  const auto a = before.matrix->block(before.row0, before.col0, before.rows, before.cols);
  const auto b = now.matrix->block(now.row0, now.col0, now.rows, now.cols);
  Mat<float> size(now.rows, now.cols);
  constexpr double kLargest = std::numeric_limits<float>::max();
  double squares = 0, of_before = 0;
  bool finiteness = false;
  for (Index i = 0; i < now.rows; ++i)
    for (Index j = 0; j < now.cols; ++j) {
      const float x = a(i, j), y = b(i, j);
      const bool both = std::isfinite(x) && std::isfinite(y);
      const double apart = both ? std::abs(static_cast<double>(y) - static_cast<double>(x)) : 0;
      const float difference = static_cast<float>(std::min(apart, kLargest));  // of two floats it may be twice that
      size(i, j) = difference;
      change.largest = std::max(change.largest, difference);
      squares += apart * apart;
      of_before += both ? static_cast<double>(x) * static_cast<double>(x) : 0;
      if (both || x == y || (std::isnan(x) && std::isnan(y))) continue;
      size(i, j) = std::numeric_limits<float>::quiet_NaN();  // for now
      finiteness = true;
    }
  if (squares == 0 && !finiteness) return {};
  if (change.largest == 0) change.largest = 1;
  if (finiteness)
    for (Index k = 0; k < size.size(); ++k)
      if (std::isnan(size.data()[k])) size.data()[k] = change.largest;
  change.relative = squares == 0     ? 0
                    : of_before == 0 ? std::numeric_limits<double>::infinity()
                                     : std::sqrt(squares / of_before);
  change.outstanding = outstanding_above(size);
  change.size = share(std::move(size));
  return change;
}

void Changes::follow(std::uint64_t step, const std::optional<Cell>& selection) {
  if (step_ == step) return;
  step_ = step;
  release();
  if (std::exchange(forgetting_, false) || !settled_) return;
  before_ = settled_;
  before_derived_ = now_;
  before_derived_.set_trace(before_->trace);
  selection_ = selection;
  marked_ = true;
}

void Changes::release() {
  before_.reset();
  before_derived_ = {};
  entries_.clear();
  made_.clear();
  order_.clear();
  marked_ = peeking_ = comparable_ = too_large_ = tells_ = false;
}

void Changes::settle(State now) {
  settled_ = std::move(now);
  entries_.clear();
  made_.clear();
  if (!before_) return;
  comparable_ = comparable(*before_->trace, *settled_->trace);
  tells_ = comparable_ && !is_another_model(before_->document, settled_->document);
  order_.clear();
  if (tells_ && before_->trace->tokens != settled_->trace->tokens) {
    auto order = places_of(settled_->trace->tokens, before_->trace->tokens);
    tells_ = order.has_value();
    if (order) order_ = std::move(*order);
  }
  if (bytes_apart(*before_->trace, *settled_->trace) <= kMaxBytes) return;
  release();
  too_large_ = true;
}

void Changes::look_at(int layer) {
  if (!before_ || layer >= static_cast<int>(before_->trace->layers.size())) return;
  before_->trace = with_whole_layer(before_->trace, layer);
  before_derived_.set_trace(before_->trace);
}

// The same place in another head or layer is where the focus has gone, not another question.
void Changes::note_selection(const std::optional<Cell>& selection) {
  if (!selection || gesture_) return;
  const bool same = selection_ && selection->site.quantity == selection_->site.quantity &&
                    selection->row == selection_->row && selection->col == selection_->col;
  if (!same) marked_ = false;
}

Source Changes::source_of(const State& state, const State& other, DerivedCache& derived) const {
  const auto& [measures, marked, bounds] = measuring_;
  return {
      {state.trace, state.document, state.trace->document, other.trace->document, marked, bounds}, derived, measures};
}

std::optional<Source> Changes::before_source() {
  if (!before_ || !comparable_) return std::nullopt;
  return source_of(*before_, *settled_, before_derived_);
}

std::optional<Source> Changes::now_source() {
  if (!before_ || !comparable_) return std::nullopt;
  return source_of(*settled_, *before_, now_);
}

Source Changes::ranges(const Source& shown) {
  if (!before_ || !comparable_ || !(gesture_ || peeking_)) return shown;
  return gesture_ ? *before_source() : *now_source();
}

namespace {
// mean_attention is of the heads that are chosen, and made to be compared.
Stamp stamp_of(const Source& source, const ViewState& view, const Site& ref) {
  if (ref.quantity == Quantity::mean_attention) return picture_of(source, view, ref).matrix.stamp();
  return stamp_of(source.trace, ref);
}
}  // namespace

const MatrixChange& Changes::of(const ViewState& view, const Site& ref) {
  static const MatrixChange none;
  if (!marked() || !exists(*before_->trace, ref) || !exists(*settled_->trace, ref)) return none;
  const Stamp of_before = stamp_of(*before_source(), view, ref), of_now = stamp_of(*now_source(), view, ref);
  if (of_before == of_now) return none;
  Entry& kept = entries_[{ref.quantity, ref.layer, ref.head}];
  if (kept.before == of_before && kept.now == of_now) return kept.change;
  if (is_of_one_head(ref.quantity) && compared_ >= kMostCompared) {
    pending_ = true;
    return none;
  }
  Backing before = picture_of(*before_source(), view, ref);
  const Backing now = picture_of(*now_source(), view, ref);
  if (!order_.empty() && before.matrix && before.rows == now.rows && before.cols == now.cols)
    before = in_order(before, shape_of(*settled_->trace, ref), order_);
  compared_ += now.rows * now.cols;
  kept = {of_before, of_now, change_between(before, now)};
  if (!order_.empty() && kept.change.relative < kRounding) kept.change = {};
  return kept.change;
}

Cell Changes::before_cell(const Cell& now) const {
  if (order_.empty()) return now;
  const Shape shape = shape_of(*settled_->trace, now.site);
  Cell before = now;
  if (shape.row_axis == Axis::token) before.row = order_[static_cast<std::size_t>(now.row)];
  if (shape.col_axis == Axis::token) before.col = order_[static_cast<std::size_t>(now.col)];
  return before;
}

const MatrixChange& Changes::of_made(const std::string& name, Stamp before, Stamp now,
                                     const std::function<MatrixChange()>& make) {
  static const MatrixChange none;
  if (!marked() || before == now || !order_.empty()) return none;
  Entry& kept = made_[name];
  if (kept.before != before || kept.now != now) kept = {before, now, make()};
  return kept.change;
}

}  // namespace hydra
