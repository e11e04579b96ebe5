#include "app/scene/why_not.h"

#include <algorithm>

#include "core/explain/quantity.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

std::string why_not_number(const Cell& cell, const Trace& trace) {
  if (!exists(trace, cell.site)) return wording("frame:why_not.matrix", {{"matrix", spelled(cell.site)}});
  const Shape shape = shape_of(trace, cell.site);
  if (cell.row >= 0 && cell.row < shape.rows && cell.col >= 0 && cell.col < shape.cols) return "";
  return wording("frame:why_not.outside", {{"cell", spelled(cell)}, {"rows", shape.rows}, {"columns", shape.cols}});
}

}  // namespace

std::string why_not(const act::GoTo& to, const Document& document, const Trace& trace, int layer_in_focus) {
  const int layers = std::max(static_cast<int>(document.layers.size()), static_cast<int>(trace.layers.size()));
  if (to.layer && (*to.layer < 0 || *to.layer >= layers))
    return wording("frame:why_not.layer", {{"layer", *to.layer}, {"last", layers - 1}});
  if (!to.head) return "";
  const auto layer = static_cast<std::size_t>(to.layer.value_or(layer_in_focus));
  Index heads = 0;
  if (layer < document.layers.size()) heads = document.layers[layer].heads;
  if (layer < trace.layers.size()) heads = std::max(heads, trace.layers[layer].input.heads);
  if (*to.head >= 0 && *to.head < heads) return "";
  return wording("frame:why_not.head", {{"head", *to.head}, {"last", heads - 1}});
}

std::string why_not(const act::SelectMade& number) {
  const Index least = std::min(number.cell.row, number.cell.col);
  return least < 0 ? wording("frame:why_not.row", {{"row", least}}) : "";
}

std::string why_not(const act::Select& number, const Trace& trace) {
  for (const Cell& opened : number.by)
    if (const std::string why = why_not_number(opened, trace); !why.empty()) return why;
  return why_not_number(number.cell, trace);
}

std::string why_not(const act::Inspect& matrix, const Trace& trace) {
  return exists(trace, matrix.site) ? "" : wording("frame:why_not.matrix", {{"matrix", spelled(matrix.site)}});
}

}  // namespace hydra
