#include "core/attention/layer_gradient.h"

#include <cassert>

#include "core/ops/activate.h"
#include "core/ops/differ.h"
#include "core/ops/gate.h"
#include "core/ops/linear.h"
#include "core/ops/mix.h"
#include "core/ops/norm.h"
#include "core/ops/painted.h"
#include "core/ops/rotate.h"
#include "core/ops/scale.h"
#include "core/ops/scores.h"
#include "core/ops/softmax.h"
#include "core/ops/talk.h"

namespace hydra {

namespace {

// A head's part of a parameter that all heads have side by side, or one over the other.
template <class Matrix>
auto part_of_head(const LayerInput<double>& input, Quantity parameter, int head, Matrix& whole) {
  const Index d_k = input.d_k();
  const Index first = (entry_of(parameter).of_group ? input.kv_head(head) : head) * d_k;
  return parameter == Quantity::W_O ? whole.block(first, 0, d_k, whole.cols())
                                    : whole.block(0, first, whole.rows(), d_k);
}

// Of what a head computes, the rows that are set by hand.
const std::vector<PaintedRow<double>>* painted_in(const LayerInput<double>& input, Quantity quantity, int head) {
  const PaintedHead<double>* by_hand = painted_head(input.painted, head);
  return by_hand ? painted_rows(*by_hand, quantity) : nullptr;
}

}  // namespace

LayerGradient::LayerGradient(LayerInput<double> input, MatIn<double> stream)
    : input_(std::move(input)), program_(program_of(input_.settings)) {
  input_.X = share(Mat<double>(stream));
  values_[{Quantity::X, kNoHead}] = stream;
  for (const ProgramNode& node : program_.nodes) {
    if (node.result == Quantity::X) continue;
    for_heads(node, [&](const At& at) {
      Mat<double> value = made(at);
      if (const auto* rows = painted_in(input_, node.result, at.head)) painted::forward<double>(*rows, 0, value);
      values_[{node.result, at.head}] = std::move(value);
    });
  }
}

template <class Task>
void LayerGradient::for_heads(const ProgramNode& node, const Task& task) const {
  if (!has_head(node.result)) return task(At{node, kNoHead});
  for (int h = 0; h < static_cast<int>(input_.heads); ++h) task(At{node, h});
}

MatView<double> LayerGradient::value(Quantity quantity, int head) const {
  static const Mat<double> none;
  if (is_parameter(quantity)) {
    const Array<double>& whole = *field_of(input_.weights, quantity);
    if (!whole) return none;
    if (head == kNoHead) return *whole;
    const auto values = *whole;
    return part_of_head(input_, quantity, head, values);
  }
  const auto found = values_.find({quantity, head});
  return found == values_.end() ? none : found->second;
}

MatView<double> LayerGradient::operand(const At& at, std::size_t k) const {
  static const Mat<double> none;
  if (k >= at.node.reads().size()) return none;
  const Quantity quantity = at.node.reads()[k];
  return value(quantity, head_of(quantity, at));
}

// --- forward ---------------------------------------------------------------------------------------------------------

Mat<double> LayerGradient::made_of_heads(const At& at) const {
  const Quantity part = at.node.reads()[0];
  const auto heads = static_cast<int>(input_.heads);
  if (at.node.operation == Operation::join) {
    Mat<double> C(value(part, 0).rows(), input_.concat_width());
    for (int h = 0; h < heads; ++h)
      scale::forward<double>(value(part, h), input_.gate(h), C.middleCols(h * input_.d_k(), input_.d_k()));
    return C;
  }
  Mat<double> sum = value(part, 0);
  for (int h = 1; h < heads; ++h) sum += value(part, h);
  if (at.node.operation == Operation::mean) return sum / static_cast<double>(heads);
  assert(at.node.operation == Operation::add);
  if (const MatView<double> bias = operand(at, 1); bias.size() > 0) sum.rowwise() += bias.row(0);
  return sum;
}

KeyGroups LayerGradient::parts_of(Quantity stage) const {
  return entry_of(stage).of_group ? input_.key_groups() : KeyGroups{input_.heads};
}
Mat<double> LayerGradient::side_by_side(Quantity stage) const {
  const Index d_k = input_.d_k();
  const KeyGroups groups = parts_of(stage);
  Mat<double> all(input_.n(), groups.sets() * d_k);
  for (Index k = 0; k < groups.sets(); ++k)
    all.middleCols(k * d_k, d_k) = value(stage, static_cast<int>(groups.first(k)));
  return all;
}
Index LayerGradient::column_in_all(const At& at) const {
  return (entry_of(at.node.result).of_group ? input_.kv_head(at.head) : at.head) * input_.d_k();
}

Mat<double> LayerGradient::made(const At& at) const {
  const LayerSettings& s = input_.settings;
  if (!has_head(at.node.result) && has_head(at.node.reads()[0])) return made_of_heads(at);
  const MatView<double> a = operand(at, 0), b = operand(at, 1), c = operand(at, 2);
  Mat<double> Y(a.rows(), a.cols());
  switch (at.node.operation) {
    case Operation::add:
      Y = a + b;
      if (c.size() > 0) Y += c;
      break;
    case Operation::linear:
      Y.resize(a.rows(), b.cols());
      linear::forward<double>(a, b, c, Y);
      if (at.node.gated) scale::forward<double>(Y, gate(at), Y);
      break;
    case Operation::norm:
      if (hears_all_heads(at.node, s)) {
        Mat<double> all = side_by_side(at.node.reads()[0]);
        norm::forward<double>(all, value(at.node.reads()[1], kNoHead), c, NormKind::rms, s.norm_epsilon, all);
        return all.middleCols(column_in_all(at), a.cols());
      }
      norm::forward<double>(a, b, c, norm_kind(at), s.norm_epsilon, Y, norm_parts_of(at.node, s));
      scale::forward<double>(Y, norm_factor(at), Y);
      break;
    case Operation::rotate:
      rotate::forward<double>(a, rotate::rotation_of(s, a.cols()), input_.place(0), Y);
      break;
    case Operation::activate:
      activate::forward<double>(a, b, s.activation, Y);
      break;
    case Operation::outer:
      Y = a * b.transpose();
      break;
    case Operation::scores:
      Y.resize(a.rows(), b.rows());
      scores::forward<double>(half_of(at, a), half_of(at, b), input_.score_rule(at.head), input_.mask_of(at.head), 0,
                              Y);
      break;
    case Operation::lambda:
      Y.resize(1, 1);
      Y(0, 0) = differ::lambda<double>(a, b, c, operand(at, 3), s.lambda_0);
      break;
    case Operation::subtract:
      differ::forward<double>(a, b, c(0, 0), Y);
      break;
    case Operation::softmax:
      softmax::forward<double>(a, Y, input_.sink(at.head));
      break;
    case Operation::drop:
      dropout::forward<double>(a, input_.dropout_rule(at.head), input_.place(0), input_.place(0), Y);
      break;
    case Operation::talk:
      talk::forward<double>(
          b, at.head, [&](Index h) { return value(at.node.reads()[0], static_cast<int>(h)); }, Y);
      if (is_score(at.node.result)) apply_mask<double>(input_.mask_of(at.head), 0, Y);
      break;
    case Operation::mix:
      Y.resize(a.rows(), b.cols());
      mix::forward<double>(a, b, Y);
      break;
    case Operation::open:
      Y.resize(a.rows(), b.cols());
      gate::open<double>(a, b, Y);
      break;
    case Operation::multiply:
      gate::forward<double>(
          a, has_column_of_head(at.node, at.node.reads()[1]) ? MatView<double>(b.middleCols(at.head, 1)) : b, Y);
      break;
    case Operation::weigh:
      Y = gate(at) * (a.array().rowwise() * (b * c).rowwise().norm().transpose().array()).matrix();
      break;
    case Operation::join:
    case Operation::mean:
    case Operation::lookup:
      assert(false);  // of heads, or of no layer
      break;
  }
  return Y;
}

// --- back ------------------------------------------------------------------------------------------------------------

MatView<double> LayerGradient::grad(Quantity quantity, int head) const {
  static const Mat<double> none;
  const bool of_parameter = is_parameter(quantity);
  const auto found = grads_.find({quantity, of_parameter ? kNoHead : head});
  if (found == grads_.end()) return none;
  if (of_parameter && head != kNoHead) return part_of_head(input_, quantity, head, found->second);
  return found->second;
}

MatOut<double> LayerGradient::by_operand(const At& at, std::size_t k) {
  const Quantity quantity = at.node.reads()[k];
  const int head = head_of(quantity, at);
  Mat<double>& whole = grads_.at({quantity, is_parameter(quantity) ? kNoHead : head});
  if (is_parameter(quantity) && head != kNoHead) return part_of_head(input_, quantity, head, whole);
  return whole;
}

void LayerGradient::back(Quantity from, MatIn<double> by) {
  for (const auto& [place, value] : values_) grads_[place].setZero(value.rows(), value.cols());
  for (const Quantity p : program_.parameters)
    if (const MatView<double> whole = value(p); whole.size() > 0)
      grads_[{p, kNoHead}].setZero(whole.rows(), whole.cols());
  grads_.at({from, kNoHead}) = by;
  for (std::size_t k = program_.nodes.size(); k-- > 0;) {
    const ProgramNode& node = program_.nodes[k];
    if (node.result == Quantity::X || is_asked(node.result)) continue;
    for_heads(node, [&](const At& at) {
      Mat<double> d = grads_.at({node.result, at.head});
      if (d.isZero(0)) return;
      if (const auto* rows = painted_in(input_, node.result, at.head)) painted::grad<double>(*rows, d);
      back(at, d);
    });
  }
}

void LayerGradient::back_to_heads(const ProgramNode& node, MatIn<double> d) {
  for (int h = 0; h < static_cast<int>(input_.heads); ++h) {
    Mat<double>& by_part = grads_.at({node.reads()[0], h});
    if (node.operation == Operation::join)
      scale::grad_X<double>(input_.gate(h), d.middleCols(h * input_.d_k(), input_.d_k()), by_part);
    else
      by_part += d;
  }
  const At at{node, kNoHead};
  if (node.reads().size() > 1 && operand(at, 1).size() > 0) linear::grad_b<double>(d, by_operand(at, 1));
}

void LayerGradient::back_to_all(const At& at, MatIn<double> d) {
  const Quantity stage = at.node.reads()[0], gain = at.node.reads()[1];
  const Index d_k = d.cols();
  const KeyGroups groups = parts_of(stage);
  const Mat<double> all = side_by_side(stage);
  Mat<double> by_all = Mat<double>::Zero(all.rows(), all.cols()), by_X = by_all;
  by_all.middleCols(column_in_all(at), d_k) = d;
  norm::grad_X<double>(all, value(gain, kNoHead), NormKind::rms, input_.settings.norm_epsilon, by_all, by_X);
  for (Index k = 0; k < groups.sets(); ++k)
    grads_.at({stage, static_cast<int>(groups.first(k))}) += by_X.middleCols(k * d_k, d_k);
  norm::grad_gain<double>(all, NormKind::rms, input_.settings.norm_epsilon, by_all, grads_.at({gain, kNoHead}));
}

void LayerGradient::back(const At& at, Mat<double>& d) {
  const LayerSettings& s = input_.settings;
  if (!has_head(at.node.result) && has_head(at.node.reads()[0])) return back_to_heads(at.node, d);
  const MatView<double> a = operand(at, 0), b = operand(at, 1), c = operand(at, 2);
  switch (at.node.operation) {
    case Operation::add:
      for (std::size_t k = 0; k < at.node.reads().size(); ++k) by_operand(at, k) += d;
      break;
    case Operation::linear:
      if (at.node.gated) d *= gate(at);
      linear::grad_X<double>(b, d, by_operand(at, 0));
      linear::grad_W<double>(a, d, by_operand(at, 1));
      if (c.size() > 0) linear::grad_b<double>(d, by_operand(at, 2));
      break;
    case Operation::norm:
      if (hears_all_heads(at.node, s)) return back_to_all(at, d);
      d *= norm_factor(at);
      norm::grad_X<double>(a, b, norm_kind(at), s.norm_epsilon, d, by_operand(at, 0), norm_parts_of(at.node, s));
      norm::grad_gain<double>(a, norm_kind(at), s.norm_epsilon, d, by_operand(at, 1), norm_parts_of(at.node, s));
      if (c.size() > 0) norm::grad_shift<double>(d, by_operand(at, 2));
      break;
    case Operation::rotate:
      rotate::grad_X<double>(d, rotate::rotation_of(s, a.cols()), input_.place(0), by_operand(at, 0));
      break;
    case Operation::activate:
      activate::grad_U<double>(a, b, s.activation, d, by_operand(at, 0));
      if (b.size() > 0) activate::grad_G<double>(a, s.activation, d, by_operand(at, 1));
      break;
    case Operation::scores:
      if (at.node.reads().size() > 2) scores::grad_biases<double>(d, 0, MatOut<double>(by_operand(at, 2).row(at.head)));
      scores::grad_cap<double>(value(at.node.result, at.head), input_.score_rule(at.head), 0, d);
      scores::grad_Q<double>(half_of(at, b), input_.score_factor(at.head), d, half_of(at, by_operand(at, 0)));
      scores::grad_K<double>(half_of(at, a), input_.score_factor(at.head), d, half_of(at, by_operand(at, 1)));
      break;
    case Operation::lambda:
      differ::grad_rows<double>(a, b, d(0, 0), by_operand(at, 0), by_operand(at, 1));
      differ::grad_rows<double>(c, operand(at, 3), -d(0, 0), by_operand(at, 2), by_operand(at, 3));
      break;
    case Operation::subtract:
      by_operand(at, 0) += d;
      differ::grad_second<double>(c(0, 0), d, by_operand(at, 1));
      by_operand(at, 2)(0, 0) += differ::grad_lambda<double>(b, d);
      break;
    case Operation::softmax: {
      const MatView<double> A = value(at.node.result, at.head);
      if (b.size() > 0) by_operand(at, 1)(0, at.head) += softmax::grad_sink<double>(A, d);
      softmax::grad<double>(A, d, d);
      by_operand(at, 0) += d;
      break;
    }
    case Operation::drop:
      dropout::forward<double>(d, input_.dropout_rule(at.head), input_.place(0), input_.place(0), d);
      by_operand(at, 0) += d;
      break;
    case Operation::talk:
      for (int h = 0; h < static_cast<int>(input_.heads); ++h) {
        talk::grad_X<double>(b(at.head, h), d, grads_.at({at.node.reads()[0], h}));
        by_operand(at, 1)(at.head, h) += talk::grad_P<double>(value(at.node.reads()[0], h), d);
      }
      break;
    case Operation::mix:
      mix::grad_A<double>(b, d, by_operand(at, 0));
      mix::grad_V<double>(a, d, by_operand(at, 1));
      break;
    case Operation::open:
      gate::grad_open<double>(a, b, value(at.node.result, at.head), d, by_operand(at, 0), by_operand(at, 1));
      break;
    case Operation::multiply: {
      const bool of_numbers = !has_column_of_head(at.node, at.node.reads()[1]);
      MatOut<double> by_gates = by_operand(at, 1);
      gate::grad_O<double>(of_numbers ? b : MatView<double>(b.middleCols(at.head, 1)), d, by_operand(at, 0));
      gate::grad_G<double>(a, d, of_numbers ? by_gates : MatOut<double>(by_gates.middleCols(at.head, 1)));
      break;
    }
    case Operation::outer:
    case Operation::weigh:
    case Operation::join:
    case Operation::mean:
    case Operation::lookup:
      assert(false);  // asked, of heads, or of no layer
      break;
  }
}

Array<double> in_double(const Array<float>& values) {
  return values ? share(Mat<double>(values->cast<double>())) : Array<double>();
}

namespace {

std::vector<PaintedRow<double>> in_double(const std::vector<PaintedRow<float>>& rows) {
  std::vector<PaintedRow<double>> doubles;
  for (const PaintedRow<float>& row : rows) doubles.push_back({row.row, in_double(row.values)});
  return doubles;
}

}  // namespace

LayerInput<double> in_double(const LayerInput<float>& input) {
  LayerInput<double> doubles;
  for (const Quantity p : kWeights) *field_of(doubles.weights, p) = in_double(*field_of(input.weights, p));
  doubles.weights.kv_of = input.weights.kv_of;
  doubles.heads = input.heads;
  doubles.mask = input.mask;
  doubles.settings = input.settings;
  doubles.own = input.own;
  for (const PaintedHead<float>& head : input.painted)
    doubles.painted.push_back({in_double(head.attention), in_double(head.values)});
  doubles.split = input.split;
  doubles.gates.assign(input.gates.begin(), input.gates.end());
  doubles.group_size = input.group_size;
  doubles.layer = input.layer;
  doubles.slice_factor = static_cast<double>(input.slice_factor);
  return doubles;
}

}  // namespace hydra
