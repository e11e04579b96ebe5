// The two themes: neutral grounds and inks, so that only data are colourful. Sizes are multiples of one unit.
#pragma once
#include <imgui.h>

namespace hydra {

struct Theme {
  bool dark = false;
  ImU32 ground, panel, raised, line;       // from the back to the front; line separates
  ImU32 ink, ink_soft, ink_faint;          // text: normal, secondary, disabled
  ImU32 accent, accent_soft;               // focus, selection
  ImU32 hover, link_input, link_affected;  // highlights over heatmaps
  ImU32 gold;                              // outlines of marked relations
  ImU32 change;                            // what the last edit changed, and by how much
  ImU32 warning, error;
};

const Theme& theme(bool dark);
// Rebuilds ImGui's style for the theme and scale (1 = 100 %).
// least_height: of buttons and fields, whose text is so high; 0: as usual.
void apply_style(const Theme& theme, float scale, float text_height = 0, float least_height = 0);

}  // namespace hydra
