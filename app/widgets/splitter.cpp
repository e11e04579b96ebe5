#include "app/widgets/splitter.h"

#include <algorithm>

#include "app/draw/canvas.h"
#include "app/draw/nth.h"
#include "app/draw/probe.h"
#include "app/widgets/mouse_area.h"

namespace hydra::ui {

float splitter_grip() { return 0.5f * ImGui::GetFontSize(); }

bool splitter(Canvas& canvas, const char* name, ImVec2 top_left, float height, const Theme& theme, float& width,
              int side, float least, float most) {
  const float em = ImGui::GetFontSize(), grip = splitter_grip();
  ImGui::SetCursorScreenPos({top_left.x - 0.5f * grip, top_left.y});
  ui::mouse_area(name, {grip, height});
  probe(name);
  const bool live = ImGui::IsItemHovered() || ImGui::IsItemActive();
  if (live) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  canvas.line(top_left, {top_left.x, top_left.y + height}, live ? theme.accent : theme.line, live ? 2.0f : 1.0f);
  if (!ImGui::IsItemActive() || ImGui::GetIO().MouseDelta.x == 0) return false;
  width = std::clamp(width + real(side) * ImGui::GetIO().MouseDelta.x / em, least, most);
  return true;
}

}  // namespace hydra::ui
