// How a picture shows what the last edit did to it: a frame around it, as thick as it has changed; frames inside
// the cells whose change stands out, as thick as each has changed; and the number that says how much that is.
#pragma once
#include "app/views/change/changes.h"

namespace hydra {

// Under the numbers of a picture, and over everything on it.
void draw_change(Frame& frame, const Site& ref, const Heatmap& heatmap, bool transposed);
// The cells alone, of a heatmap that shows the part of the matrix which starts at its row0 and col0.
void draw_changed_cells(Frame& frame, const Site& ref, const Heatmap& heatmap);
// Where put_change_badge put it, over everything: never on a picture or a heading, so elsewhere the frame says it
// alone.
void draw_change_badge(Frame& frame, const std::string& name, const Site& ref);
// In a line of the font, ending at right: so that no number is covered. Gives what it takes of the line, 0 without one.
float change_badge_width(const Frame& frame, const Site& ref);
float put_change_badge(Frame& frame, const char* name, const Site& ref, ImVec2 right, ImFont* line);
// The same marks of what a view has worked out.
void draw_change(Frame& frame, const std::string& name, const MatrixChange& change, const Heatmap& heatmap);
void draw_change_number(Frame& frame, const std::string& name, const MatrixChange& change, ImVec2 right, ImFont* line);

// "Δ 12 %": the relative change; empty for what has not changed.
std::string change_text(const Frame& frame, const Site& ref);
// "was ±0.3" where the range of the colours has changed with the last edit; else empty.
std::string range_before(const Frame& frame, const Site& ref);
// The cell's value before the last edit, where that changed it.
std::optional<float> value_before(const Frame& frame, const Cell& cell);

}  // namespace hydra
