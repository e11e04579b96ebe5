// How far a range of colours goes over the numbers of one or several matrices: to the largest, or, where a few numbers
// are so large that most others would look like nothing, only to what all but the largest fiftieth stay within.
#pragma once
#include <span>
#include <vector>

#include "core/linalg/array.h"

namespace hydra {

// Of the finite numbers of a matrix.
struct Sizes {
  float largest = 0;
  std::vector<float> some;  // |x| of those that are not 0; of a large matrix of a part, evenly spread
};
Sizes sizes_of(MatIn<float> values);

struct Reach {
  float usual = 0;    // of all but the outliers
  float largest = 0;  // usual where there are none
  bool has_outliers() const { return usual < largest; }
  bool operator==(const Reach&) const = default;
};
// There are outliers where the largest number is at least nine and a half times the median and half as large again as
// usual, of 200 numbers or more: of normal or evenly spread numbers there are none, nor of the few of a small sentence.
// Numbers that are nothing against the largest (a ten thousandth), like zeros, are not counted: in a sparse matrix the
// others are what it says.
Reach reach_of(std::span<const Sizes* const> matrices);

}  // namespace hydra
