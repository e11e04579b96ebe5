#include "core/lanes/compile.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <set>

#include "core/ops/dropout.h"
#include "core/ops/rotate.h"
#include "core/weights/weights.h"

namespace hydra::lanes {

namespace {

constexpr Size kAligned = 16;  // numbers: the widest register
constexpr int kNothing = -1;

Size size(Index count) { return static_cast<Size>(count); }

}  // namespace

// Values are numbered while steps are written; places are given when all are known.
class Compiler {
  using Q = Quantity;

 public:
  explicit Compiler(Compiled& to) : to_(to), shape_(to.shape_) {}

  void compile() {
    place_parameters();
    int stream = embed();
    for (int k = 0; k < static_cast<int>(shape_.layers.size()); ++k) stream = layer(k, stream);
    loss(stream);
    if (!shape_.keeps) share_gradients();
    give_places();
    find_first();
    finish();
  }

 private:
  struct Draft {
    Step step;
    int a = kNothing, b = kNothing, c = kNothing, out = kNothing;
  };
  // heads: a pattern for each of so many, of rows x rows.
  struct SizeOf {
    Size rows, cols, heads;
    Size stride() const { return heads > 0 ? rows : cols | 1; }
    Size count() const { return heads > 0 ? heads * rows * rows : rows * stride(); }
  };

  Size n() const { return size(shape_.length); }
  Size width() const { return size(shape_.widths.d_model); }

  // --- parameters ----------------------------------------------------------------------------------------------------

  void place(const Site& site, Index rows, Index cols, bool learns = true, bool gates = false) {
    to_.parameters_.push_back({site, rows, cols, numbers_, learns, gates});
    numbers_ += (size(rows) * size(cols) + kAligned - 1) / kAligned * kAligned;
  }
  void place_parameters() {
    const ModelProgram& ends = program_of(shape_.settings, {true, shape_.places_learn});
    if (shape_.widths.places > 0 && !shape_.places_learn)
      place({Q::positions, 0}, shape_.widths.places, shape_.widths.d_model, false);
    for (const Quantity parameter : ends.parameters) {
      if (parameter == Q::b_U && !shape_.with_bias) continue;
      if (shape_.square && parameter != Q::E && parameter != Q::P) continue;  // nothing is read out
      Index cols = shape_.widths.cols(parameter);
      if (entry_of(parameter).cols == Axis::next_word) cols *= shape_.questions;
      place({parameter, 0}, shape_.widths.rows(parameter), cols,
            std::ranges::find(shape_.frozen, parameter) == shape_.frozen.end());
    }
    for (int k = 0; k < static_cast<int>(shape_.layers.size()); ++k) {
      const LayerShape& layer = shape_.layers[static_cast<std::size_t>(k)];
      for (const Quantity parameter : program_of(layer.settings).parameters)
        if (has(layer, parameter)) place({parameter, k}, layer.widths.rows(parameter), layer.widths.cols(parameter));
      if (shape_.gates) place({Q::X, k}, 1, layer.widths.heads, true, true);
    }
  }
  // Biases that a document leaves out are none.
  static bool has(const LayerShape& layer, Quantity parameter) {
    return std::ranges::find(layer.without, parameter) == layer.without.end();
  }
  Weight weight(Quantity parameter, int layer = 0, bool transposed = false) const {
    for (const ParameterPlace& p : to_.parameters_)
      if (!p.gate_logits && p.site == Site{parameter, layer})
        return transposed ? Weight{p.at, 1, size(p.cols), p.learns} : Weight{p.at, size(p.cols), 1, p.learns};
    return {};
  }
  Weight gate_logits(int layer) const {
    for (const ParameterPlace& p : to_.parameters_)
      if (p.gate_logits && p.site.layer == layer) return {p.at, size(p.cols), 1, true};
    return {};
  }

  // --- steps ---------------------------------------------------------------------------------------------------------

  int value(const SizeOf& of) {
    sizes_.push_back(of);
    return static_cast<int>(sizes_.size()) - 1;
  }
  int add(Draft draft, const SizeOf& of) {
    draft.out = value(of);
    drafts_.push_back(draft);
    return draft.out;
  }
  // Of a step's own, while it runs: nothing is derived by it.
  int scratch(Size cols) {
    const int made = value({n(), cols, 0});
    scratch_.insert(made);
    return made;
  }
  void name(Quantity quantity, int layer, int value) { names_.push_back({quantity, layer, value}); }

