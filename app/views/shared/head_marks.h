// Marks beside the name of a head and around its pictures: its gate, where its weights come from, what is set by hand,
// and what it shares with others.
#pragma once
#include <vector>

#include "app/views/frame/context.h"

namespace hydra {

struct HeadLabel;

// How wide the mark and the gap behind it are; 0 for an open gate, which has none. name is for tests.
float gate_mark(const Frame& frame, const std::string& name, int layer, int head, ImVec2 pos, ImFont* font);
// "window 4, T = 0.5": what the head has of its own where its layer has something else, in fewer words where that is
// wider than room; how wide it is with the gap behind it, 0 where there is nothing, or no room. name is for tests.
float own_mark(const Frame& frame, const std::string& name, int layer, int head, ImVec2 pos, ImFont* font, float room);
// "Heads 1 and 3 have a mask of their own." Empty where none has.
std::string own_masks_sentence(const Frame& frame, int layer);
// Whether the head's gate is 0, so that it adds nothing to the output.
bool is_silent(const Frame& frame, int layer, int head);

// "designed", "untrained, edited", small and soft at pos; how wide it is, 0 where it does not fit into room. name is
// for tests.
float weights_mark(const Frame& frame, const char* name, int head, ImVec2 pos, float room);

// The painting of a head as it is drawn; null when nothing of it is painted.
const PaintedHead<float>* painting_of(const Frame& frame, int layer, int head);
// The painted rows that a matrix shows (attention or V of a head); null when it shows none.
const std::vector<PaintedRow<float>>* painted_rows(const Frame& frame, const Site& ref);

// Runs of painted rows, [first, last).
std::vector<std::pair<Index, Index>> painted_runs(const std::vector<PaintedRow<float>>& rows);
void draw_painted_rows(const Frame& frame, const Site& ref, const Heatmap& heatmap, bool transposed);

// A brush in the square of this side, for a head that is painted; its name is for tests. Nothing, and false, for
// others.
bool painted_mark(const Frame& frame, const std::string& name, int layer, int head, ImVec2 pos, float side);

// Over the picture of a head's W_Q, W_K, W_V, Q, K or V: a bar in the colours of the heads whose matrix it is, side by
// side. name is for tests.
void sharing_bar(const Frame& frame, const std::string& name, const Site& ref, const Heatmap& heatmap);
// Under the pictures of all heads: a line for every group, through neighbours in a row, with a tick at its first and
// its last head; that of the focused head strong. Where a group goes on in the next row of pictures there is no tick.
void group_lines(const Frame& frame, const std::string& name, int layer, const std::vector<Heatmap>& heatmaps);
// The same left of rows that stand for all heads in their order, the first row's corner at pos.
void group_row_lines(const Frame& frame, const std::string& name, int layer, ImVec2 pos, float row);
// "K and V shared by heads 1–4", shorter where that is wider than room; empty where each head has its own.
std::string sharing_text(const Frame& frame, int layer, int head, ImFont* font, float room);
// Of all groups: "K and V shared: heads 1–4, 5–8", shorter where that is wider than room.
std::string sharing_sentence(const Frame& frame, int layer, ImFont* font, float room);
// That sentence behind what stands in the line, chips or plain text, or where that leaves no room on a line of its own.
void sharing_caption(const Frame& frame, const char* name, int layer, bool behind_chips = true);

// What the head does, soft and small where no other font is given, before right: without its score, or the beginning of
// its name, where there is no room for more. That it is mixed goes unsaid where it does not fit. name is for tests, and
// ends with the head's number.
void role_mark(const Frame& frame, const char* name, int head, ImVec2 pos, float right, ImFont* font = nullptr);
// All that is said of a head, beside its name that is pointed at.
void role_tip(const Frame& frame, ImVec2 min, ImVec2 max, std::string name, const HeadLabel& label);

}  // namespace hydra
