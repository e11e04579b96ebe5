// The columns of X as pictures of weights alone name and group them.
#pragma once
#include <string>
#include <vector>

#include "app/views/frame/context.h"

namespace hydra {

// Of the first `count` columns.
std::vector<std::string> column_names(const Trace& trace, Index count);
// Lines between features, identity, slot and positions over a square picture of all columns by all columns, whose cells
// are a step wide; the columns must be named.
void column_group_lines(const Frame& frame, const Heatmap& heatmap, float step);

}  // namespace hydra
