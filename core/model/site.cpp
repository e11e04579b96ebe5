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
    {Quantity::embedding, "embedding", "E", "word embeddings", "", Kind::input, Scope::model, Axis::token,
     Axis::model_dim},
    {Quantity::positions, "positions", "P", "position encodings", "", Kind::input, Scope::model, Axis::token,
     Axis::model_dim},
    {Quantity::X, "X", "X", "input embeddings", "input", Kind::input, Scope::model, Axis::token, Axis::model_dim},
    {Quantity::W_Q, "W_Q", "W_Q", "query weights", "", Kind::weight, Scope::part, Axis::model_dim, Axis::head_dim},
    {Quantity::W_K, "W_K", "W_K", "key weights", "", Kind::weight, Scope::part, Axis::model_dim, Axis::head_dim, true},
    {Quantity::W_V, "W_V", "W_V", "value weights", "", Kind::weight, Scope::part, Axis::model_dim, Axis::head_dim,
     true},
    {Quantity::W_O, "W_O", "W_O", "output projection", "", Kind::weight, Scope::part, Axis::head_dim, Axis::model_dim},
    {Quantity::query_key, "query_key", "W_QK", "what asks for what", "", Kind::form, Scope::head, Axis::model_dim,
     Axis::model_dim},
    {Quantity::value_output, "value_output", "W_OV", "what is written where", "", Kind::form, Scope::head,
     Axis::model_dim, Axis::model_dim},
    {Quantity::b_Q, "b_Q", "b_Q", "query bias", "", Kind::bias, Scope::part, Axis::one, Axis::head_dim, false,
     Start::absent},
    {Quantity::b_K, "b_K", "b_K", "key bias", "", Kind::bias, Scope::part, Axis::one, Axis::head_dim, true,
     Start::absent},
    {Quantity::b_V, "b_V", "b_V", "value bias", "", Kind::bias, Scope::part, Axis::one, Axis::head_dim, true,
     Start::absent},
    {Quantity::b_O, "b_O", "b_O", "output bias", "", Kind::bias, Scope::layer, Axis::one, Axis::model_dim, false,
     Start::absent},
    {Quantity::gain_Q, "gain_Q", "γ_Q", "gain of the queries' norm", "", Kind::bias, Scope::part, Axis::one,
     Axis::head_dim, false, Start::ones},
    {Quantity::gain_K, "gain_K", "γ_K", "gain of the keys' norm", "", Kind::bias, Scope::part, Axis::one,
     Axis::head_dim, true, Start::ones},
    {Quantity::sink, "sink", "s", "scores of the sinks", "", Kind::bias, Scope::layer, Axis::one, Axis::heads, false,
     Start::zeros},
    {Quantity::W_G, "W_G", "W_G", "weights of the output gates", "", Kind::weight, Scope::part, Axis::model_dim,
     Axis::head_dim},
    {Quantity::w_G, "w_G", "w_G", "weights of the heads' gates", "", Kind::weight, Scope::layer, Axis::model_dim,
     Axis::heads},
    {Quantity::P_L, "P_L", "P_L", "what heads take of each other's scores", "", Kind::weight, Scope::layer, Axis::heads,
     Axis::heads},
    {Quantity::P_W, "P_W", "P_W", "what heads take of each other's weights", "", Kind::weight, Scope::layer,
     Axis::heads, Axis::heads},
    {Quantity::lambda_q1, "lambda_q1", "λ_q1", "first row that λ is made of", "", Kind::bias, Scope::layer, Axis::one,
     Axis::half_dim, false, Start::small},
    {Quantity::lambda_k1, "lambda_k1", "λ_k1", "row that meets the first", "", Kind::bias, Scope::layer, Axis::one,
     Axis::half_dim, false, Start::small},
    {Quantity::lambda_q2, "lambda_q2", "λ_q2", "second row that λ is made of", "", Kind::bias, Scope::layer, Axis::one,
     Axis::half_dim, false, Start::small},
    {Quantity::lambda_k2, "lambda_k2", "λ_k2", "row that meets the second", "", Kind::bias, Scope::layer, Axis::one,
     Axis::half_dim, false, Start::small},
    {Quantity::gain_O, "gain_O", "γ_O", "gain of the outputs' norm", "", Kind::bias, Scope::part, Axis::one,
     Axis::head_dim, false, Start::ones},
    {Quantity::gain_1, "gain_1", "γ₁", "gain of the first norm", "", Kind::bias, Scope::layer, Axis::one,
     Axis::model_dim, false, Start::ones},
    {Quantity::shift_1, "shift_1", "β₁", "shift of the first norm", "", Kind::bias, Scope::layer, Axis::one,
     Axis::model_dim, false, Start::zeros},
    {Quantity::gain_2, "gain_2", "γ₂", "gain of the second norm", "", Kind::bias, Scope::layer, Axis::one,
     Axis::model_dim, false, Start::ones},
    {Quantity::shift_2, "shift_2", "β₂", "shift of the second norm", "", Kind::bias, Scope::layer, Axis::one,
     Axis::model_dim, false, Start::zeros},
    {Quantity::W_1, "W_1", "W_1", "weights into the hidden numbers", "", Kind::weight, Scope::layer, Axis::model_dim,
     Axis::hidden_dim},
    {Quantity::b_1, "b_1", "b_1", "bias of the hidden numbers", "", Kind::bias, Scope::layer, Axis::one,
     Axis::hidden_dim, false, Start::absent},
    {Quantity::W_3, "W_3", "W_3", "weights of what the hidden numbers are multiplied by", "", Kind::weight,
     Scope::layer, Axis::model_dim, Axis::hidden_dim},
    {Quantity::W_2, "W_2", "W_2", "weights out of the hidden numbers", "", Kind::weight, Scope::layer, Axis::hidden_dim,
     Axis::model_dim},
    {Quantity::b_2, "b_2", "b_2", "bias of the feed-forward part", "", Kind::bias, Scope::layer, Axis::one,
     Axis::model_dim, false, Start::absent},
    {Quantity::Q, "Q", "Q", "queries", "query", Kind::computed, Scope::head, Axis::token, Axis::head_dim},
    {Quantity::K, "K", "K", "keys", "key", Kind::computed, Scope::head, Axis::token, Axis::head_dim, true},
    {Quantity::V, "V", "V", "values", "value", Kind::computed, Scope::head, Axis::token, Axis::head_dim, true},
    {Quantity::normed_Q, "normed_Q", "Q°", "queries, normed", "normed query", Kind::computed, Scope::head, Axis::token,
     Axis::head_dim},
    {Quantity::normed_K, "normed_K", "K°", "keys, normed", "normed key", Kind::computed, Scope::head, Axis::token,
     Axis::head_dim, true},
    {Quantity::rotated_Q, "rotated_Q", "Q'", "queries turned by their places", "turned query", Kind::computed,
     Scope::head, Axis::token, Axis::head_dim},
    {Quantity::rotated_K, "rotated_K", "K'", "keys turned by their places", "turned key", Kind::computed, Scope::head,
     Axis::token, Axis::head_dim, true},
    {Quantity::lambda, "lambda", "λ", "how much of the second pattern is taken away", "", Kind::computed, Scope::layer,
     Axis::one, Axis::one},
    {Quantity::own_scores, "own_scores", "S°", "scores before heads talk", "", Kind::computed, Scope::head, Axis::token,
     Axis::token},
    {Quantity::scores, "scores", "S", "scores", "", Kind::computed, Scope::head, Axis::token, Axis::token},
    {Quantity::scores_2, "scores_2", "S'", "second scores", "", Kind::computed, Scope::head, Axis::token, Axis::token},
    {Quantity::own_attention, "own_attention", "A°", "attention by softmax alone", "", Kind::computed, Scope::head,
     Axis::token, Axis::token},
    {Quantity::attention_2, "attention_2", "A'", "second attention", "", Kind::computed, Scope::head, Axis::token,
     Axis::token},
    {Quantity::attention, "attention", "A", "attention", "", Kind::computed, Scope::head, Axis::token, Axis::token},
    {Quantity::output, "output", "O", "output", "output", Kind::computed, Scope::head, Axis::token, Axis::head_dim},
    {Quantity::normed_output, "normed_output", "O°", "output, normed", "normed output", Kind::computed, Scope::head,
     Axis::token, Axis::head_dim},
    {Quantity::output_gate, "output_gate", "G", "gates of the output", "gate", Kind::computed, Scope::head, Axis::token,
     Axis::head_dim},
    {Quantity::head_gates, "head_gates", "G", "gates of the heads", "gates", Kind::computed, Scope::layer, Axis::token,
     Axis::heads},
    {Quantity::gated_output, "gated_output", "O'", "output times its gates", "gated output", Kind::computed,
     Scope::head, Axis::token, Axis::head_dim},
    {Quantity::contribution, "contribution", "Z", "contribution to the output", "contribution", Kind::computed,
     Scope::head, Axis::token, Axis::model_dim},
    {Quantity::value_weighted, "value_weighted", "N", "attention times norm of the value carried", "", Kind::asked,
     Scope::head, Axis::token, Axis::token},
    {Quantity::mean_attention, "mean_attention", "Ā", "mean attention of the heads", "", Kind::asked, Scope::layer,
     Axis::token, Axis::token},
    {Quantity::concat, "concat", "C", "outputs of the heads side by side", "", Kind::computed, Scope::layer,
     Axis::token, Axis::head_dim},
    {Quantity::Y, "output", "Y", "output of all heads", "output", Kind::computed, Scope::layer, Axis::token,
     Axis::model_dim},
    {Quantity::norm_1, "norm_1", "N₁", "what the heads read: the stream, normed", "normed input", Kind::computed,
     Scope::layer, Axis::token, Axis::model_dim},
    {Quantity::sum_1, "sum_1", "T₁", "stream plus what the heads give", "sum", Kind::computed, Scope::layer,
     Axis::token, Axis::model_dim},
    {Quantity::stream_1, "stream_1", "R₁", "stream after the heads", "stream", Kind::computed, Scope::layer,
     Axis::token, Axis::model_dim},
    {Quantity::norm_2, "norm_2", "N₂", "what the feed-forward part reads: the stream, normed", "normed stream",
     Kind::computed, Scope::layer, Axis::token, Axis::model_dim},
    {Quantity::inner, "inner", "U", "hidden numbers before the bend", "hidden row", Kind::computed, Scope::layer,
     Axis::token, Axis::hidden_dim},
    {Quantity::inner_gate, "inner_gate", "G", "what the hidden numbers are multiplied by", "hidden row", Kind::computed,
     Scope::layer, Axis::token, Axis::hidden_dim},
    {Quantity::hidden, "hidden", "H", "hidden numbers", "hidden row", Kind::computed, Scope::layer, Axis::token,
     Axis::hidden_dim},
    {Quantity::feed_forward, "feed_forward", "F", "output of the feed-forward part", "output", Kind::computed,
     Scope::layer, Axis::token, Axis::model_dim},
    {Quantity::sum_2, "sum_2", "T₂", "stream plus what the feed-forward part gives", "sum", Kind::computed,
     Scope::layer, Axis::token, Axis::model_dim},
    {Quantity::stream, "stream", "R", "stream that leaves the layer", "stream", Kind::computed, Scope::layer,
     Axis::token, Axis::model_dim},
    {Quantity::E, "E", "W_E", "table of the words' vectors", "", Kind::weight, Scope::model, Axis::word,
     Axis::model_dim},
    {Quantity::P, "P", "W_P", "table of the positions", "", Kind::weight, Scope::model, Axis::place, Axis::model_dim},
    {Quantity::final_gain, "gain", "γ", "gain of the final norm", "", Kind::bias, Scope::model, Axis::one,
     Axis::model_dim, false, Start::ones},
    {Quantity::final_shift, "shift", "β", "shift of the final norm", "", Kind::bias, Scope::model, Axis::one,
     Axis::model_dim, false, Start::zeros},
    {Quantity::W_U, "W_U", "W_U", "readout weights", "", Kind::weight, Scope::model, Axis::model_dim, Axis::next_word},
    {Quantity::b_U, "b_U", "b_U", "readout bias", "", Kind::bias, Scope::model, Axis::one, Axis::next_word, false,
     Start::absent},
    {Quantity::final, "final", "N", "final stream, which is read out", "final stream", Kind::computed, Scope::model,
     Axis::token, Axis::model_dim},
    {Quantity::logits, "logits", "L", "logits", "logits", Kind::computed, Scope::model, Axis::token, Axis::next_word},
    {Quantity::probabilities, "probabilities", "p", "probabilities", "", Kind::computed, Scope::model, Axis::token,
     Axis::next_word},
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
