#include "app/views/bars/step_track.h"

#include "app/views/frame/ui.h"
#include "app/widgets/mouse_area.h"

namespace hydra {

std::optional<StepTaken> step_track(Frame& frame, const StepTrack& track, float width) {
  const ImVec2 pos = ImGui::GetCursorScreenPos();
  const float high = ImGui::GetFrameHeight(), middle = pos.y + 0.5f * high, pad = 0.4f * high;
  const int last = std::max(1, track.last);
  const auto x_of = [&](int step) { return pos.x + pad + real(step) / real(last) * (width - 2 * pad); };
  ui::mouse_area(track.name.c_str(), {width, high});
  ui::probe(track.name);
  const bool held = ImGui::IsItemActive(), released = ImGui::IsItemDeactivated();
  std::optional<StepTaken> taken;
  if ((held || released) && track.taken) {
    const float t = (ImGui::GetIO().MousePos.x - x_of(0)) / std::max(1.0f, width - 2 * pad);
    taken = {std::clamp(static_cast<int>(std::lround(t * real(last))), 0, track.last), released};
  } else {
    ui::tip(frame, track.tip);
  }
  const int shown = taken ? taken->step : track.now;
  frame.canvas.fill({x_of(0), middle - 1}, {x_of(last), middle + 1}, frame.theme.line);
  frame.canvas.fill({x_of(0), middle - 1.5f}, {x_of(shown), middle + 1.5f}, frame.theme.accent);
  frame.canvas.disc({x_of(shown), middle}, 0.22f * high, frame.theme.accent);
  return taken;
}

}  // namespace hydra
