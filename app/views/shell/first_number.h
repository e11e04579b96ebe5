// The number that keys select where none is selected yet.
#pragma once
#include <optional>

#include "app/views/frame/context.h"

namespace hydra {

// The strongest of a row: of pairs the largest, of other numbers the largest either way; null where the matrix is not
// held.
std::optional<Cell> strongest_in_row(const Frame& frame, const Site& site, Index row);
// Of the row of the token in view, where rows are tokens, else of the first one.
std::optional<Cell> first_number_of(const Frame& frame, const Site& site);
// Of the view's main picture (context.h), or where it draws none of a matrix of the pattern of the head in focus.
std::optional<Cell> first_number(const Frame& frame);

}  // namespace hydra
