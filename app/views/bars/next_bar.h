// Beside the sentence, or under it, where a model reads words out of it: which may come next, the likeliest first, and
// what lets the model go on by itself. A click writes a word. Where the sentence has a word that is to be guessed
// ([MASK]), those that may stand in its place.
#pragma once
#include "app/views/frame/context.h"

namespace hydra {

// Whether the shown model can go on with its text; else why not, in one sentence.
std::string why_not_written(const Frame& frame);

// Of a bar that has so much room at most, the same for all words; 0: nothing is read out.
float next_bar_width(const Frame& frame, float most);
float next_bar_wants();  // room in which all of its words can stand
void draw_next_bar(Frame& frame, float width);

// Lets the model write, or stops it.
void write_or_stop(Frame& frame);

}  // namespace hydra
