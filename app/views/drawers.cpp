#include "app/views/drawers.h"

#include "app/views/inspector_follow.h"

namespace hydra {

bool is_open(const ViewState& view, Side side) {
  if (!view.presentation) return side == Side::model ? view.model_panel_open : inspector_shown(view);
  return side == Side::model ? view.drawers.model : view.drawers.inspector;
}

void set_open(ViewState& view, Side side, bool open) {
  if (!view.presentation) {
    if (side == Side::model) view.model_panel_open = open;
    if (side == Side::inspector) view.inspector_open = view.inspector_kept = open;
    return;
  }
  Drawers& d = view.drawers;
  if (side == Side::inspector && open && !d.inspector) {
    // What was clicked stays in view.
    const ImGuiIO& io = ImGui::GetIO();
    d.inspector_left = ImGui::IsMouseDown(ImGuiMouseButton_Left) && io.MousePos.x > 0.5f * io.DisplaySize.x;
  }
  d.model = side == Side::model && open;
  d.inspector = side == Side::inspector && open;
  d.touched = true;
}

}  // namespace hydra
