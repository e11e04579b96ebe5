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

constexpr std::array<QuantityRow, kQuantities> kQuantityRows{{
#define HYDRA_QUANTITY(name, key, letter, phrase, row, kind, scope, rows, cols, ...) \
  {Quantity::name, key,        letter,                                               \
   phrase,         row,        Kind::kind,                                           \
   Scope::scope,   Axis::rows, Axis::cols __VA_OPT__(, ) __VA_ARGS__},
#include "core/model/quantities.h"
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
bool is_computed(Quantity quantity) {
  const Kind kind = entry_of(quantity).kind;
  return kind == Kind::computed || kind == Kind::recomputed;
}
namespace {
bool is_pattern(Quantity quantity) {
  const QuantityRow& row = entry_of(quantity);
  return is_computed(quantity) && row.scope == Scope::head && row.rows == Axis::token && row.cols == Axis::token;
}
}  // namespace
bool is_score(Quantity quantity) { return quantity < Quantity::own_attention && is_pattern(quantity); }
bool is_attention(Quantity quantity) { return quantity >= Quantity::own_attention && is_pattern(quantity); }
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
    throw InputError(in_quotes(whole_) + ": there should be " + expected + " at \"" + printable(rest_) +
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
