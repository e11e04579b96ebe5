// Painting the mask on a pattern, by pointer and by key.
#pragma once
#include "app/views/frame/context.h"
#include "app/views/mask/mask_hands.h"

namespace hydra {

inline MaskHands& mask_hands(const Frame& frame) { return frame.hands.of<MaskHands>(); }

// Whether the tool is open in the present view: Flow and Heads have the patterns of a head at hand.
bool mask_tool_shown(const ViewState& view);
// Whether clicks on cells of this matrix paint: over pairs of tokens, while the tool is shown.
bool paints_mask(const Frame& frame, const Site& ref);

// A drag paints the value that its first cell got, and is one undo step. place: what is painted on, by its name; cell:
// under the pointer, none when it is elsewhere.
void paint_mask(Frame& frame, const std::string& place, bool pressed, std::optional<std::pair<Index, Index>> cell);
// On a picture, with what shows the pair that the keys change. hit: in the order in which the picture is drawn.
void paint_on_picture(Frame& frame, const char* name, const Heatmap& heatmap, const CellHit& hit, bool transposed);

// The arrows move a pair of n tokens; true: Space was pressed.
bool pair_keys(Index& row, Index& col, Index n);
// Arrows, Space and Esc, and the end of a stroke whose picture is gone. Each frame, before the views.
void mask_keys(Frame& frame);

void set_mask(Frame& frame, Mask mask, std::string how);
void set_pattern(Frame& frame, MaskPattern pattern, const MaskTool& tool);
// The pattern that the document's mask is, as far as this window made it; nothing for other custom masks.
std::optional<MaskPattern> present_pattern(const Frame& frame);

}  // namespace hydra
