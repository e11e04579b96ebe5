#include "app/views/gate_mark.h"

#include "app/views/ui.h"

namespace hydra {

namespace {

float gate_of(const Frame& frame, int layer, int head) { return frame.trace.layer(layer).input.gate(head); }

}  // namespace

float gate_mark(const Frame& frame, const std::string& name, int layer, int head, ImVec2 pos, ImFont* font) {
  const float gate = gate_of(frame, layer, head);
  if (gate == 1) return 0;
  const std::string text = (frame.fonts.unicode ? "×" : "x") + ui::short_number(std::round(100.0 * gate) / 100);
  const float width = text_width(font, text);
  text_at(ImGui::GetWindowDrawList(), font, pos, frame.theme.ink, text);
  ui::probe(name, pos, {pos.x + width, pos.y + font->FontSize});
  return width + 1.5f * frame.unit;
}

bool is_silent(const Frame& frame, int layer, int head) { return gate_of(frame, layer, head) == 0; }

}  // namespace hydra
