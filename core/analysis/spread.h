// Several values of one number: over heads, over seeds, over random draws.
#pragma once
#include <limits>
#include <vector>

#include "core/linalg/types.h"

namespace hydra {

// Of the finite values; all not a number where there is none. median: of an even count the mean of the middle two.
struct Spread {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  double least = kNone, median = kNone, mean = kNone, most = kNone;
  Index count = 0;  // of the values
};
Spread spread_of(std::vector<double> values);

}  // namespace hydra
