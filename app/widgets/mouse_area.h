// Where arrows go from control to control, and Enter or Space does what a click does: ImGui's way through its items.
#pragma once
#include <imgui.h>

#include <string>
#include <string_view>

#include "app/draw/canvas.h"

namespace hydra::ui {

// From this layout on.
void set_keys_choose(bool on);
// In the present window, at its first control. Within a layout, with the keys on.
void choose_first_by_keys();
// The same at the one that was last framed or clicked in it; and, when all is drawn, at the first if that one is gone.
void choose_by_keys_here();
void keep_choosing_by_keys();
// Whether a control is framed for them, so that the pointer, wherever it rests, points at nothing.
bool keys_choose();
// A line around it, as ImGui draws one around its own controls alone; over all of the window, within that rectangle.
void mark_framed(Canvas& canvas, const Box& within, ImU32 color);
// Whether a key has just chosen the last item.
bool is_chosen_by_key();
// Whether the last item is the framed one, so that its words are wanted.
bool is_framed();
// Words of the last item, for who listens, where it is the one that is framed; and all that were given of it in a
// layout.
void name_if_framed(std::string_view words);
const std::string& framed_words();

// An area that keys come to for its words alone, and that the pointer is over only where keys do not choose: a chart.
// True: it is.
bool telling_area(const char* id, ImVec2 size);

// An area that means nothing without the pointer's place in it, so that keys pass it over: as ImGui::InvisibleButton.
bool mouse_area(const char* id, ImVec2 size);

}  // namespace hydra::ui
