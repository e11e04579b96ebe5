// Words among controls, in paragraphs and in tips: drawn by the canvas, so that a recording has them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "app/views/frame/context.h"
#include "app/widgets/text_item.h"

namespace hydra::ui {

// Words as an item of ImGui's: the next one stands below or beside them.
void text(const Frame& frame, const std::string& words, const TextLook& look = {});
void soft_text(const Frame& frame, const std::string& words);  // small and pale, in lines
void heading(const Frame& frame, const std::string& words);    // of a group of controls
// A strong line at most so wide, with a tip over it; returns its end.
float title(const Frame& frame, std::string_view name, ImVec2 pos, float width, const std::string& words,
            std::string_view tip_text);
// What is measured is not there, or older than it should be: why. Nothing when there is no failure.
void failure_text(const Frame& frame, const std::string& failure);
// Where nothing was measured yet.
void waiting_text(const Frame& frame, const std::string& failure);

// In lines that are broken between words alone, in a rectangle, and the height it takes.
float paragraph_height(const Frame& frame, ImFont* font, float width, const std::string& words);
float paragraph(const Frame& frame, ImFont* font, ImVec2 pos, float width, ImU32 color, const std::string& words);

// Shows the sentence while the last item is pointed at, until it is clicked: it would cover what the click brings.
void tip(const Frame& frame, std::string_view sentence);
// Names what was drawn in that rectangle for tests, and explains it.
void explain_here(const Frame& frame, std::string_view name, ImVec2 pos, ImVec2 size, std::string_view sentence);
// Lines in a tooltip, the first of several strong; empty ones are left out. Under the pointer, or under (low in the
// window over) what they explain, where they would cover it.
void tooltip(const Frame& frame, const std::vector<std::string>& lines);
void tooltip_beside(const Frame& frame, ImVec2 min, ImVec2 max, const std::vector<std::string>& lines);

}  // namespace hydra::ui
