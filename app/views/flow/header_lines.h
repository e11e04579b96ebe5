// Statements set in the lines of a box: each as full as the room allows, wrapped between words, nothing cut.
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace hydra {

struct HeaderPiece {
  int line = 0;
  float x = 0;
  int statement = 0;
  std::string text;
};

// Of each statement its versions, from the fullest to the briefest. What stands last is shortened first, and left out
// first where even that is too much; nothing is left of a word that is wider than the box. gap: between statements that
// share a line.
std::vector<HeaderPiece> header_lines(const std::vector<std::vector<std::string>>& statements, float width, int lines,
                                      float gap, const std::function<float(const std::string&)>& measure);

}  // namespace hydra
