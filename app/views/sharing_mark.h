// The marks of heads that share keys and values. Nothing is drawn where each has its own.
#pragma once
#include <vector>

#include "app/views/context.h"

namespace hydra {

// Over the picture of a head's W_Q, W_K, W_V, Q, K or V: a bar in the colours of the heads whose matrix it is, side by
// side. name is for tests.
void sharing_bar(const Frame& frame, const std::string& name, const MatrixRef& ref, const HeatmapTile& tile);
// Under the pictures of all heads: a line for every group, through neighbours in a row; that of the focused head
// strong.
void group_lines(const Frame& frame, const std::string& name, int layer, const std::vector<HeatmapTile>& tiles);
// "K and V shared by heads 1–4", shorter where that is wider than room; empty where each head has its own.
std::string sharing_text(const Frame& frame, int layer, int head, ImFont* font, float room);

}  // namespace hydra
