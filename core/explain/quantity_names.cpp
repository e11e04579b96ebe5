// Symbols, phrases and places in words.
#include <array>
#include <cstdlib>

#include "core/explain/quantity.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

const LayerTrace<float>& layer_of(const Trace& trace, const Site& ref) { return trace.layer(ref.layer); }

std::string digits(Index number, const std::array<const char*, 10>& glyphs) {
  std::string text;
  for (const char c : std::to_string(number)) text += glyphs[static_cast<std::size_t>(c - '0')];
  return text;
}

std::string superscript(Index number) { return digits(number, {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"}); }

// From a token to a token, or to the word that comes next.
bool is_between_words(const Shape& shape) {
  return shape.row_axis == Axis::token && (shape.col_axis == Axis::token || shape.col_axis == Axis::next_word);
}

}  // namespace

std::string subscript(Index number) { return digits(number, {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"}); }

std::string symbol(const Site& ref, bool ascii) {
  std::string text = entry_of(ref.quantity).letter;
  const bool low = has_head(ref.quantity) && !is_form(ref.quantity);
  if (ref.head != kNoHead) text += low ? subscript(ref.head + 1) : superscript(ref.head + 1);
  return ascii ? ascii_spelling(text) : text;
}

std::string description(const Site& ref) {
  const std::string& phrase = wording(entry_of(ref.quantity).phrase);
  const int head = ref.head + 1;
  if (ref.head == kNoHead)
    return is_weight(ref.quantity) && may_have_head(ref.quantity)
               ? wording("core:quantity.of_all_heads", {{"phrase", phrase}})
               : phrase;
  if (ref.quantity == Quantity::contribution) return wording("core:quantity.contribution", {{"head", head}});
  return is_form(ref.quantity) ? wording("core:quantity.in_head", {{"phrase", phrase}, {"head", head}})
                               : wording("core:quantity.of_head", {{"phrase", phrase}, {"head", head}});
}

std::string axis_label(const Trace& trace, Axis axis, Index place) {
  if (axis == Axis::token) return trace.tokens[static_cast<std::size_t>(place)];
  if (axis == Axis::model_dim && trace.layout) return column_name(*trace.layout, place);
  if (axis == Axis::heads) return wording("core:head", {{"number", place + 1}});
  if (axis == Axis::word) return trace.model.words.word(place);
  if (axis == Axis::next_word) return trace.model.next_words.name(place);
  return std::to_string(place);
}

std::string offset_label(Index offset) {
  return offset == 0 ? "0" : (offset < 0 ? "−" : "+") + std::to_string(std::abs(offset));
}

std::string axis_label(const Trace& trace, const Site& site, bool rows, Index place) {
  const Shape shape = shape_of(trace, site);
  const Axis axis = rows ? shape.row_axis : shape.col_axis;
  return axis == Axis::offset ? offset_label(place - shape.cols / 2) : axis_label(trace, axis, place);
}

std::string cell_label(const Trace& trace, const Cell& cell) {
  const Shape shape = shape_of(trace, cell.site);
  const std::string col = axis_label(trace, cell.site, false, cell.col);
  if (is_between_words(shape)) return trace.tokens[static_cast<std::size_t>(cell.row)] + " → " + col;
  if (shape.row_axis == Axis::one) return "[" + col + "]";
  return "[" + axis_label(trace, shape.row_axis, cell.row) + ", " + col + "]";
}

std::string cell_title(const Trace& trace, const Cell& cell) {
  const std::string label = cell_label(trace, cell);
  return symbol(cell.site) + (is_between_words(shape_of(trace, cell.site)) ? "[" + label + "]" : label);
}

std::string sharing_heads(const Trace& trace, const Site& ref) {
  if (ref.head == kNoHead) return "";
  const HeadRange heads = shared_by(layer_of(trace, ref).input, ref);
  if (heads.count() == 1) return "";
  return wording("core:heads", {{"first", heads.first + 1}, {"last", heads.last}});
}

std::string ascii_spelling(std::string_view text) {
  struct Spelling {
    std::string_view glyph;
    char mark;  // '^' or '_': written once before a run of the same kind; 0 for none
    const char* ascii;
  };
  static constexpr std::array kSpellings{
      Spelling{"⁰", '^', "0"},   Spelling{"¹", '^', "1"},   Spelling{"²", '^', "2"},     Spelling{"³", '^', "3"},
      Spelling{"⁴", '^', "4"},   Spelling{"⁵", '^', "5"},   Spelling{"⁶", '^', "6"},     Spelling{"⁷", '^', "7"},
      Spelling{"⁸", '^', "8"},   Spelling{"⁹", '^', "9"},   Spelling{"ᵀ", '^', "T"},     Spelling{"₀", '_', "0"},
      Spelling{"₁", '_', "1"},   Spelling{"₂", '_', "2"},   Spelling{"₃", '_', "3"},     Spelling{"₄", '_', "4"},
      Spelling{"₅", '_', "5"},   Spelling{"₆", '_', "6"},   Spelling{"₇", '_', "7"},     Spelling{"₈", '_', "8"},
      Spelling{"₉", '_', "9"},   Spelling{"ᵢ", '_', "i"},   Spelling{"ₖ", '_', "k"},     Spelling{"ⱼ", '_', "j"},
      Spelling{"ₙ", '_', "n"},   Spelling{"√", 0, "sqrt "}, Spelling{"Σ", 0, "sum"},     Spelling{"·", 0, "*"},
      Spelling{"→", 0, "->"},    Spelling{"−", 0, "-"},     Spelling{"–", 0, "-"},       Spelling{"…", 0, ".."},
      Spelling{"γ", 0, "gamma"}, Spelling{"β", 0, "beta"},  Spelling{"ε", 0, "epsilon"}, Spelling{"Φ", 0, "Phi"},
      Spelling{"σ", 0, "sigma"}, Spelling{"μ", 0, "mu"},    Spelling{"π", 0, "pi"},      Spelling{"⊙", 0, "*"},
      Spelling{"×", 0, "x"},     Spelling{"‖", 0, "||"},    Spelling{"Ā", 0, "mean A"},  Spelling{"∞", 0, "inf"},
      Spelling{"“", 0, "\""},    Spelling{"”", 0, "\""},    Spelling{"Δ", 0, "change"},  Spelling{"°", 0, "o"},
      Spelling{"λ", 0, "lambda"}};
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

}  // namespace hydra