  int embed() {
    Draft draft;
    draft.step.op = Op::embed;
    draft.step.rows = n(), draft.step.cols = width();
    draft.step.weight = weight(Q::E);
    draft.step.bias = shape_.widths.places == 0 ? Weight{} : weight(shape_.places_learn ? Q::P : Q::positions);
    return add(draft, {n(), width(), 0});
  }

  int linear(int x, const Weight& weight, const Weight& bias, Size cols) {
    Draft draft;
    draft.step.op = Op::linear;
    draft.step.rows = n(), draft.step.depth = of(x).cols, draft.step.cols = cols;
    draft.step.weight = weight, draft.step.bias = bias;
    draft.a = x;
    return add(draft, {n(), cols, 0});
  }
  const SizeOf& of(int value) const { return sizes_[static_cast<std::size_t>(value)]; }

  // The part that a linear step has just made is added to what was there before it, as it is made.
  int sum(int so_far, int part) {
    for (Draft& draft : drafts_)
      if (draft.out == part && draft.step.op == Op::linear && draft.c == kNothing && is_made_before(so_far, draft)) {
        draft.c = so_far;
        return part;
      }
    Draft draft;
    draft.step.op = Op::add;
    draft.step.rows = n(), draft.step.cols = of(part).cols;
    draft.a = so_far, draft.b = part;
    return add(draft, of(part));
  }
  bool is_made_before(int value, const Draft& draft) const {
    for (const Draft& earlier : drafts_) {
      if (&earlier == &draft) return false;
      if (earlier.out == value) return true;
    }
    return false;
  }

  int norm(int x, const Weight& gain, const Weight& shift, NormKind kind, double epsilon, Size parts, double factor) {
    Draft draft;
    draft.step.op = Op::norm;
    draft.step.rows = n(), draft.step.cols = of(x).cols, draft.step.parts = parts;
    draft.step.weight = gain, draft.step.bias = shift;
    draft.step.kind = static_cast<int>(kind), draft.step.epsilon = epsilon, draft.step.factor = factor;
    draft.a = x;
    return add(draft, of(x));
  }

  // --- a layer -------------------------------------------------------------------------------------------------------

  struct Layer {
    const LayerShape& shape;
    int index;
    std::map<Quantity, int> made;
    const LayerSettings& s() const { return shape.settings; }
    Size heads() const { return size(shape.widths.heads); }
    Size d_k() const { return size(shape.widths.concat / shape.widths.heads); }
    Size group() const { return size(shape.key_groups().size); }
  };

  int layer(int k, int stream) {
    Layer layer{shape_.layers[static_cast<std::size_t>(k)], k, {{Q::X, stream}}};
    const LayerProgram& program = program_of(layer.s());
    name(Q::X, k, stream);
    for (const ProgramNode& node : program.nodes) {
      if (node.result == Q::X || node.result == Q::contribution || is_asked(node.result)) continue;
      const int made = node_of(layer, node);
      layer.made[node.result] = made;
      name(node.result, k, made);
    }
    return layer.made.at(program.leaves);
  }

