#include "app/scene/why_not.h"

#include <algorithm>

#include "core/analysis/quantity.h"

namespace hydra {

namespace {

std::string none_of(const char* what, int which, int count) {
  return std::string("There is no ") + what + " " + std::to_string(which) + ": they are 0 to " +
         std::to_string(count - 1) + ".";
}

std::string why_not_number(const Cell& cell, const Trace& trace) {
  if (!exists(trace, cell.site)) return "There is no " + spelled(cell.site) + ".";
  const Shape shape = shape_of(trace, cell.site);
  if (cell.row >= 0 && cell.row < shape.rows && cell.col >= 0 && cell.col < shape.cols) return "";
  return spelled(cell) + " is outside: the matrix is " + std::to_string(shape.rows) + " x " +
         std::to_string(shape.cols) + ".";
}

}  // namespace

std::string why_not(const act::GoTo& to, const Document& document, const Trace& trace, int layer_in_focus) {
  const int layers = std::max(static_cast<int>(document.layers.size()), static_cast<int>(trace.layers.size()));
  if (to.layer && (*to.layer < 0 || *to.layer >= layers)) return none_of("layer", *to.layer, layers);
  if (!to.head) return "";
  const auto layer = static_cast<std::size_t>(to.layer.value_or(layer_in_focus));
  Index heads = 0;
  if (layer < document.layers.size()) heads = document.layers[layer].heads;
  if (layer < trace.layers.size()) heads = std::max(heads, trace.layers[layer].input.heads);
  return *to.head < 0 || *to.head >= heads ? none_of("head", *to.head, static_cast<int>(heads)) : "";
}

std::string why_not(const act::SelectMade& number) {
  const Index least = std::min(number.cell.row, number.cell.col);
  return least < 0 ? "There is no row or column " + std::to_string(least) + ": they begin with 0." : "";
}

std::string why_not(const act::Select& number, const Trace& trace) {
  for (const Cell& opened : number.by)
    if (const std::string why = why_not_number(opened, trace); !why.empty()) return why;
  return why_not_number(number.cell, trace);
}

std::string why_not(const act::Inspect& matrix, const Trace& trace) {
  return exists(trace, matrix.site) ? "" : "There is no " + spelled(matrix.site) + ".";
}

}  // namespace hydra
