// An explanation with what is needed to lay it out: worked out once per selected number, not per frame.
#pragma once
#include <vector>

#include "app/draw/format.h"
#include "core/explain/explain.h"

namespace hydra {

struct StepLayout {
  std::vector<int> strongest;      // the terms by falling |value|
  std::vector<int> factor_chars;   // widest text of each factor column, in characters
  std::vector<int> factor_digits;  // decimals of each factor column
  int value_chars = 0, value_digits = 0;
  double least = 0, most = 0;  // finite values of the terms, and 0
};

struct Explained {
  Explanation explanation;
  std::vector<StepLayout> steps;
};

Explained lay_out(Explanation explanation);

}  // namespace hydra
