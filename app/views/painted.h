// Marks of what is set by hand: a brush for a painted head, a dashed line around its painted rows.
#pragma once
#include "app/views/context.h"

namespace hydra {

// The painting of a head as it is drawn; null when nothing of it is painted.
const PaintedHead<float>* painting_of(const Frame& frame, int layer, int head);
// The painted rows that a matrix shows (attention or V of a head); null when it shows none.
const std::vector<PaintedRow<float>>* painted_rows(const Frame& frame, const Site& ref);

// Runs of painted rows, [first, last).
std::vector<std::pair<Index, Index>> painted_runs(const std::vector<PaintedRow<float>>& rows);
void draw_painted_rows(const Frame& frame, const Site& ref, const HeatmapTile& tile, bool transposed);

// A brush in the square of this side, for a head that is painted; its name is for tests. Nothing, and false, for
// others.
bool painted_mark(const Frame& frame, const std::string& name, int layer, int head, ImVec2 pos, float side);

}  // namespace hydra
