// The model beside the one that is shown: which it is, what is measured of it, and how two heads' patterns are drawn
// side by side (Heads, Likeness).
#pragma once
#include "app/draw/box.h"
#include "app/measures/beside.h"
#include "app/views/frame/controls.h"

namespace hydra {

// As it is shown; asks for it. No value: there is no such model, or it is being measured.
const Measured<BesideMeasure>& beside_of(const Frame& frame);
Likeness measure_between(const ViewState& view);  // Likeness's, where there is such a number between two models

// Which model it is, and the list of those that can be.
void beside_chip(Frame& frame, ui::Chips& chips);
void draw_beside_list(Frame& frame);
// Which of its heads stands beside the one in focus, with all of them in a list.
void other_head_chip(Frame& frame, ui::Chips& chips);
void draw_head_list(Frame& frame);
// Why nothing stands beside, or what it does not know; whether the two can be drawn.
bool beside_told(Frame& frame);

// Of its heads, a column of the table, the one that stands beside the head in focus: the one that was chosen, else the
// most alike.
std::optional<Index> head_beside(const Frame& frame, const BetweenModels& between);
std::string number_beside(const Frame& frame, const HeadPlace& head);  // "3", of several layers "2.3"
// "Head 2 and its most alike, head 4 of Heads by hand: cosine .97; by chance at most .41".
std::string sentence_beside(const Frame& frame, const BetweenModels& between);
// That sentence in lines from the present place on.
void draw_beside_sentence(Frame& frame, const char* name, float width);
// The head in focus, the one beside it, and their difference.
void draw_beside_pair(Frame& frame, const Box& box);

}  // namespace hydra