  int node_of(Layer& layer, const ProgramNode& node) {
    const auto operand = [&](std::size_t k) { return layer.made.at(node.reads()[k]); };
    const auto row = [&](std::size_t k) {
      return k < node.reads().size() ? weight(node.reads()[k], layer.index) : Weight{};
    };
    switch (node.operation) {
      case Operation::linear: {
        const Quantity W = node.reads()[1];
        return linear(operand(0), weight(W, layer.index), row(2), size(layer.shape.widths.cols(W)));
      }
      case Operation::add:
        return node.result == Q::Y ? output(layer) : sum_of(layer, node);
      case Operation::norm:
        return norm_of(layer, node);
      case Operation::rotate:
        return rotate(layer, operand(0));
      case Operation::scores:
        return scores(layer, node);
      case Operation::softmax:
      case Operation::talk:
        return pattern_of(layer, node);
      case Operation::drop:
        return drop(layer, operand(0));
      case Operation::lambda:
        return lambda(layer);
      case Operation::subtract:
        return subtract(layer, node);
      case Operation::mix:
        return mix(layer, node);
      case Operation::open:
        return open(layer, node);
      case Operation::multiply: {
        if (of(operand(0)).heads > 0) return pair_of_patterns(layer, Op::multiply, operand(0), operand(1));
        Draft draft;
        draft.step.op = Op::multiply;
        draft.step.rows = n(), draft.step.cols = of(operand(0)).cols;
        draft.step.width = has_column_of_head(node, node.reads()[1]) ? layer.d_k() : 0;
        draft.a = operand(0), draft.b = operand(1);
        return add(draft, of(operand(0)));
      }
      case Operation::activate: {
        Draft draft;
        draft.step.op = Op::activate;
        draft.step.rows = n(), draft.step.cols = of(operand(0)).cols;
        draft.step.kind = static_cast<int>(layer.s().activation);
        draft.a = operand(0);
        if (node.reads().size() > 1) draft.b = operand(1);
        return add(draft, of(operand(0)));
      }
      case Operation::join:
        return join(layer, operand(0));
      case Operation::outer:
      case Operation::weigh:
      case Operation::mean:
      case Operation::lookup:
        break;  // asked, or of no layer
    }
    assert(false);
    return kNothing;
  }

  int output(Layer& layer) {
    return linear(layer.made.at(Q::concat), weight(Q::W_O, layer.index), weight(Q::b_O, layer.index), width());
  }
  int sum_of(Layer& layer, const ProgramNode& node) {
    int so_far = layer.made.at(node.reads()[0]);
    for (std::size_t k = 1; k < node.reads().size(); ++k) {
      const int part = layer.made.at(node.reads()[k]);
      so_far = of(part).heads > 0 ? pair_of_patterns(layer, Op::add, so_far, part) : sum(so_far, part);
    }
    return so_far;
  }
  int norm_of(Layer& layer, const ProgramNode& node) {
    const bool of_heads = has_head(node.result);
    const Size parts =
        of_heads && !hears_all_heads(node, layer.s()) ? of(layer.made.at(node.reads()[0])).cols / layer.d_k() : 1;
    return norm(layer.made.at(node.reads()[0]), weight(node.reads()[1], layer.index),
                node.reads().size() > 2 ? weight(node.reads()[2], layer.index) : Weight{},
                norm_kind_of(node, layer.s()), layer.s().norm_epsilon, parts * size(norm_parts_of(node, layer.s())),
                norm_factor_of(node, layer.s()));
  }
  int rotate(Layer& layer, int x) {
    const rotate::Rotation rotation = rotate::rotation_of(layer.s(), layer.d_k());
    Draft draft;
    draft.step.op = Op::rotate;
    draft.step.rows = n(), draft.step.cols = of(x).cols, draft.step.depth = size(rotation.width);
    draft.step.parts = of(x).cols / (rotation.part == 0 ? layer.d_k() : size(rotation.part));
    draft.step.kind = static_cast<int>(rotation.pairs);
    draft.step.constants = static_cast<Size>(to_.constants_.size());
    for (Index place = 0; place < shape_.length; ++place)
      for (Index pair = 0; pair < rotation.width / 2; ++pair) {
        const double angle =
            static_cast<double>(std::max<Index>(0, place - layer.shape.mask.first)) * rotate::frequency(rotation, pair);
        to_.constants_.insert(to_.constants_.end(),
                              {rotation.magnitude * std::cos(angle), rotation.magnitude * std::sin(angle)});
      }
    draft.a = x;
    return add(draft, of(x));
  }

