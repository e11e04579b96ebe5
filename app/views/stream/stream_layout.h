// Where the parts of the Stream view stand: pure arithmetic, so that it can be tested for every size.
//
//   layers up, tokens across             the stream of one token, from X at the bottom up
//         words                          name  a line of numbers  size  share  cosine  what it writes
//         next words, where there are    ...
//      ▒▒▒ ▒▒▒ ▒▒▒  how likely they are
//   2  ▒▒▒ ▒▒▒ ▒▒▒  what leaves
//      ıı  ıı  ıı   what is added        ...
//   1  ▒▒▒ ▒▒▒ ▒▒▒
//      ıı  ıı  ıı
//   X  ▒▒▒ ▒▒▒ ▒▒▒
//   legends
#pragma once
#include "app/widgets/geometry.h"

namespace hydra {

struct StreamInput : LayoutInput {  // below the toolbar
  int tokens = 1, layers = 1;
  float word = 0;         // width of the longest word
  float next_word = 0;    // of the longest of the next words; 0: nothing is read out
  float name = 0;         // of the longest name of a line
  float number = 0;       // of a number in a line
  int lines = 1;          // of the ladder
  bool features = false;  // lines say in words which features they write
};

struct StreamLayout {
  Box grid_title;
  Box numbers;        // of the layers, left of the grid
  Box grid;           // words over cells; scrolls sideways where content is wider
  float content = 0;  // width of all tokens
  float words = 0;    // height over the cells
  float next = 0;     // height between words and cells: next words over a strip; 0: none
  ImVec2 cell;        // a token at a layer: what is added, under what leaves
  float strip = 0;    // height of what leaves
  Box legends;

  Box ladder_title, head;  // head: over the columns of the lines
  Box ladder;              // scrolls
  float line = 0;          // height of a line
  // The columns of a line, from its upper left corner. Of no width: left out. The features stand behind the numbers, or
  // under the picture where the view is not that wide.
  Box name, picture, size, share, cosine, features;
};

StreamLayout stream_layout(const StreamInput& in);
// The least height at which the ladder does not scroll, words are whole and layers have what they add.
float height_of(const StreamInput& in);

// From the corner of the grid's content: a token's next word with the strip under it; the strip.
Box next_box(const StreamLayout& at, int token);
Box next_strip_box(const StreamLayout& at, int token);
// What leaves a layer, counted from 1 (0: X), and over what the layer adds.
Box strip_box(const StreamLayout& at, int layers, int layer, int token);
Box bars_box(const StreamLayout& at, int layers, int layer, int token);

}  // namespace hydra
