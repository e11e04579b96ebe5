// What is typed, held and unfolded in the inspector.
#pragma once
#include <optional>
#include <string>

#include "core/analysis/quantity.h"
#include "core/linalg/array.h"

namespace hydra {

struct CellDrag {  // a cell held by the pointer
  Cell cell;
  std::string picture;         // on which; empty: in the grid
  float start = 0, range = 1;  // its value when it was taken; of the colours then
  float travelled = 0;         // upwards, in pixels of a plain drag at text scale 1
  bool moved = false;          // far enough to be a drag and not a click
  bool dropped = false;        // Esc: over, though the button is still down
};

struct BarDrag {  // a bar of a painted row held by the pointer
  Cell cell;
  Array<float> start;    // the row when it was taken
  bool dropped = false;  // Esc: over, though the button is still down
};

struct InspectorState {
  bool offers = false;          // the document is one that opens with a weight worth dragging
  std::optional<Cell> offered;  // that of the open matrix, framed while no number is selected
  std::optional<CellDrag> drag;
  std::optional<BarDrag> bar_drag;
  float height = 0;                // of its content before the drag
  bool painting_open = false;      // shows how to set the selected row by hand
  std::optional<Index> typed_bar;  // whose number is being typed, in cell_draft
  bool bar_typing_starts = false;
  std::string row_draft;  // a whole row being typed
  bool row_typing_starts = false;
  std::string cell_draft;  // text being typed into a cell
  bool typing_in_cell = false, typing_starts = false;
  std::optional<Cell> copied;                    // the number that was copied last: once more is its matrix
  std::optional<Cell> revealed;                  // the selection that the grid last scrolled to
  std::optional<Cell> told;                      // the number whose steps a presentation's panel shows, from the top
  bool terms_by_size = true, all_terms = false;  // how long sums are listed
};

}  // namespace hydra
