// What lies under the pointer, as a layout finds it: each writes one anew, and the next reads what the last one found.
#pragma once
#include <optional>

#include "core/linalg/types.h"
#include "core/model/site.h"

namespace hydra {

struct MainPicture {
  Site site;
  bool in_focus = false;  // a pattern, of the head in focus or of several
  float area = 0;
};

// Two heads, from 0; -1: none.
struct HeadPair {
  int first = -1, second = -1;
  bool has(int head) const { return head >= 0 && (head == first || head == second); }
};

struct Glance {
  std::optional<Cell> cell;                 // what every view highlights
  HeadPair heads;                           // on a map, a tree, a matrix of heads
  Index head_count = 0;                     // of those that are compared; 0: none, here and below
  Index length = 0;                         // of a text that is timed
  int width = -1;                           // its place among those that heads are fitted in; -1: none, also below
  Index question = -1;                      // that trained models answer
  std::optional<MainPicture> main_picture;  // what keys select in first
  bool moving = false;                      // something moves without input
};

}  // namespace hydra