  // What all steps of a layer's patterns have.
  Draft of_patterns(const Layer& layer, Op op) {
    Draft draft;
    draft.step.op = op;
    draft.step.rows = n();
    draft.step.heads = layer.heads(), draft.step.width = layer.d_k(), draft.step.group = layer.group();
    draft.step.sets = sets_of(layer.shape);
    set_mask(layer.shape, draft.step);
    draft.step.layer = layer.index;
    return draft;
  }
  // Where they stand among the plan's.
  Size constants(const std::vector<double>& values) {
    const auto first = static_cast<Size>(to_.constants_.size());
    to_.constants_.insert(to_.constants_.end(), values.begin(), values.end());
    return first;
  }
  const Size* sets_of(const LayerShape& shape) {
    if (shape.kv_of.empty()) return nullptr;
    std::vector<Size>& sets = to_.sets_.emplace_back();
    for (const Index set : shape.kv_of) sets.push_back(size(set));
    return sets.data();
  }
  SizeOf pattern(const Layer& layer) const { return {n(), n(), layer.heads()}; }
  // Written out where that says more than causal or not: a window, one drawn by hand, or heads that differ.
  void set_mask(const LayerShape& layer, Step& step) {
    const auto is_causal = [](const Mask& mask) { return mask.kind == Mask::Kind::causal; };
    const bool differ =
        std::ranges::any_of(layer.own_masks, [&](const Mask& mask) { return mask != layer.own_masks.front(); });
    const Mask& first = layer.mask_of(0);
    step.causal = differ ? std::ranges::all_of(layer.own_masks, is_causal) : is_causal(first);
    if (!differ && first.first == 0 && (first.kind == Mask::Kind::none || (is_causal(first) && first.window == 0)))
      return;
    if (differ) step.from_head_to_head = size(shape_.length * shape_.length);
    std::vector<unsigned char>& allowed = to_.masks_.emplace_back();
    for (Index h = 0; h < (differ ? layer.widths.heads : 1); ++h)
      for (Index i = 0; i < shape_.length; ++i)
        for (Index j = 0; j < shape_.length; ++j) allowed.push_back(layer.mask_of(h).allows(i, j) ? 1 : 0);
    step.allowed = allowed.data();
  }
  int scores(Layer& layer, const ProgramNode& node) {
    const Range cols = columns_of(node.half, layer.d_k());
    Draft draft = of_patterns(layer, Op::scores);
    draft.step.first = size(cols.first), draft.step.depth = size(cols.count());
    draft.step.factor = layer.shape.factor, draft.step.cap = layer.s().soft_cap;
    if (!layer.shape.slopes.empty()) draft.step.constants = constants(layer.shape.slopes);
    if (!layer.shape.own_factors.empty()) draft.step.factors = constants(layer.shape.own_factors);
    draft.a = layer.made.at(node.reads()[0]), draft.b = layer.made.at(node.reads()[1]);
    if (node.reads().size() > 2) {
      draft.step.weight = weight(node.reads()[2], layer.index);
      draft.step.reach = size(layer.s().offset_reach);
    }
    return add(draft, pattern(layer));
  }
  int pattern_of(Layer& layer, const ProgramNode& node) {
    Draft draft = of_patterns(layer, node.operation == Operation::talk ? Op::talk : Op::softmax);
    draft.a = layer.made.at(node.reads()[0]);
    draft.step.kind = static_cast<int>(layer.s().sink);
    if (node.reads().size() > 1) draft.step.weight = weight(node.reads()[1], layer.index);
    const int made = add(draft, pattern(layer));
    // Softmax needs its scores no more, and neither do those who made them, but for a cap.
    const auto reads_them = [&](const ProgramNode& other) {
      return std::ranges::count(other.reads(), node.reads()[0]);
    };
    const bool alone = std::ranges::count_if(program_of(layer.s()).heads, reads_them) == 1;
    if (draft.step.op == Op::softmax && layer.s().soft_cap == 0 && !shape_.keeps && alone)
      in_place_.push_back({draft.a, made});
    return made;
  }
  int pair_of_patterns(Layer& layer, Op op, int a, int b) {
    Draft draft = of_patterns(layer, op);
    draft.a = a, draft.b = b;
    return add(draft, pattern(layer));
  }
  int lambda(Layer& layer) {
    Draft draft;
    draft.step.op = Op::lambda;
    draft.step.rows = 1, draft.step.cols = 1, draft.step.depth = layer.d_k() / 2;
    draft.step.offset = layer.s().lambda_0;
    draft.step.weight = weight(Q::lambda_q1, layer.index), draft.step.bias = weight(Q::lambda_k1, layer.index);
    draft.step.more[0] = weight(Q::lambda_q2, layer.index), draft.step.more[1] = weight(Q::lambda_k2, layer.index);
    return add(draft, {1, 1, 0});
  }
  int subtract(Layer& layer, const ProgramNode& node) {
    Draft draft = of_patterns(layer, Op::subtract);
    draft.a = layer.made.at(node.reads()[0]), draft.b = layer.made.at(node.reads()[1]);
    draft.c = layer.made.at(node.reads()[2]);
    return add(draft, pattern(layer));
  }
  // Heads repel one another by what they attend to, before some of it is dropped.
  void repel(const Layer& layer, int patterns) {
    if (!shape_.alike) return;
    Draft draft = of_patterns(layer, Op::repel);
    draft.a = patterns;
    drafts_.push_back(draft);
  }
  int drop(Layer& layer, int patterns) {
    repel(layer, patterns);
    Draft draft = of_patterns(layer, Op::drop);
    draft.step.constants = static_cast<Size>(to_.constants_.size());
    for (Index h = 0; h < layer.shape.widths.heads; ++h)
      for (Index i = 0; i < shape_.length; ++i) {
        const dropout::Row row(dropout::rule_of(layer.s(), layer.index, h), i - layer.shape.mask.first);
        for (Index j = 0; j < shape_.length; ++j) to_.constants_.push_back(row.factor(j - layer.shape.mask.first));
      }
    draft.a = patterns;
    return add(draft, pattern(layer));
  }
  int mix(Layer& layer, const ProgramNode& node) {
    const bool dropped = layer.s().dropout > 0;
    if (!dropped) repel(layer, layer.made.at(node.reads()[0]));
    Draft draft = of_patterns(layer, Op::mix);
    draft.step.kind = dropped ? 1 : 0;
    draft.a = layer.made.at(node.reads()[0]), draft.b = layer.made.at(node.reads()[1]);
    return add(draft, {n(), size(layer.shape.widths.concat), 0});
  }
  int open(Layer& layer, const ProgramNode& node) {
    const Quantity W = node.reads()[1];
    const int x = linear(layer.made.at(node.reads()[0]), weight(W, layer.index), {}, size(layer.shape.widths.cols(W)));
    Draft draft;
    draft.step.op = Op::sigmoid;
    draft.step.rows = n(), draft.step.cols = of(x).cols;
    draft.a = x;
    return add(draft, of(x));
  }
  // The heads stand side by side already; what is done to them in training comes between them and W_O.
  int join(Layer& layer, int heads) {
    if (!shape_.controls) return heads;
    Draft draft = of_patterns(layer, Op::control);
    draft.step.cols = of(heads).cols;
    if (shape_.gates) draft.step.weight = gate_logits(layer.index);
    draft.a = heads;
    return add(draft, of(heads));
  }

