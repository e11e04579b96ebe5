// What is drawn in a room of a canvas.
#pragma once
#include "app/draw/canvas.h"
#include "app/draw/nth.h"

namespace hydra::ui {

// This frame, with the left button.
inline bool clicked() { return ImGui::IsMouseClicked(ImGuiMouseButton_Left); }

// Scrolls what the window of that name shows, or the largest room within it, down by so many of its heights less a
// line; false where there is nothing to scroll.
bool scroll_page(std::string_view window, float heights);

// draw(corner), where the content begins on the screen, gives the content's height.
template <class Draw>
void room(Canvas& canvas, const char* name, ImVec2 pos, ImVec2 size, bool scrolls, const Draw& draw) {
  if (canvas.begin_room(name, pos, size, scrolls ? Scrolls::down : Scrolls::no)) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float height = draw(corner);
    ImGui::SetCursorScreenPos(corner);
    ImGui::Dummy({1, height});
  }
  canvas.end_room();
}

// Rows of the same height, of which only those in view are drawn: row(k, corner).
template <class Row>
float rows_in_view(const Canvas& canvas, ImVec2 corner, int count, float height, const Row& row) {
  const Box seen = canvas.visible();
  const float low = seen.pos.y, high = seen.bottom();
  for (int k = 0; k < count; ++k) {
    const ImVec2 pos{corner.x, corner.y + real(k) * height};
    if (pos.y + height >= low && pos.y <= high) row(k, pos);
  }
  return real(count) * height;
}

}  // namespace hydra::ui
