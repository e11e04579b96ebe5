// The parts of the inspector: editing the open matrix, and the arithmetic of the selected number.
#pragma once
#include <string>

#include "app/views/frame/context.h"
#include "app/views/inspector/hands.h"
#include "app/widgets/matrix/heatmap.h"
#include "app/widgets/matrix/matrix_editor.h"

namespace hydra::inspector {

inline InspectorHands& hands_of(const Frame& frame) { return frame.hands.of<InspectorHands>(); }
// The selected number is being typed, in its cell or beside its bar.
inline bool types_in_cell(const Frame& frame) {
  const std::optional<Cell>& typed = hands_of(frame).typed;
  return typed && typed == frame.view.selection;
}
inline bool types_in_bars(const Frame& frame) {
  const std::optional<Cell>& typed = hands_of(frame).in_bars;
  return typed && typed == frame.view.selection;
}

// The selected cell of the open matrix, if there is one.
std::optional<Cell> selected_cell(const Frame& frame);

// What the grid shows: a weight as the document has it, which may be a moment ahead of the trace.
MatView<float> shown_values(const Frame& frame, const Site& ref);

// How far a drag has changed a value: upwards increases, the range of the colours takes 120 pixels; rounded to a digit
// that the step is about the size of, so that values stay short. fine: Shift is held.
float dragged_value(float start, float travelled, float range, bool fine);

// What the user did in the grid and on the keyboard, as edits and changes of the selection.
void edit_with_pointer(Frame& frame, const GridResult& grid);
// A drag on a picture, by its name; nothing on numbers that are not edited so.
void drag_on_picture(Frame& frame, const char* picture, const Site& ref, const CellHit& hit);
void end_lost_drag_on_picture(Frame& frame);  // after a layout: of one that is not drawn any more
void edit_with_keys(Frame& frame);
void finish_typing(Frame& frame, GridResult::Typing typing);
// The operations on rows, columns and the whole: buttons under the grid, and the menu of the right button.
void block_operations(Frame& frame);

// Numbers that a hand may set in the place of computed ones: attention that the mask allows, and V.
bool can_be_painted(const Frame& frame, const Cell& cell);
// The painting that gives such a cell the value: of attention the other weights follow, of V they stay.
Edit painting_with(const Frame& frame, const Cell& cell, float value);
// Where panels are called (sides.h), at the bottom of the window: the last steps of the selected number in two lines,
// or on demand all of them with its matrix.
void draw_strip(Frame& frame);
float strip_height(const Frame& frame, ImVec2 window);  // 0 where nothing is selected
float lines_height(const Frame& frame, float width);
float line_height(const Frame& frame);
// In a presentation of some width the two lines stand in the place of the status line: how many of them do in this
// layout. Where it has more to say it has the upper one. Decided before anything is drawn, by which a picture says what
// is pointed at.
bool lines_replace_status(const Frame& frame, float width);
int decide_lines_in_status(Frame& frame, float width);
float buttons_width(const Frame& frame);  // of the selected number, at the right end of the strip

// Ends the drag of a bar that is not drawn any more, because another cell (or none) is selected.
void end_lost_drag(Frame& frame, const std::optional<Cell>& cell);
// The button that shows how to set the row of the selected cell by hand, and hides it, and its words: null where none
// can be. The row's field takes the keyboard when it is shown.
const std::string* paint_words(const Cell& cell);
bool paint_button(Frame& frame, const Cell& cell);
void draw_painting(Frame& frame, const Cell& cell);  // that button, and what it shows

// A number as people write it: a true minus, a decimal comma, blanks around. nullopt when it is none.
std::optional<float> parsed_number(std::string text);
// Sets the cell to what was typed, or says that it is no number.
void submit_number(Frame& frame, const Cell& cell, const std::string& text);

// How a term is written: "exp(" f0 "−" f1 ")".
struct Signs {
  const char *before, *between, *after;
};
const Signs& signs_of(Combine combine);
void draw_arithmetic(Frame& frame, const Cell& cell);
// What to do with the framed number, where one is offered in the open matrix; else the other words.
const std::string& offer_words(const Frame& frame, const std::string& otherwise);
// Of what is inspected; height: of the grid alone, without what explains the matrix; 0: all, as high as is usual.
void draw_title_and_matrix(Frame& frame, float height = 0);
// The steps of any explanation, as wide as the present window. probes: what their names for tests begin with.
void draw_steps(Frame& frame, const Explained& explained, const char* probes);

}  // namespace hydra::inspector
