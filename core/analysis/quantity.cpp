#include "core/analysis/quantity.h"

#include <array>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <utility>

namespace hydra {

namespace {

enum class Kind { input, weight, form, bias, of_head, of_layer };

struct Entry {
  Quantity quantity;
  Kind kind;
  const char* letter;
  const char* phrase;  // "... of head 3" is appended when a head is given
};

// In the order of the enum.
constexpr std::array<Entry, 24> kEntries{{
    {Quantity::embedding, Kind::input, "E", "word embeddings"},
    {Quantity::positions, Kind::input, "P", "position encodings"},
    {Quantity::X, Kind::input, "X", "input embeddings"},
    {Quantity::W_Q, Kind::weight, "W_Q", "query weights"},
    {Quantity::W_K, Kind::weight, "W_K", "key weights"},
    {Quantity::W_V, Kind::weight, "W_V", "value weights"},
    {Quantity::W_O, Kind::weight, "W_O", "output projection"},
    {Quantity::query_key, Kind::form, "W_QK", "what asks for what"},
    {Quantity::value_output, Kind::form, "W_OV", "what is written where"},
    {Quantity::b_Q, Kind::bias, "b_Q", "query bias"},
    {Quantity::b_K, Kind::bias, "b_K", "key bias"},
    {Quantity::b_V, Kind::bias, "b_V", "value bias"},
    {Quantity::b_O, Kind::bias, "b_O", "output bias"},
    {Quantity::Q, Kind::of_head, "Q", "queries"},
    {Quantity::K, Kind::of_head, "K", "keys"},
    {Quantity::V, Kind::of_head, "V", "values"},
    {Quantity::scores, Kind::of_head, "S", "scores"},
    {Quantity::attention, Kind::of_head, "A", "attention"},
    {Quantity::output, Kind::of_head, "O", "output"},
    {Quantity::contribution, Kind::of_head, "Z", "contribution to the output"},
    {Quantity::value_weighted, Kind::of_head, "N", "attention times norm of the value carried"},
    {Quantity::mean_attention, Kind::of_layer, "Ā", "mean attention of the heads"},
    {Quantity::concat, Kind::of_layer, "C", "outputs of the heads side by side"},
    {Quantity::Y, Kind::of_layer, "Y", "output of the layer"},
}};

const Entry& entry(Quantity quantity) {
  const Entry& found = kEntries[static_cast<std::size_t>(quantity)];
  assert(found.quantity == quantity);
  return found;
}

const LayerTrace<float>& layer_of(const Trace& trace, const MatrixRef& ref) {
  return trace.layers[static_cast<std::size_t>(ref.layer)];
}

const HeadTrace<float>& head_of(const Trace& trace, const MatrixRef& ref) {
  return layer_of(trace, ref).heads[static_cast<std::size_t>(ref.head)];
}

const MatPtr<float>& weight_matrix(const AttentionWeights<float>& weights, Quantity quantity) {
  switch (quantity) {
    case Quantity::W_Q:
      return weights.W_Q;
    case Quantity::W_K:
      return weights.W_K;
    case Quantity::W_V:
      return weights.W_V;
    default:
      assert(quantity == Quantity::W_O);
      return weights.W_O;
  }
}

const RowVecPtr<float>& bias_vector(const AttentionWeights<float>& weights, Quantity quantity) {
  switch (quantity) {
    case Quantity::b_Q:
      return weights.b_Q;
    case Quantity::b_K:
      return weights.b_K;
    case Quantity::b_V:
      return weights.b_V;
    default:
      assert(quantity == Quantity::b_O);
      return weights.b_O;
  }
}

// A matrix of the trace that is one object: not a weight, a bias or a derived pattern.
const MatPtr<float>& whole_matrix(const Trace& trace, const MatrixRef& ref) {
  switch (ref.quantity) {
    case Quantity::embedding:
      return trace.embedding;
    case Quantity::positions:
      return trace.positions;
    case Quantity::X:
      return trace.X;
    case Quantity::Q:
      return head_of(trace, ref).Q;
    case Quantity::K:
      return head_of(trace, ref).K;
    case Quantity::V:
      return head_of(trace, ref).V;
    case Quantity::scores:
      return head_of(trace, ref).scores;
    case Quantity::attention:
      return head_of(trace, ref).attention;
    case Quantity::output:
      return head_of(trace, ref).output;
    case Quantity::contribution:
      return head_of(trace, ref).contribution;
    case Quantity::concat:
      return layer_of(trace, ref).concat;
    default:
      assert(ref.quantity == Quantity::Y);
      return layer_of(trace, ref).output;
  }
}

bool is_derived(Quantity quantity) {
  return quantity == Quantity::value_weighted || quantity == Quantity::mean_attention || is_form(quantity);
}

// An entry of W_Q^i W_K^iT or W_V^i W_O^i.
float form_value(const Trace& trace, const CellRef& cell) {
  const bool asks = cell.matrix.quantity == Quantity::query_key;
  const MatrixRef left{asks ? Quantity::W_Q : Quantity::W_V, cell.matrix.layer, cell.matrix.head};
  const MatrixRef right{asks ? Quantity::W_K : Quantity::W_O, cell.matrix.layer, cell.matrix.head};
  const auto l = values_of(trace, left).row(cell.row).cast<double>();
  const MatView<float> r = values_of(trace, right);
  return static_cast<float>(asks ? l.dot(r.row(cell.col).cast<double>())
                                 : l.dot(r.col(cell.col).transpose().cast<double>()));
}

float derived_value(const Trace& trace, const CellRef& cell) {
  if (is_form(cell.matrix.quantity)) return form_value(trace, cell);
  const LayerTrace<float>& layer = layer_of(trace, cell.matrix);
  if (cell.matrix.quantity == Quantity::mean_attention) {
    double sum = 0;
    for (const HeadTrace<float>& head : layer.heads) sum += static_cast<double>((*head.attention)(cell.row, cell.col));
    return static_cast<float>(sum / static_cast<double>(layer.heads.size()));
  }
  const HeadTrace<float>& head = head_of(trace, cell.matrix);
  const MatView<float> W_O = values_of(trace, {Quantity::W_O, cell.matrix.layer, cell.matrix.head});
  double squared_norm = 0;
  for (Index c = 0; c < W_O.cols(); ++c) {
    double carried = 0;
    for (Index k = 0; k < W_O.rows(); ++k)
      carried += static_cast<double>((*head.V)(cell.col, k)) * static_cast<double>(W_O(k, c));
    squared_norm += carried * carried;
  }
  return static_cast<float>(static_cast<double>((*head.attention)(cell.row, cell.col)) * std::sqrt(squared_norm));
}

std::string digits(Index number, const std::array<const char*, 10>& glyphs) {
  std::string text;
  for (const char c : std::to_string(number)) text += glyphs[static_cast<std::size_t>(c - '0')];
  return text;
}

std::string score_formula(const LayerInput<float>& input, const std::string& i) {
  std::string text = "S" + i + " = Q" + i + " K" + i + "ᵀ";
  const std::string root = "√" + std::to_string(input.d_k());
  char temperature[32];
  std::snprintf(temperature, sizeof temperature, "%g", static_cast<double>(input.temperature));
  if (input.scale && input.temperature != 1)
    text += " / (" + root + " · " + temperature + ")";
  else if (input.scale)
    text += " / " + root;
  else if (input.temperature != 1)
    text += std::string(" / ") + temperature;
  if (input.mask.kind != Mask::Kind::none) text += " + M";
  return text;
}

}  // namespace

bool is_form(Quantity quantity) { return entry(quantity).kind == Kind::form; }
bool has_head(Quantity quantity) { return entry(quantity).kind == Kind::of_head || is_form(quantity); }
bool is_weight(Quantity quantity) { return entry(quantity).kind == Kind::weight; }
bool is_bias(Quantity quantity) { return entry(quantity).kind == Kind::bias; }

bool may_have_head(Quantity quantity) {
  return has_head(quantity) || is_weight(quantity) || (is_bias(quantity) && quantity != Quantity::b_O);
}

bool is_editable(Quantity quantity) { return quantity == Quantity::X || is_weight(quantity) || is_bias(quantity); }

bool exists(const Trace& trace, const MatrixRef& ref) {
  if (ref.layer < 0 || ref.layer >= static_cast<int>(trace.layers.size())) return false;
  const LayerInput<float>& input = layer_of(trace, ref).input;
  const bool head_in_range = ref.head >= 0 && ref.head < input.heads;
  if (has_head(ref.quantity) && !head_in_range) return false;
  if (ref.head != kNoHead && !(may_have_head(ref.quantity) && head_in_range)) return false;
  if (ref.quantity == Quantity::positions && !trace.positions) return false;
  if (entry(ref.quantity).kind == Kind::input && ref.layer != 0) return false;
  return !is_bias(ref.quantity) || bias_vector(input.weights, ref.quantity) != nullptr;
}

Shape shape_of(const Trace& trace, const MatrixRef& ref) {
  const LayerInput<float>& input = layer_of(trace, ref).input;
  const Index n = input.n(), d_model = input.d_model(), d_k = input.d_k();
  const bool part = ref.head != kNoHead;
  switch (ref.quantity) {
    case Quantity::W_Q:
    case Quantity::W_K:
    case Quantity::W_V:
      return {d_model, part ? d_k : d_model, Axis::model_dim, part ? Axis::head_dim : Axis::model_dim};
    case Quantity::W_O:
      return {part ? d_k : d_model, d_model, part ? Axis::head_dim : Axis::model_dim, Axis::model_dim};
    case Quantity::query_key:
    case Quantity::value_output:
      return {d_model, d_model, Axis::model_dim, Axis::model_dim};
    case Quantity::b_Q:
    case Quantity::b_K:
    case Quantity::b_V:
    case Quantity::b_O:
      return {1, part ? d_k : d_model, Axis::one, part ? Axis::head_dim : Axis::model_dim};
    case Quantity::Q:
    case Quantity::K:
    case Quantity::V:
    case Quantity::output:
      return {n, d_k, Axis::token, Axis::head_dim};
    case Quantity::scores:
    case Quantity::attention:
    case Quantity::value_weighted:
    case Quantity::mean_attention:
      return {n, n, Axis::token, Axis::token};
    case Quantity::embedding:
    case Quantity::positions:
    case Quantity::X:
    case Quantity::contribution:
    case Quantity::concat:
    case Quantity::Y:
      return {n, d_model, Axis::token, Axis::model_dim};
  }
  assert(false);
  return {};
}

Backing backing_of(const Trace& trace, const MatrixRef& ref) {
  const Shape shape = shape_of(trace, ref);
  if (is_derived(ref.quantity) || is_bias(ref.quantity)) return {nullptr, 0, 0, shape.rows, shape.cols};
  if (!is_weight(ref.quantity)) return {whole_matrix(trace, ref), 0, 0, shape.rows, shape.cols};
  const LayerInput<float>& input = layer_of(trace, ref).input;
  const Index first = ref.head == kNoHead ? 0 : ref.head * input.d_k();
  const bool by_rows = ref.quantity == Quantity::W_O;
  return {weight_matrix(input.weights, ref.quantity), by_rows ? first : 0, by_rows ? 0 : first, shape.rows, shape.cols};
}

MatView<float> values_of(const Trace& trace, const MatrixRef& ref) {
  assert(!is_derived(ref.quantity));
  if (is_bias(ref.quantity)) {
    const LayerInput<float>& input = layer_of(trace, ref).input;
    const Index first = ref.head == kNoHead ? 0 : ref.head * input.d_k();
    const Index count = ref.head == kNoHead ? input.d_model() : input.d_k();
    using Row = Eigen::Map<const Mat<float>, 0, Eigen::OuterStride<>>;
    return Row(bias_vector(input.weights, ref.quantity)->data() + first, 1, count, Eigen::OuterStride<>(count));
  }
  const Backing backing = backing_of(trace, ref);
  return backing.matrix->block(backing.row0, backing.col0, backing.rows, backing.cols);
}

float value_at(const Trace& trace, const CellRef& cell) {
  if (is_derived(cell.matrix.quantity)) return derived_value(trace, cell);
  return values_of(trace, cell.matrix)(cell.row, cell.col);
}

std::string superscript(Index number) { return digits(number, {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"}); }

std::string subscript(Index number) { return digits(number, {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"}); }

std::string symbol(const MatrixRef& ref, bool ascii) {
  std::string text = entry(ref.quantity).letter;
  const bool low = has_head(ref.quantity) && !is_form(ref.quantity);
  if (ref.head != kNoHead) text += low ? subscript(ref.head + 1) : superscript(ref.head + 1);
  return ascii ? ascii_spelling(text) : text;
}

std::string description(const MatrixRef& ref) {
  const std::string phrase = entry(ref.quantity).phrase;
  if (ref.head == kNoHead) return is_weight(ref.quantity) ? phrase + " of all heads" : phrase;
  if (ref.quantity == Quantity::contribution)
    return "contribution of head " + std::to_string(ref.head + 1) + " to the output";
  if (is_form(ref.quantity)) return phrase + " in head " + std::to_string(ref.head + 1);
  return phrase + " of head " + std::to_string(ref.head + 1);
}

std::string axis_label(const Trace& trace, Axis axis, Index place) {
  if (axis == Axis::token) return trace.tokens[static_cast<std::size_t>(place)];
  if (axis == Axis::model_dim && trace.layout) return column_name(*trace.layout, place);
  return std::to_string(place);
}

namespace {

// Whether an axis of d_model numbers runs along the columns of X: the other one of combined weights, and C's, runs
// along the heads' dimensions.
bool is_named(const Trace& trace, const MatrixRef& ref, bool rows) {
  if (!trace.layout) return false;
  switch (ref.quantity) {
    case Quantity::W_Q:
    case Quantity::W_K:
    case Quantity::W_V:
      return rows;
    case Quantity::W_O:
      return !rows;
    case Quantity::concat:
      return false;
    case Quantity::b_Q:
    case Quantity::b_K:
    case Quantity::b_V:
      return false;
    default:
      return true;
  }
}

}  // namespace

Axis named_axis(const Trace& trace, const MatrixRef& ref, bool rows) {
  const Shape shape = shape_of(trace, ref);
  const Axis axis = rows ? shape.row_axis : shape.col_axis;
  return axis == Axis::model_dim && !is_named(trace, ref, rows) ? Axis::head_dim : axis;
}

std::string cell_label(const Trace& trace, const CellRef& cell) {
  const Shape shape = shape_of(trace, cell.matrix);
  if (shape.row_axis == Axis::token && shape.col_axis == Axis::token)
    return trace.tokens[static_cast<std::size_t>(cell.row)] + " → " + trace.tokens[static_cast<std::size_t>(cell.col)];
  const std::string col = axis_label(trace, named_axis(trace, cell.matrix, false), cell.col);
  if (shape.row_axis == Axis::one) return "[" + col + "]";
  const Axis rows = named_axis(trace, cell.matrix, true);
  return "[" + (rows == Axis::token ? std::to_string(cell.row) : axis_label(trace, rows, cell.row)) + ", " + col + "]";
}

std::string cell_title(const Trace& trace, const CellRef& cell) {
  const Shape shape = shape_of(trace, cell.matrix);
  const bool pattern = shape.row_axis == Axis::token && shape.col_axis == Axis::token;
  const std::string label = cell_label(trace, cell);
  return symbol(cell.matrix) + (pattern ? "[" + label + "]" : label);
}

std::string formula(const Trace& trace, const MatrixRef& ref) {
  const LayerInput<float>& input = layer_of(trace, ref).input;
  const std::string i = subscript(ref.head + 1), I = superscript(ref.head + 1), h = std::to_string(input.heads);
  const std::string last = subscript(input.heads);
  const auto between = [&](const std::string& letter) {
    if (input.heads == 1) return letter + "₁";
    return letter + "₁ " + (input.heads > 2 ? "… " : "") + letter + last;
  };
  const auto projection = [&](const std::string& letter, const RowVecPtr<float>& bias) {
    return letter + i + " = X W_" + letter + I + (bias ? " + b_" + letter + I : "");
  };
  const auto slice = [&](const std::string& what) {
    const Index first = ref.head * input.d_k();
    return symbol(ref) + " = " + what + " " + std::to_string(first) + "–" + std::to_string(first + input.d_k() - 1) +
           " of " + symbol({ref.quantity, ref.layer, kNoHead});
  };
  switch (ref.quantity) {
    case Quantity::embedding:
      return trace.layout ? "E = features of the word, then its identity" : "E = one vector per word";
    case Quantity::query_key:
      return symbol(ref) + " = W_Q" + I + " W_K" + I + "ᵀ";
    case Quantity::value_output:
      return symbol(ref) + " = W_V" + I + " W_O" + I;
    case Quantity::positions:
      if (trace.layout) return "P = sin(w i), cos(w i): a pair of columns per wave";
      return "P[i, 2k] = sin(i / 10000^(2k/d)), P[i, 2k+1] = cos(…)";
    case Quantity::X:
      return trace.positions ? "X = E + P" : "X = E";
    case Quantity::W_Q:
    case Quantity::W_K:
    case Quantity::W_V:
      return ref.head == kNoHead ? symbol(ref) + " = a weight matrix" : slice("columns");
    case Quantity::W_O:
      return ref.head == kNoHead ? "W_O = a weight matrix" : slice("rows");
    case Quantity::b_Q:
    case Quantity::b_K:
    case Quantity::b_V:
    case Quantity::b_O:
      return ref.head == kNoHead ? symbol(ref) + " = a bias vector" : slice("entries");
    case Quantity::Q:
      return projection("Q", input.weights.b_Q);
    case Quantity::K:
      return projection("K", input.weights.b_K);
    case Quantity::V:
      return projection("V", input.weights.b_V);
    case Quantity::scores:
      return score_formula(input, i);
    case Quantity::attention:
      return "A" + i + " = softmax(S" + i + ")";
    case Quantity::output:
      return "O" + i + " = A" + i + " V" + i;
    case Quantity::contribution:
      return "Z" + i + " = O" + i + " W_O" + I;
    case Quantity::value_weighted:
      return "N" + i + "[i, j] = A" + i + "[i, j] ‖V" + i + "[j] W_O" + I + "‖";
    case Quantity::mean_attention:
      return "Ā = mean of " + between("A");
    case Quantity::concat:
      return "C = [" + between("O") + "]";
    case Quantity::Y:
      return std::string("Y = C W_O") + (input.weights.b_O ? " + b_O" : "");
  }
  assert(false);
  return {};
}

std::string ascii_spelling(std::string_view text) {
  struct Spelling {
    std::string_view glyph;
    char mark;  // '^' or '_': written once before a run of the same kind; 0 for none
    const char* ascii;
  };
  static constexpr std::array kSpellings{
      Spelling{"⁰", '^', "0"}, Spelling{"¹", '^', "1"},   Spelling{"²", '^', "2"},    Spelling{"³", '^', "3"},
      Spelling{"⁴", '^', "4"}, Spelling{"⁵", '^', "5"},   Spelling{"⁶", '^', "6"},    Spelling{"⁷", '^', "7"},
      Spelling{"⁸", '^', "8"}, Spelling{"⁹", '^', "9"},   Spelling{"ᵀ", '^', "T"},    Spelling{"₀", '_', "0"},
      Spelling{"₁", '_', "1"}, Spelling{"₂", '_', "2"},   Spelling{"₃", '_', "3"},    Spelling{"₄", '_', "4"},
      Spelling{"₅", '_', "5"}, Spelling{"₆", '_', "6"},   Spelling{"₇", '_', "7"},    Spelling{"₈", '_', "8"},
      Spelling{"₉", '_', "9"}, Spelling{"ᵢ", '_', "i"},   Spelling{"ₖ", '_', "k"},    Spelling{"ⱼ", '_', "j"},
      Spelling{"ₙ", '_', "n"}, Spelling{"√", 0, "sqrt "}, Spelling{"Σ", 0, "sum"},    Spelling{"·", 0, "*"},
      Spelling{"→", 0, "->"},  Spelling{"−", 0, "-"},     Spelling{"–", 0, "-"},      Spelling{"…", 0, ".."},
      Spelling{"×", 0, "x"},   Spelling{"‖", 0, "||"},    Spelling{"Ā", 0, "mean A"}, Spelling{"∞", 0, "inf"},
      Spelling{"“", 0, "\""},  Spelling{"”", 0, "\""}};
  std::string out;
  char run = 0;
  while (!text.empty()) {
    const Spelling* found = nullptr;
    for (const Spelling& s : kSpellings)
      if (text.substr(0, s.glyph.size()) == s.glyph) found = &s;
    if (found && found->mark != 0 && found->mark != run) out += found->mark;
    run = found ? found->mark : 0;
    if (found)
      out += found->ascii;
    else
      out += text.front();
    text.remove_prefix(found ? found->glyph.size() : 1);
  }
  return out;
}

std::optional<CellRef> editable_cell(const Trace& trace, const CellRef& cell) {
  if (!is_editable(cell.matrix.quantity)) return std::nullopt;
  if (cell.matrix.head == kNoHead) return cell;
  const Index first = cell.matrix.head * layer_of(trace, cell.matrix).input.d_k();
  CellRef combined = cell;
  combined.matrix.head = kNoHead;
  (cell.matrix.quantity == Quantity::W_O ? combined.row : combined.col) += first;
  return combined;
}

}  // namespace hydra
