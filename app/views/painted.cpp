#include "app/views/painted.h"

#include "app/widgets/probe.h"

namespace hydra {

const PaintedHead<float>* painting_of(const Frame& frame, int layer, int head) {
  return painted_head(frame.trace.layer(layer).input.painted, head);
}

const std::vector<PaintedRow<float>>* painted_rows(const Frame& frame, const Site& ref) {
  const bool attention = ref.quantity == Quantity::attention;
  if (!attention && ref.quantity != Quantity::V) return nullptr;
  const PaintedHead<float>* painted = painting_of(frame, ref.layer, ref.head);
  if (!painted) return nullptr;
  const std::vector<PaintedRow<float>>& rows = attention ? painted->attention : painted->values;
  return rows.empty() ? nullptr : &rows;
}

std::vector<std::pair<Index, Index>> painted_runs(const std::vector<PaintedRow<float>>& rows) {
  std::vector<std::pair<Index, Index>> runs;
  for (const PaintedRow<float>& painted : rows) {
    if (!runs.empty() && runs.back().second == painted.row)
      ++runs.back().second;
    else
      runs.emplace_back(painted.row, painted.row + 1);
  }
  return runs;
}

void draw_painted_rows(const Frame& frame, const Site& ref, const HeatmapTile& tile, bool transposed) {
  const std::vector<PaintedRow<float>>* rows = painted_rows(frame, ref);
  if (!rows) return;
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (const auto& [first, last] : painted_runs(*rows)) {
    if (transposed)
      draw_dashed_outline(list, tile, 0, tile.rows, first, last, frame.unit);
    else
      draw_dashed_outline(list, tile, first, last, 0, tile.cols, frame.unit);
  }
}

bool painted_mark(const Frame& frame, const std::string& name, int layer, int head, ImVec2 pos, float side) {
  if (!painting_of(frame, layer, head)) return false;
  const auto at = [&](float x, float y) { return ImVec2(pos.x + x * side, pos.y + y * side); };
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 ink = frame.theme.ink;
  list->AddLine(at(0.97f, 0.03f), at(0.60f, 0.40f), ink, std::max(1.5f, 0.16f * side));  // handle
  const ImVec2 bristles[] = {at(0.48f, 0.34f), at(0.68f, 0.54f), at(0.44f, 0.86f), at(0.02f, 1.0f), at(0.18f, 0.60f)};
  list->AddConvexPolyFilled(bristles, 5, ink);
  ui::probe(name, pos, at(1, 1));
  return true;
}

}  // namespace hydra
