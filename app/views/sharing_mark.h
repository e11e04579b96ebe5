// The marks of heads that share keys and values. Nothing is drawn where each has its own.
#pragma once
#include <vector>

#include "app/views/context.h"

namespace hydra {

// Over the picture of a head's W_Q, W_K, W_V, Q, K or V: a bar in the colours of the heads whose matrix it is, side by
// side. name is for tests.
void sharing_bar(const Frame& frame, const std::string& name, const Site& ref, const HeatmapTile& tile);
// Under the pictures of all heads: a line for every group, through neighbours in a row, with a tick at its first and
// its last head; that of the focused head strong. Where a group goes on in the next row of pictures there is no tick.
void group_lines(const Frame& frame, const std::string& name, int layer, const std::vector<HeatmapTile>& tiles);
// The same left of rows that stand for all heads in their order, the first row's corner at pos.
void group_row_lines(const Frame& frame, const std::string& name, int layer, ImVec2 pos, float row);
// "K and V shared by heads 1–4", shorter where that is wider than room; empty where each head has its own.
std::string sharing_text(const Frame& frame, int layer, int head, ImFont* font, float room);
// Of all groups: "K and V shared: heads 1–4, 5–8", shorter where that is wider than room.
std::string sharing_sentence(const Frame& frame, int layer, ImFont* font, float room);
// That sentence behind what stands in the line, chips or plain text, or where that leaves no room on a line of its own.
void sharing_caption(const Frame& frame, const char* name, int layer, bool behind_chips = true);

}  // namespace hydra
