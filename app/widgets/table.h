// A table of words and numbers: columns as data, what stands in a cell as a function of its row and column. Data in,
// hit out. Its header stays where it is while the rows scroll; only rows that are seen are asked for.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/canvas.h"
#include "app/widgets/geometry.h"
#include "core/linalg/types.h"

namespace hydra {

struct TableColumn {
  std::string key;                      // its header is the probe NAME/column/KEY
  std::vector<std::string> title = {};  // its lines
  float left = 0, right = 0;            // from the table's left; a unit of it stays free at both sides
  enum class Kind { words, number, drawn } kind = Kind::number;  // words begin at its left, numbers end at its right
  bool sorts = false;                                            // by a click; else it is only explained
  int faint = 0;      // so many lines of the title, from the last, are fainter
  bool math = false;  // the title is set as Canvas::math_at has it
};

// Under a number, from 0 or from the middle of the column.
struct TableBar {
  double part = 0;    // of the column, −1 to 1; not finite: none
  bool both = false;  // there are negative ones in this column
  ImU32 color = 0;
  std::optional<double> mark = {};  // a line there
};

struct TableCell {
  std::string text;
  ImU32 ink = 0;  // 0: normal
  std::optional<TableBar> bar = {};
};

struct Table : Look {  // font: of its titles
  std::string name;    // of its room and its probes
  ImFont *words = nullptr, *strong = nullptr, *numbers = nullptr;
  std::vector<TableColumn> columns;
  Index rows = 0;
  float header = 0, row = 0;    // heights
  bool titles_on_top = false;   // in the header; else at its foot
  std::optional<Index> marked;  // this row; its words are strong where strong is a face
  std::optional<int> sorted;    // by this column
  std::function<TableCell(Index row, int column)> cell;
  // Of columns of that kind, instead.
  std::function<void(Index row, int column, ImVec2 low, ImVec2 high)> drawn;
  // A row that is drawn though it is out of sight; where each is, for who has to know (probes).
  std::function<bool(Index row)> is_held = {};
  std::function<void(Index row, ImVec2 low, ImVec2 high)> placed = {};  // of every row
  // On all rows, from the first one's corner; so many have to be scrolled to.
  std::function<void(ImVec2 corner, Index below)> over = {};
  bool points = true;       // the row under the pointer has a ground
  ImU32 marked_ground = 0;  // 0: that of what is in focus
};

struct TableResult {
  Index row = -1;   // under the pointer
  int column = -1;  // under the pointer, in a row or in the header
  bool in_header = false, clicked = false;
  Index below = 0;  // rows that have to be scrolled to
};

TableResult draw_table(Canvas& canvas, const Table& table, const Box& box);

}  // namespace hydra
