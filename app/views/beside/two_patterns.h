// Two patterns over as many tokens, and the second less the first, beside one another or, where that gives them more
// room, below. Drawn as made matrices: their numbers can be pointed at, selected and copied.
#pragma once
#include <span>
#include <string>

#include "app/views/frame/context.h"
#include "app/widgets/geometry.h"

namespace hydra {

struct ShownPattern {
  std::string key;  // "now": of its picture's name and of a number of it
  std::string title;
  const std::vector<std::string>& tokens;
  Array<float> weights;
};
struct TwoPatterns {
  std::string item;  // "stream/answer/": names of the pictures begin with it
  std::string made;  // "answer.": names by which their numbers are selected
  ShownPattern first, second;
  std::string difference;    // a title
  Array<float> hidden = {};  // -inf where a number is masked; null: none is
};
// The height that it takes; 0: there is no room.
float draw_two_patterns(Frame& frame, const TwoPatterns& patterns, const Box& box);

}  // namespace hydra
