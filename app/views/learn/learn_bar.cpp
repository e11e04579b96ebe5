#include "app/views/learn/learn_parts.h"

namespace hydra {

void draw_measured_bar(const Frame& frame, const MeasuredBar& bar, ImFont* font, ImVec2 at, ImVec2 size) {
  const float gap = frame.unit, room = size.x - bar.widest - gap;
  const bool beside = room >= 2 * font->FontSize;
  const float length = std::max(1.0f, real(bar.share) * (beside ? room : size.x));
  const float high = beside ? 0.6f * size.y : std::max(1.0f, std::min(3 * frame.unit, size.y - font->FontSize - 2));
  const float pair = font->FontSize + 1 + high;
  const float top = at.y + 0.5f * (size.y - (beside ? high : pair)) + (beside ? 0 : font->FontSize + 1);
  frame.canvas.fill({at.x, top}, {at.x + length, top + high}, bar.color, 2);
  const ImVec2 number = beside ? ImVec2{at.x + length + gap, at.y + 0.5f * (size.y - font->FontSize)}
                               : ImVec2{at.x, at.y + 0.5f * (size.y - pair)};
  frame.canvas.text_at(font, number, bar.ink, bar.number);
}

}  // namespace hydra
