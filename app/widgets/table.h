// A table of words and numbers: columns as data, what stands in a cell as a function of its row and column. Data in,
// hit out. Its header stays in sight while the rows scroll; only cells that are seen are asked for. Where its columns
// are too many for its width they stand in bands under each other, each with all rows, or it scrolls sideways.
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
  int faint = 0;          // so many lines of the title, from the last, are fainter
  bool math = false;      // the title is set as Canvas::math_at has it
  bool at_right = false;  // the title of a drawn one ends at its right
  std::string foot = {};  // under the title, faint
};

// A title over several columns, from left to right of the table.
struct TableGroup {
  std::string title;
  float left = 0, right = 0;
};

// Columns that stand beside each other under a header, over all rows.
struct TableBand {
  int first = 0, count = 0;  // of the columns
  float top = 0;             // from that of the table
  float header = 0;          // height
  std::vector<TableGroup> groups = {};
};

// Under a number, from 0 or from the middle of the column.
struct TableBar {
  double part = 0;    // of the column, −1 to 1; not finite: none
  bool both = false;  // there are negative ones in this column
  ImU32 color = 0;
  std::optional<double> mark = {};  // a line there
  double chance = 0;                // so far to both sides of 0 lies chance: a pale band behind it
  struct Range {
    double low = 0, middle = 0, high = 0;
  };
  std::optional<Range> range = {};  // a line under it, with a point in its middle
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
  float header = 0, row = 0;          // heights
  float bar = 0;                      // of a bar; 0: as high as it usually is
  bool titles_on_top = false;         // in the header; else at its foot
  float title_line = 1.15f;           // of a title, in heights of its letters
  std::vector<TableBand> bands = {};  // empty: one, of all columns that are not frozen
  int frozen = 0;                     // so many columns stand in every band, and stay when the others scroll sideways
  bool sideways = false;              // scrolls sideways, too
  std::optional<Index> marked;        // this row; its words are strong where strong is a face
  std::optional<int> sorted;          // by this column
  std::function<TableCell(Index row, int column)> cell;
  // Of columns of that kind, instead.
  std::function<void(Index row, int column, ImVec2 low, ImVec2 high)> drawn;
  // A row that is drawn though it is out of sight; where each is, for who has to know (probes).
  std::function<bool(Index row)> is_held = {};
  std::function<void(Index row, ImVec2 low, ImVec2 high)> placed = {};  // of every row
  // On all rows of a band, from the first one's corner; so many have to be scrolled to.
  std::function<void(ImVec2 corner, Index below)> over = {};
  // What a cell says in another state, where that is something else; empty: the same. It has a mark then.
  std::function<std::string(Index row, int column)> other = {};
  std::function<bool(Index row)> begins = {};  // whether a line stands over it
  std::optional<Index> shown = {};             // this row is scrolled into sight now
  bool points = true;                          // the row under the pointer has a ground
  ImU32 marked_ground = 0;                     // 0: that of what is in focus
};

struct TableResult {
  Index row = -1;   // under the pointer
  int column = -1;  // under the pointer, in a row or in the header
  bool in_header = false, clicked = false;
  ImVec2 low, high;        // of the cell or header that is under the pointer
  std::string other = {};  // what that cell says in the other state
  Index below = 0;         // rows that have to be scrolled to
};

// The mark of a number that says something else in the other state: a corner of its cell.
void draw_changed_corner(Canvas& canvas, ImVec2 upper_right, float side, ImU32 color);

TableResult draw_table(Canvas& canvas, const Table& table, const Box& box);

}  // namespace hydra
