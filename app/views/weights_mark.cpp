#include "app/views/weights_mark.h"

#include "app/views/ui.h"

namespace hydra {

float weights_mark(const Frame& frame, const char* name, int head, ImVec2 pos, float room) {
  ImFont* font = frame.fonts.small;
  const std::string& words = frame.derived.weights_in_use(frame.document, frame.view.layer, head);
  const float width = text_width(font, words);
  if (width > room) return 0;
  text_at(ImGui::GetWindowDrawList(), font, pos, frame.theme.ink_soft, words);
  ui::probe(name, pos, {pos.x + width, pos.y + font->FontSize});
  return width;
}

}  // namespace hydra
