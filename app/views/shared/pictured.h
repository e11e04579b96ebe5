// Pictures of matrices that are no matrix of the model: what is worked out of a source, or measured of it, and rows
// that stand alone. One door: drawing, numbers, marks of change, selection, copy, hover and the status line come with
// it.
#pragma once
#include <functional>
#include <string>

#include "app/views/frame/context.h"

namespace hydra {

struct Pictured {
  std::string name;   // a key, by which a number of it is selected: "rollout"
  std::string title;  // "Rollout": what it is, for the status line and for who listens
  Backing shown;      // no matrix: it is on its way
  ValueScale scale;
  // The same of any source, so that the state before can be compared: no matrix where it has none. Empty: not compared.
  std::function<Backing(const Source&)> of = {};
  // "it → cat": where a number stands; none: its row and column.
  std::function<std::string(Index row, Index col)> place = {};
  // Where they are numbers of the model: which one the first is, those beside and below it follow. Then that number is
  // pointed at and selected, and what is linked to the selected one is outlined.
  std::optional<Cell> first = {};
  Array<float> hidden = {};  // of the matrix's shape, -inf where a number is masked; null: none is
};

struct PicturedOptions {
  bool square_cells = true;      // else cells stretch to fill the size
  bool row = false;              // whole pixels for each cell, though they are not square
  bool values = true;            // numbers in cells when they fit
  bool clickable = true;         // a click selects the number
  bool framed = true;            // a line around it
  bool points = true;            // a number of the model is pointed at by the pointer over it
  ImFont* value_font = nullptr;  // default: fonts.mono_small
  ImU32 grid = 0;                // lines between cells of that colour; 0: none
  // Where a line of text ends, in which by how much it has changed stands; none: nowhere.
  std::optional<ImVec2> badge = {};
};

// item: the probe's name.
PictureResult picture(Frame& frame, const std::string& item, const Pictured& pictured, ImVec2 pos, ImVec2 size,
                      const PicturedOptions& options = {});

// The numbers of such pictures that are pointed at and selected, as they were drawn in this layout.
struct ToldMade {
  MadeCell cell;
  std::string title, place;
  Backing values;
  float value() const { return (*values.matrix)(values.row0 + cell.row, values.col0 + cell.col); }
};
struct MadeNumbers {
  std::optional<ToldMade> pointed, selected;
  bool was_selected = false;  // in the layout before
};
void begin_made_numbers(Frame& frame);  // of a layout

// Of what is pointed at, else selected; null where there is none.
const ToldMade* told_made(const Frame& frame);
// The selected one, where it is drawn: what keys and copying are of. null: none is.
const ToldMade* selected_made(const Frame& frame);
bool has_selected_made(const Frame& frame);  // the same, whether it is drawn in this layout yet or not
// "Rollout[it → cat] = "
std::string place_of(const ToldMade& told);
void move_made(Frame& frame, Index rows, Index cols);  // the selected one, within its matrix

}  // namespace hydra
