// A matrix as a grid of numbers on their value colours, with headers that stay in place while the cells scroll. Data
// in, what the user did out; only visible cells are drawn, so the matrix may be as large as it likes.
#pragma once
#include <imgui.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/canvas.h"
#include "app/draw/color_map.h"
#include "app/platform/theme.h"
#include "app/widgets/matrix/token_axis.h"
#include "core/linalg/types.h"

namespace hydra {

struct GridCell {
  Index row = 0, col = 0;
  bool operator==(const GridCell&) const = default;
};

struct GridOutline {  // around cells [row0, row1) x [col0, col1)
  Index row0 = 0, row1 = 0, col0 = 0, col1 = 0;
  ImU32 color = 0;
  float thickness = 1;
  bool dashed = false;  // black and white; color and thickness do not matter
};

struct GridGhost {  // a cell's value before it was edited, kept beside the present one
  GridCell cell;
  float before = 0;
};

struct MatrixGrid {
  explicit MatrixGrid(const MatView<float>& matrix) : values(matrix) {}

  MatView<float> values;
  ValueScale scale;
  std::function<std::string(Index)> row_label, col_label;
  const LabelMarks *row_marks = nullptr, *col_marks = nullptr;
  bool words_above = false;  // column labels are words: drawn turned
  ImFont* numbers = nullptr;
  ImFont* labels = nullptr;
  const Theme* theme = nullptr;
  float unit = 4;
  ImVec2 room;  // what there is; cells grow narrower or wider to use the width
  std::vector<GridOutline> outlines;
  std::function<bool(Index, Index)> unread;   // cells that do not count: hatched, without a number; none when empty
                                              // (weights that no slice reads, pairs that the mask hides)
  std::function<float(Index, Index)> change;  // 0 to 1: a frame inside the cell, as thick; none when empty
  std::optional<GridCell> marked;             // its headers are strong
  std::optional<GridCell> reveal;             // scrolls so far that this cell is seen
  std::optional<GridGhost> ghost;
  std::string* draft = nullptr;   // text being typed into the marked cell; null when none is
  bool start_typing = false;      // the first frame of typing: takes the keyboard
  const char* probe_prefix = "";  // names visible cells "prefix/row,col"
};

struct GridResult {
  std::optional<GridCell> hovered;
  bool pressed = false, double_clicked = false, right_clicked = false;  // this frame, on the hovered cell
  bool held = false;                                                    // the left button went down on a cell and stays
  enum class Typing { none, submitted, dropped } typing = Typing::none;
  Index row0 = 0, row1 = 0, col0 = 0, col1 = 0;  // the cells in view
};

// What the grid takes of its room, headers and scroll bars included.
struct GridSize {
  ImVec2 size;
  bool whole = true;  // nothing has to be scrolled to
};
GridSize grid_size(const MatrixGrid& grid);
GridResult matrix_grid(Canvas& canvas, const char* id, const MatrixGrid& grid);  // of that size

// Decimals with which cells of a scale are written: two digits where the values are.
int grid_decimals(const ValueScale& scale);

}  // namespace hydra
