// Marking pairs of tokens with a relation of one's own, on the patterns of Heads: by pointer and by key.
#pragma once
#include "app/views/frame/context.h"

namespace hydra {

struct MarkHands {
  Index row = 0, col = 0;           // the pair that the keys change
  std::optional<std::string> name;  // while it is typed
  bool focus = false;               // the name's field asks for the keys
  std::string refused;              // why what was typed is no name; else empty
};
inline MarkHands& mark_hands(const Frame& frame) { return frame.hands.of<MarkHands>(); }

bool mark_tool_shown(const ViewState& view);
// This tool, or the one that paints the mask: arrows and Space are theirs.
bool pair_tool_shown(const ViewState& view);
void open_mark_tool(Frame& frame);
void close_mark_tool(Frame& frame);

// Whether clicks on cells of this matrix mark: over pairs of tokens, while the tool is shown.
bool marks_pairs(const Frame& frame, const Site& ref);
// hit: in the order in which the picture is drawn.
void mark_on_picture(Frame& frame, const Heatmap& heatmap, CellHit hit, bool transposed);

// Each frame, before the views: arrows and Space; the strip with the relation's name, what it has, and the pair in
// question.
void mark_keys(Frame& frame);
void draw_marks_bar(Frame& frame);

}  // namespace hydra
