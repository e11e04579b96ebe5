// The few controls that the bars and panels are made of: each has a name for tests and a one-sentence tip.
#pragma once
#include <initializer_list>
#include <string>

#include "app/views/context.h"

namespace hydra::ui {

// Around what a tooltip shows: its own margins, whatever the view around it has set.
void begin_tooltip();
// The same, under what it explains (or over it, low in the window), rather than at the pointer, where it would cover
// it.
void begin_tooltip_beside(ImVec2 min, ImVec2 max);
void end_tooltip();
// Shows the sentence while the last item is pointed at, until it is clicked: it would cover what the click brings.
void tip(const char* sentence);

bool button(const Frame& frame, const char* name, const char* label, const char* tip_text, bool enabled = true);
// A small button that is filled while on.
bool chip(const Frame& frame, const char* name, const char* label, bool on, const char* tip_text, ImU32 fill = 0);
bool checkbox(const char* name, const char* label, bool& on, const char* tip_text);
// Starts the next chip on the same line when width more fits, else on a new one.
void flow_line(float width);
float chip_width(const char* label);

// How much of some work is done, 0 to 1.
void progress_bar(const Frame& frame, const char* name, ImVec2 pos, ImVec2 size, float share);

// By the pointer, in the present window, within its clip rectangle.
bool under_pointer(ImVec2 min, ImVec2 max);

// Within a popup: Esc closes it.
void close_on_escape();

// A quiet heading of a group of controls.
void heading(const Frame& frame, const char* text);
void soft_text(const Frame& frame, const std::string& text);
// What is measured beside the frame is not there, or older than it should be: why. Nothing when there is no failure.
void failure_text(const Frame& frame, const std::string& failure);
// Where nothing was measured yet.
void waiting_text(const Frame& frame, const std::string& failure);

}  // namespace hydra::ui