  // --- the end -------------------------------------------------------------------------------------------------------

  void loss(int stream) {
    Draft draft;
    draft.step.rows = n();
    if (shape_.square) {
      draft.step.op = Op::square;
      draft.step.cols = width();
      draft.a = stream;
      drafts_.push_back(draft);
      return;
    }
    const ModelSettings& s = shape_.settings;
    int last = stream;
    if (s.final_norm)
      last = norm(stream, weight(Q::final_gain), weight(Q::final_shift), s.final_norm_kind, s.final_norm_epsilon, 1, 1);
    const Weight table = s.readout == ReadoutKind::tied ? weight(Q::E, 0, true) : weight(Q::W_U);
    const Size words = size(shape_.widths.next_words), questions = size(shape_.questions);
    draft.step.parts = questions;
    if (shape_.keeps) {
      draft.a = linear(last, table, weight(Q::b_U), words * questions);
      name(Q::logits, 0, draft.a);
      draft.step.op = Op::cross;
      draft.step.cols = words * questions;
    } else {
      draft.step.op = Op::read_out;
      draft.step.weight = table, draft.step.bias = weight(Q::b_U);
      draft.step.depth = width(), draft.step.cols = words;
      draft.a = last;
      draft.b = scratch(width()), draft.out = scratch(words);
    }
    drafts_.push_back(draft);
  }

  // --- places --------------------------------------------------------------------------------------------------------

