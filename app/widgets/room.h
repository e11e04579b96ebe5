// A room whose content may be larger than it: a window of its own within the present one, without padding.
#pragma once
#include "app/widgets/nth.h"
#include "app/widgets/pen.h"

namespace hydra::ui {

// This frame, with the left button.
inline bool clicked() { return ImGui::IsMouseClicked(ImGuiMouseButton_Left); }

enum class Scrolls { no, down, sideways };

// Between the two the present window is the room's; end_room in any case.
bool begin_room(const char* name, ImVec2 pos, ImVec2 size, Scrolls scrolls);
void end_room();

// Scrolls what the window of that name shows, or the largest room within it, down by so many of its heights less a
// line; false where there is nothing to scroll.
bool scroll_page(std::string_view window, float heights);

// draw(corner), where the content begins on the screen, gives the content's height.
template <class Draw>
void room(const char* name, ImVec2 pos, ImVec2 size, bool scrolls, const Draw& draw) {
  if (begin_room(name, pos, size, scrolls ? Scrolls::down : Scrolls::no)) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float height = draw(corner);
    ImGui::SetCursorScreenPos(corner);
    ImGui::Dummy({1, height});
  }
  end_room();
}

// Rows of the same height, of which only those in view are drawn: row(k, corner).
template <class Row>
float rows_in_view(ImVec2 corner, int count, float height, const Row& row) {
  const float low = pen::list()->GetClipRectMin().y, high = pen::list()->GetClipRectMax().y;
  for (int k = 0; k < count; ++k) {
    const ImVec2 pos{corner.x, corner.y + real(k) * height};
    if (pos.y + height >= low && pos.y <= high) row(k, pos);
  }
  return real(count) * height;
}

}  // namespace hydra::ui
