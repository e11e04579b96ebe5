// What the colours of outlines mean, where outlines are on the screen.
#pragma once
#include "app/views/frame/context.h"

namespace hydra {

struct OutlineMeaning {
  ImU32 color;
  const char* key;          // for tests
  const char *word, *text;  // texts: "reads"; the same in a sentence
  bool filled = false;      // as the badge of a change is; else an outline
};
// Of everything that outlines can mean, for the page of keys.
std::vector<OutlineMeaning> outline_meanings(const Frame& frame);

void draw_outline_square(const Frame& frame, ImVec2 corner, float side, const OutlineMeaning& meaning);

// Squares and words, of what is outlined now, ending at right; how wide they are. Nothing while nothing is outlined, or
// where it would be wider than room.
float draw_outline_key(const Frame& frame, float right, float middle, float room);

}  // namespace hydra
