#include "core/model/site.h"

#include <array>
#include <cassert>
#include <charconv>
#include <optional>

#include "core/error.h"
#include "core/files/printable.h"

namespace hydra {

namespace {

constexpr const char* kInput = "input";  // X of any layer

using Kind = QuantityRow::Kind;
using Scope = QuantityRow::Scope;
using Start = QuantityRow::Start;

// In the order of the enum.
constexpr std::array<QuantityRow, kQuantities> kQuantityRows{{
    {Quantity::embedding, "embedding", "E", "model:quantity.embedding", "", Kind::input, Scope::model, Axis::token,
     Axis::model_dim},
    {Quantity::positions, "positions", "P", "model:quantity.positions", "", Kind::input, Scope::model, Axis::token,
     Axis::model_dim},
    {Quantity::X, "X", "X", "model:quantity.x", "model:row.input", Kind::input, Scope::model, Axis::token,
     Axis::model_dim},
    {Quantity::W_Q, "W_Q", "W_Q", "model:quantity.w_q", "", Kind::weight, Scope::part, Axis::model_dim, Axis::head_dim},
    {Quantity::W_K, "W_K", "W_K", "model:quantity.w_k", "", Kind::weight, Scope::part, Axis::model_dim, Axis::head_dim,
     true},
    {Quantity::W_V, "W_V", "W_V", "model:quantity.w_v", "", Kind::weight, Scope::part, Axis::model_dim, Axis::head_dim,
     true},
    {Quantity::W_O, "W_O", "W_O", "model:quantity.w_o", "", Kind::weight, Scope::part, Axis::head_dim, Axis::model_dim},
    {Quantity::query_key, "query_key", "W_QK", "model:quantity.query_key", "", Kind::form, Scope::head, Axis::model_dim,
     Axis::model_dim},
    {Quantity::value_output, "value_output", "W_OV", "model:quantity.value_output", "", Kind::form, Scope::head,
     Axis::model_dim, Axis::model_dim},
    {Quantity::b_Q, "b_Q", "b_Q", "model:quantity.b_q", "", Kind::bias, Scope::part, Axis::one, Axis::head_dim, false,
     Start::absent},
    {Quantity::b_K, "b_K", "b_K", "model:quantity.b_k", "", Kind::bias, Scope::part, Axis::one, Axis::head_dim, true,
     Start::absent},
    {Quantity::b_V, "b_V", "b_V", "model:quantity.b_v", "", Kind::bias, Scope::part, Axis::one, Axis::head_dim, true,
     Start::absent},
    {Quantity::b_O, "b_O", "b_O", "model:quantity.b_o", "", Kind::bias, Scope::layer, Axis::one, Axis::model_dim, false,
     Start::absent},
    {Quantity::gain_Q, "gain_Q", "γ_Q", "model:quantity.gain_q", "", Kind::bias, Scope::part, Axis::one, Axis::head_dim,
     false, Start::ones},
    {Quantity::gain_K, "gain_K", "γ_K", "model:quantity.gain_k", "", Kind::bias, Scope::part, Axis::one, Axis::head_dim,
     true, Start::ones},
    {Quantity::sink, "sink", "s", "model:quantity.sink", "", Kind::bias, Scope::layer, Axis::one, Axis::heads, false,
     Start::zeros},
    {Quantity::W_G, "W_G", "W_G", "model:quantity.w_g", "", Kind::weight, Scope::part, Axis::model_dim, Axis::head_dim},
    {Quantity::w_G, "w_G", "w_G", "model:quantity.head_gate_weights", "", Kind::weight, Scope::layer, Axis::model_dim,
     Axis::heads},
    {Quantity::P_L, "P_L", "P_L", "model:quantity.p_l", "", Kind::weight, Scope::layer, Axis::heads, Axis::heads},
    {Quantity::P_W, "P_W", "P_W", "model:quantity.p_w", "", Kind::weight, Scope::layer, Axis::heads, Axis::heads},
    {Quantity::lambda_q1, "lambda_q1", "λ_q1", "model:quantity.lambda_q1", "", Kind::bias, Scope::layer, Axis::one,
     Axis::half_dim, false, Start::small},
    {Quantity::lambda_k1, "lambda_k1", "λ_k1", "model:quantity.lambda_k1", "", Kind::bias, Scope::layer, Axis::one,
     Axis::half_dim, false, Start::small},
    {Quantity::lambda_q2, "lambda_q2", "λ_q2", "model:quantity.lambda_q2", "", Kind::bias, Scope::layer, Axis::one,
     Axis::half_dim, false, Start::small},
    {Quantity::lambda_k2, "lambda_k2", "λ_k2", "model:quantity.lambda_k2", "", Kind::bias, Scope::layer, Axis::one,
     Axis::half_dim, false, Start::small},
    {Quantity::gain_O, "gain_O", "γ_O", "model:quantity.gain_o", "", Kind::bias, Scope::part, Axis::one, Axis::head_dim,
     false, Start::ones},
    {Quantity::gain_1, "gain_1", "γ₁", "model:quantity.gain_1", "", Kind::bias, Scope::layer, Axis::one,
     Axis::model_dim, false, Start::ones},
    {Quantity::shift_1, "shift_1", "β₁", "model:quantity.shift_1", "", Kind::bias, Scope::layer, Axis::one,
     Axis::model_dim, false, Start::zeros},
    {Quantity::gain_2, "gain_2", "γ₂", "model:quantity.gain_2", "", Kind::bias, Scope::layer, Axis::one,
     Axis::model_dim, false, Start::ones},
    {Quantity::shift_2, "shift_2", "β₂", "model:quantity.shift_2", "", Kind::bias, Scope::layer, Axis::one,
     Axis::model_dim, false, Start::zeros},
    {Quantity::W_1, "W_1", "W_1", "model:quantity.w_1", "", Kind::weight, Scope::layer, Axis::model_dim,
     Axis::hidden_dim},
    {Quantity::b_1, "b_1", "b_1", "model:quantity.b_1", "", Kind::bias, Scope::layer, Axis::one, Axis::hidden_dim,
     false, Start::absent},
    {Quantity::W_3, "W_3", "W_3", "model:quantity.w_3", "", Kind::weight, Scope::layer, Axis::model_dim,
     Axis::hidden_dim},
    {Quantity::W_2, "W_2", "W_2", "model:quantity.w_2", "", Kind::weight, Scope::layer, Axis::hidden_dim,
     Axis::model_dim},
    {Quantity::b_2, "b_2", "b_2", "model:quantity.b_2", "", Kind::bias, Scope::layer, Axis::one, Axis::model_dim, false,
     Start::absent},
    {Quantity::Q, "Q", "Q", "model:quantity.q", "model:row.query", Kind::computed, Scope::head, Axis::token,
     Axis::head_dim},
    {Quantity::K, "K", "K", "model:quantity.k", "model:row.key", Kind::computed, Scope::head, Axis::token,
     Axis::head_dim, true},
    {Quantity::V, "V", "V", "model:quantity.v", "model:row.value", Kind::computed, Scope::head, Axis::token,
     Axis::head_dim, true},
    {Quantity::normed_Q, "normed_Q", "Q°", "model:quantity.normed_q", "model:row.normed_query", Kind::computed,
     Scope::head, Axis::token, Axis::head_dim},
    {Quantity::normed_K, "normed_K", "K°", "model:quantity.normed_k", "model:row.normed_key", Kind::computed,
     Scope::head, Axis::token, Axis::head_dim, true},
    {Quantity::rotated_Q, "rotated_Q", "Q'", "model:quantity.rotated_q", "model:row.turned_query", Kind::computed,
     Scope::head, Axis::token, Axis::head_dim},
    {Quantity::rotated_K, "rotated_K", "K'", "model:quantity.rotated_k", "model:row.turned_key", Kind::computed,
     Scope::head, Axis::token, Axis::head_dim, true},
    {Quantity::lambda, "lambda", "λ", "model:quantity.lambda", "", Kind::computed, Scope::layer, Axis::one, Axis::one},
    {Quantity::own_scores, "own_scores", "S°", "model:quantity.own_scores", "", Kind::computed, Scope::head,
     Axis::token, Axis::token},
    {Quantity::scores, "scores", "S", "model:quantity.scores", "", Kind::computed, Scope::head, Axis::token,
     Axis::token},
    {Quantity::scores_2, "scores_2", "S'", "model:quantity.scores_2", "", Kind::computed, Scope::head, Axis::token,
     Axis::token},
    {Quantity::own_attention, "own_attention", "A°", "model:quantity.own_attention", "", Kind::computed, Scope::head,
     Axis::token, Axis::token},
    {Quantity::attention_2, "attention_2", "A'", "model:quantity.attention_2", "", Kind::computed, Scope::head,
     Axis::token, Axis::token},
    {Quantity::attention, "attention", "A", "model:quantity.attention", "", Kind::computed, Scope::head, Axis::token,
     Axis::token},
    {Quantity::output, "output", "O", "model:quantity.output", "model:row.output", Kind::computed, Scope::head,
     Axis::token, Axis::head_dim},
    {Quantity::normed_output, "normed_output", "O°", "model:quantity.normed_output", "model:row.normed_output",
     Kind::computed, Scope::head, Axis::token, Axis::head_dim},
    {Quantity::output_gate, "output_gate", "G", "model:quantity.output_gate", "model:row.gate", Kind::computed,
     Scope::head, Axis::token, Axis::head_dim},
    {Quantity::head_gates, "head_gates", "G", "model:quantity.head_gates", "model:row.gates", Kind::computed,
     Scope::layer, Axis::token, Axis::heads},
    {Quantity::gated_output, "gated_output", "O'", "model:quantity.gated_output", "model:row.gated_output",
     Kind::computed, Scope::head, Axis::token, Axis::head_dim},
    {Quantity::contribution, "contribution", "Z", "model:quantity.contribution", "model:row.contribution",
     Kind::computed, Scope::head, Axis::token, Axis::model_dim},
    {Quantity::value_weighted, "value_weighted", "N", "model:quantity.value_weighted", "", Kind::asked, Scope::head,
     Axis::token, Axis::token},
    {Quantity::mean_attention, "mean_attention", "Ā", "model:quantity.mean_attention", "", Kind::asked, Scope::layer,
     Axis::token, Axis::token},
    {Quantity::concat, "concat", "C", "model:quantity.concat", "", Kind::computed, Scope::layer, Axis::token,
     Axis::head_dim},
    {Quantity::Y, "output", "Y", "model:quantity.y", "model:row.output", Kind::computed, Scope::layer, Axis::token,
     Axis::model_dim},
    {Quantity::norm_1, "norm_1", "N₁", "model:quantity.norm_1", "model:row.normed_input", Kind::computed, Scope::layer,
     Axis::token, Axis::model_dim},
    {Quantity::sum_1, "sum_1", "T₁", "model:quantity.sum_1", "model:row.sum", Kind::computed, Scope::layer, Axis::token,
     Axis::model_dim},
    {Quantity::stream_1, "stream_1", "R₁", "model:quantity.stream_1", "model:row.stream", Kind::computed, Scope::layer,
     Axis::token, Axis::model_dim},
    {Quantity::norm_2, "norm_2", "N₂", "model:quantity.norm_2", "model:row.normed_stream", Kind::computed, Scope::layer,
     Axis::token, Axis::model_dim},
    {Quantity::inner, "inner", "U", "model:quantity.inner", "model:row.hidden_row", Kind::computed, Scope::layer,
     Axis::token, Axis::hidden_dim},
    {Quantity::inner_gate, "inner_gate", "G", "model:quantity.inner_gate", "model:row.hidden_row", Kind::computed,
     Scope::layer, Axis::token, Axis::hidden_dim},
    {Quantity::hidden, "hidden", "H", "model:quantity.hidden", "model:row.hidden_row", Kind::computed, Scope::layer,
     Axis::token, Axis::hidden_dim},
    {Quantity::feed_forward, "feed_forward", "F", "model:quantity.feed_forward", "model:row.output", Kind::computed,
     Scope::layer, Axis::token, Axis::model_dim},
    {Quantity::sum_2, "sum_2", "T₂", "model:quantity.sum_2", "model:row.sum", Kind::computed, Scope::layer, Axis::token,
     Axis::model_dim},
    {Quantity::stream, "stream", "R", "model:quantity.stream", "model:row.stream", Kind::computed, Scope::layer,
     Axis::token, Axis::model_dim},
    {Quantity::E, "E", "W_E", "model:quantity.e", "", Kind::weight, Scope::model, Axis::word, Axis::model_dim},
    {Quantity::P, "P", "W_P", "model:quantity.p", "", Kind::weight, Scope::model, Axis::place, Axis::model_dim},
    {Quantity::final_gain, "gain", "γ", "model:quantity.final_gain", "", Kind::bias, Scope::model, Axis::one,
     Axis::model_dim, false, Start::ones},
    {Quantity::final_shift, "shift", "β", "model:quantity.final_shift", "", Kind::bias, Scope::model, Axis::one,
     Axis::model_dim, false, Start::zeros},
    {Quantity::W_U, "W_U", "W_U", "model:quantity.w_u", "", Kind::weight, Scope::model, Axis::model_dim,
     Axis::next_word},
    {Quantity::b_U, "b_U", "b_U", "model:quantity.b_u", "", Kind::bias, Scope::model, Axis::one, Axis::next_word, false,
     Start::absent},
    {Quantity::final, "final", "N", "model:quantity.final", "model:row.final_stream", Kind::computed, Scope::model,
     Axis::token, Axis::model_dim},
    {Quantity::logits, "logits", "L", "model:quantity.logits", "model:row.logits", Kind::computed, Scope::model,
     Axis::token, Axis::next_word},
    {Quantity::probabilities, "probabilities", "p", "model:quantity.probabilities", "", Kind::computed, Scope::model,
     Axis::token, Axis::next_word},
}};

}  // namespace

const QuantityRow& entry_of(Quantity quantity) {
  const QuantityRow& row = kQuantityRows[static_cast<std::size_t>(quantity)];
  assert(row.quantity == quantity);
  return row;
}

bool has_head(Quantity quantity) { return entry_of(quantity).scope == Scope::head; }
bool may_have_head(Quantity quantity) { return has_head(quantity) || entry_of(quantity).scope == Scope::part; }
bool is_editable(const Site& site) {
  return is_parameter(site.quantity) || (site.quantity == Quantity::X && site.layer == 0);
}
bool is_weight(Quantity quantity) { return entry_of(quantity).kind == Kind::weight; }
bool is_bias(Quantity quantity) { return entry_of(quantity).kind == Kind::bias; }
bool is_projection_weight(Quantity quantity) {
  return quantity == Quantity::W_Q || quantity == Quantity::W_K || quantity == Quantity::W_V;
}
bool may_be_absent(Quantity quantity) { return is_bias(quantity) && entry_of(quantity).start == Start::absent; }
bool is_of_model(Quantity quantity) { return entry_of(quantity).scope == Scope::model && quantity != Quantity::X; }
bool is_form(Quantity quantity) { return entry_of(quantity).kind == Kind::form; }
bool is_asked(Quantity quantity) { return entry_of(quantity).kind == Kind::asked || is_form(quantity); }

// --- spelling

std::string spelled(const Site& site) {
  const QuantityRow& row = entry_of(site.quantity);
  if (row.scope == Scope::model && site.layer == 0) return row.key;
  std::string text = "layers." + std::to_string(site.layer) + ".";
  if (site.quantity == Quantity::X) return text + kInput;
  if (site.head != kNoHead) text += "heads." + std::to_string(site.head) + ".";
  return text + row.key;
}

std::string spelled(const Cell& cell) {
  const std::string col = std::to_string(cell.col) + "]";
  return spelled(cell.site) + "[" + (is_bias(cell.site.quantity) ? col : std::to_string(cell.row) + "," + col);
}

namespace {

// What is left of a text that is read from its beginning.
class Rest {
 public:
  explicit Rest(std::string_view text) : whole_(text), rest_(text) {}

  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  void expect(std::string_view word) {
    if (!take(word)) fail("\"" + std::string(word) + "\"");
  }
  Index number() {
    Index value = 0;
    const auto [end, fault] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (fault != std::errc() || value < 0 || value > 1'000'000'000) fail("a number from 0 up");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }
  std::string_view key() {
    const std::string_view key = rest_.substr(0, rest_.find_first_of(".[ "));
    rest_.remove_prefix(key.size());
    return key;
  }
  void end() {
    if (!rest_.empty()) fail("nothing more");
  }
  [[noreturn]] void fail(const std::string& expected) const {
    throw InputError("\"" + printable(whole_) + "\": there should be " + expected + " at \"" + printable(rest_) +
                     "\"; a place is written like layers.0.heads.3.attention[7,1] or X[2,5], counted from 0");
  }

 private:
  std::string_view whole_, rest_;
};

// What is called so of a head, of a layer or of the model.
std::optional<Quantity> find(std::string_view key, bool in_layer, bool in_head) {
  if (in_layer && !in_head && key == kInput) return Quantity::X;
  for (const QuantityRow& row : kQuantityRows) {
    const bool fits = in_head    ? row.scope == Scope::head || row.scope == Scope::part
                      : in_layer ? row.scope == Scope::layer || row.scope == Scope::part
                                 : row.scope == Scope::model;
    if (fits && key == row.key) return row.quantity;
  }
  return std::nullopt;
}

Site take_site(Rest& rest) {
  Site site;
  const bool in_layer = rest.take("layers.");
  if (in_layer) {
    site.layer = static_cast<int>(rest.number());
    rest.expect(".");
    if (rest.take("heads.")) {
      site.head = static_cast<int>(rest.number());
      rest.expect(".");
    }
  }
  const bool in_head = site.head != kNoHead;
  Rest at = rest;
  const auto quantity = find(rest.key(), in_layer, in_head);
  if (!quantity)
    at.fail(in_head ? "a head's matrix" : in_layer ? "a layer's matrix" : "layers. or X, or a matrix of the model");
  site.quantity = *quantity;
  return site;
}

}  // namespace

Site parse_site(std::string_view text) {
  Rest rest(text);
  const Site site = take_site(rest);
  rest.end();
  return site;
}

Cell parse_cell(std::string_view text) {
  Rest rest(text);
  Cell cell{take_site(rest)};
  rest.expect("[");
  cell.col = rest.number();
  if (!is_bias(cell.site.quantity)) {
    rest.expect(",");
    cell.row = cell.col;
    cell.col = rest.number();
  }
  rest.expect("]");
  rest.end();
  return cell;
}

}  // namespace hydra
