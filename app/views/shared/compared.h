// Tables and plots as functions of a state of the model: what the last change moved is marked in them, as it is in
// pictures. Of what is measured only what is known of the other state is compared; nothing that takes long is measured
// for it.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/views/frame/context.h"
#include "app/widgets/plot/plot.h"
#include "app/widgets/table.h"

namespace hydra {

// The state that is not the one shown, where changes are marked.
std::optional<Source> other_state(Frame& frame);
// "was 0.31", or "now" while the state before is looked at.
std::string told_other(const Frame& frame, const std::string& value);

// Marks a number that says something else there, as in tables.
void changed_corner(Frame& frame, ImVec2 upper_right, float side);

// What stands in the cells of a table, as text; none: of this state nothing is known.
using CellTexts = std::function<std::string(Index row, int column)>;
// Marks the cells that say something else in the other state of the last change: before it, or, while that is looked
// at, after it. texts_of: of any state, with rows and columns as the table's.
void compare(Frame& frame, Table& table, const std::function<CellTexts(const Source&)>& texts_of);
// "was 0.31", where such a cell is pointed at; else empty.
std::string told_other(const Frame& frame, const TableResult& at);

// Draws the other state's values behind those of the plot, in the colour of changes. Series that are the same are left
// out.
void compare(Frame& frame, Plot& plot, const std::function<std::vector<PlotSeries>(const Source&)>& series_of);

}  // namespace hydra
