// Two patterns over as many tokens, or what two sentences' tokens have in a head, and the second less the first, beside
// one another or, where that gives them more room, below. Drawn as made matrices: their numbers can be pointed at,
// selected and copied.
#pragma once
#include <span>
#include <string>

#include "app/views/frame/context.h"
#include "app/widgets/geometry.h"

namespace hydra {

struct ShownMatrix {
  std::string key;  // "now": of its picture's name and of a number of it
  std::string title;
  const std::vector<std::string>& tokens;  // of its rows
  Array<float> matrix;
};
struct TwoMatrices {
  std::string item;  // "stream/answer/": names of the pictures begin with it
  std::string made;  // "answer.": names by which their numbers are selected
  ShownMatrix first, second;
  std::string difference;    // a title
  bool of_pairs = true;      // columns are tokens, too, and numbers weights; else numbers of a vector
  Array<float> hidden = {};  // -inf where a number is masked; null: none is
};
// The height that it takes; 0: there is no room.
float draw_two_matrices(Frame& frame, const TwoMatrices& patterns, const Box& box);

}  // namespace hydra
