// The parts of the Mixing view, each a file: what they draw into, and what they share.
#pragma once
#include <string>
#include <vector>

#include "app/views/frame/context.h"
#include "app/views/frame/controls.h"
#include "app/views/mixing/mixing_layout.h"
#include "app/views/mixing/mixing_numbers.h"

namespace hydra::mixing {

// Page "One output".
void draw_equation(Frame& frame, const OutputPage& at);  // C x W_O = Y
void draw_sum(Frame& frame, const OutputPage& at);       // Z_1 + Z_2 + ... = Y
void draw_reading(Frame& frame, const OutputPage& at);   // one entry of Y as both
void draw_strip(Frame& frame, const OutputPage& at);     // one token's row of C
void draw_output_tools(Frame& frame);                    // presets of W_O, solving for it

// Page "Who writes it".
void draw_gate_tools(Frame& frame);
void draw_table(Frame& frame, const SharesPage& at);
void draw_bars(Frame& frame, const SharesPage& at);
void draw_curve(Frame& frame, const SharesPage& at);
void draw_directions(Frame& frame, const SharesPage& at);

// --- shared

// The token whose row is shown large: that of the selection, else the last one that was.
Index shown_token(const Frame& frame);
void show_token(Frame& frame, Index token);  // moves the selection along where it has a token's row
// As the document has it, which edits refer to, where it has as many heads as the trace; else as the trace.
float gate_of(const Frame& frame, int head);
bool any_gate(const Frame& frame);  // whether one is not 1

// A strong line of text, with a tip over its own width.
inline void title(const Frame& frame, const char* name, const Box& box, const std::string& text,
                  const std::string& tip) {
  ui::title(frame, name, box.pos, box.size.x, text, tip);
}
// In the head's colour, hollow where its gate is 0.
void gate_box(const Frame& frame, int head, ImVec2 min, ImVec2 max, float thick = 1);
// A small square in the head's colour with the head's number; hollow where the gate is 0. Gives its width.
float head_mark(const Frame& frame, int head, ImVec2 pos, ImFont* font, ImU32 ink, float room = 0);
using ui::tooltip;

}  // namespace hydra::mixing
