// The parts of the Likeness view, each in a file of its own. What they share: the frame, where they stand, what is
// shown, and the heads under the pointer.
#pragma once
#include "app/views/context.h"
#include "app/views/likeness/likeness_layout.h"
#include "app/views/likeness/likeness_motion.h"
#include "app/views/look.h"

namespace hydra {

struct LikenessParts {
  Frame& frame;
  const LikenessTable& table;
  const LikenessLayout& at;
  HeadPair hover;  // in the last frame
  HeadPair next;   // written by the parts

  const LikenessMotion& motion() const { return frame.view.likeness.motion; }
  int heads() const { return motion().heads(); }
  ImU32 color(int head) const { return head_color(frame, head); }
};

void draw_likeness_matrix(LikenessParts& parts);  // with its legend and the tree
void draw_likeness_map(LikenessParts& parts);
void draw_head_comparison(LikenessParts& parts);                  // where two heads are compared
void draw_likeness_tools(Frame& frame, ImVec2 pos, ImVec2 size);  // collapse, repel, pairs
float likeness_tools_height(const Frame& frame);
void draw_rank_page(Frame& frame, const LikenessTable& table, ImVec2 pos, ImVec2 size);

// The colours of the ordering measure: its whole range, or fitted to what is there.
ValueScale likeness_scale(const Frame& frame, const LikenessMotion& motion);

// What is shown may be older than the trace: heads that are gone are not focused.
bool is_present(const Frame& frame, int head);
void focus_if_present(Frame& frame, int head);

const LikenessEntry& entry_of(Likeness measure);
std::string likeness_value(const Frame& frame, double value);  // "0.93", "∞", "n/a"
// A square in the head's colour with its name, and what may follow; returns the end.
float head_title(const Frame& frame, ImFont* font, ImVec2 pos, int head, const std::string& text);

}  // namespace hydra