  int root(int value) const {
    const auto found = gradient_of_.find(value);
    return found == gradient_of_.end() ? value : root(found->second);
  }
  // What is added to has the sum's gradient, and more besides from whoever read it before: one place for both, where
  // nobody reads it after the sum.
  void share_gradients() {
    for (std::size_t k = 0; k < drafts_.size(); ++k) {
      const Draft& draft = drafts_[k];
      const int added = draft.step.op == Op::add ? draft.a : draft.step.op == Op::linear ? draft.c : kNothing;
      if (added == kNothing || is_read_after(added, k)) continue;
      gradient_of_[root(added)] = root(draft.out);
    }
  }
  bool is_read_after(int value, std::size_t step) const {
    return std::any_of(drafts_.begin() + static_cast<std::ptrdiff_t>(step) + 1, drafts_.end(),
                       [&](const Draft& d) { return d.a == value || d.b == value || d.c == value; });
  }

  Size take(Size count) {
    const Size at = registers_;
    registers_ += count;
    return at;
  }
  void give_places() {
    values_.resize(sizes_.size());
    for (std::size_t k = 0; k < sizes_.size(); ++k) {
      const SizeOf& s = sizes_[k];
      values_[k].value = {take(s.count()), s.stride(), s.heads > 0 ? s.rows : s.cols};
    }
    for (const auto& [scores, softmax] : in_place_) at(softmax).value = at(scores).value;
    for (std::size_t k = 0; k < sizes_.size(); ++k)
      if (root(static_cast<int>(k)) == static_cast<int>(k) && !scratch_.contains(static_cast<int>(k)))
        values_[k].gradient = {take(sizes_[k].count()), values_[k].value.stride, values_[k].value.cols};
    for (std::size_t k = 0; k < sizes_.size(); ++k) values_[k].gradient = at(root(static_cast<int>(k))).gradient;
    for (const auto& [scores, softmax] : in_place_) at(softmax).gradient = at(scores).gradient;
    for (Draft& draft : drafts_) {
      const auto give = [&](int from, Value& to) {
        if (from != kNothing) to = at(from);
      };
      give(draft.a, draft.step.a), give(draft.b, draft.step.b), give(draft.c, draft.step.c);
      give(draft.out, draft.step.out);
    }
  }
  Value& at(int value) { return values_[static_cast<std::size_t>(value)]; }

  // Going back, who comes first to a gradient sets it.
  void find_first() {
    std::set<Size> there;
    for (std::size_t k = drafts_.size(); k-- > 0;) {
      Step& step = drafts_[k].step;
      const auto meet = [&](Value& value) {
        if (value.gradient.is()) value.sets = there.insert(value.gradient.at + step.first).second;
      };
      if (step.op == Op::repel) continue;        // adds to what the step after it has set
      meet(step.c), meet(step.b), meet(step.a);  // in the order in which steps write
    }
  }

  void finish() {
    for (const Draft& draft : drafts_) to_.steps_.push_back(draft.step);
    for (const auto& [quantity, layer, value] : names_) to_.made_.push_back({quantity, layer, at(value)});
    Plan& plan = to_.plan_;
    plan.steps = to_.steps_.data();
    plan.count = static_cast<Size>(to_.steps_.size());
    plan.registers = registers_;
    plan.parameters = numbers_;
    plan.length = n(), plan.slots = size(shape_.slots), plan.questions = size(shape_.questions);
    plan.relations = size(shape_.relations), plan.layers = static_cast<Size>(shape_.layers.size());
    for (const LayerShape& layer : shape_.layers) plan.heads = std::max(plan.heads, size(layer.widths.heads));
    plan.some_are_shorter = shape_.some_are_shorter;
  }

  struct Named {
    Quantity quantity;
    int layer, value;
  };
  Compiled& to_;
  const Shape& shape_;
  std::vector<Draft> drafts_;
  std::vector<SizeOf> sizes_;
  std::vector<Value> values_;
  std::vector<Named> names_;
  std::vector<std::pair<int, int>> in_place_;
  std::map<int, int> gradient_of_;
  std::set<int> scratch_;
  Size numbers_ = 0, registers_ = 0;
};

Compiled::Compiled(Shape shape) : shape_(std::move(shape)) { Compiler(*this).compile(); }

const ParameterPlace* Compiled::find(const Site& site) const {
  for (const ParameterPlace& p : parameters_)
    if (!p.gate_logits && p.site == site) return &p;
  return nullptr;
}

Value Compiled::value_of(Quantity quantity, int layer) const {
  for (const Made& made : made_)
    if (made.quantity == quantity && made.layer == layer) return made.value;
  return {};
}

}  // namespace hydra::lanes
