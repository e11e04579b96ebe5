// Words as an item of ImGui's that a canvas draws, and tooltips of such words.
#pragma once
#include <imgui.h>

#include <string>

#include "app/draw/canvas.h"

namespace hydra::ui {

struct TextLook {
  ImFont* font = nullptr;  // default: the current one
  ImU32 ink = 0;           // default: the current one
  bool wraps = false;      // in lines of what room there is, as where ImGui is told so
  bool aligned = false;    // with the words of controls in the same line
};
void text_item(Canvas& canvas, const std::string& words, const TextLook& look = {});

// In lines of at most that width, broken between words alone: ImGui's own breaks may part a number at its point.
std::string broken_between_words(ImFont* font, const std::string& words, float width);

// Around what a tooltip shows: its own margins, whatever the view around it has set.
void begin_tooltip();
// The same, of that height, under what it explains (or over it, where it has no room), rather than at the pointer,
// where it would cover it.
void begin_tooltip_beside(ImVec2 min, ImVec2 max, float high);
void end_tooltip();
// Lines of a tooltip, which may have line ends of their own; a word that is wider than they are is broken anywhere.
void tip_text(Canvas& canvas, const std::string& words, float width);

}  // namespace hydra::ui
