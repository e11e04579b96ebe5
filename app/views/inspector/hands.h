// What is held and typed in the inspector.
#pragma once
#include <optional>
#include <string>

#include "core/explain/quantity.h"
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

struct InspectorHands {
  std::optional<CellDrag> drag;
  std::optional<BarDrag> bar_drag;
  float height = 0;             // of the content before the drag
  std::optional<Cell> typed;    // the number being typed into its cell, while it is selected
  std::optional<Cell> in_bars;  // or beside its bar
  bool typing_starts = false, bar_typing_starts = false;
  std::string draft;      // of either
  std::string row_draft;  // a whole row being typed
  bool row_typing_starts = false;
  std::optional<Cell> copied;  // the number that was copied last: once more is its matrix
  std::optional<MadeCell> copied_made;
  std::optional<Cell> revealed;  // the selection that the grid last scrolled to, where it stands:
  int drawn = -2;                // in the layout of that number,
  bool in_strip = false;
  int lines_in_status = 0;   // of this layout (decide_lines_in_status)
  std::optional<Cell> told;  // the number whose steps a presentation's panel shows, from the top
};

}  // namespace hydra
