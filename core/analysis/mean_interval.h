// The mean of what was sampled, with its 95 % confidence interval.
//
// Student's t misses the mean too often where values are skewed, as the effects of heads are (most sentences need a
// head a little, some very much). Hall's transformation takes the skewness out of t (P. Hall 1992, "On the removal of
// skewness by transformation", J. R. Statist. Soc. B 54): with W = (mean - mu) / s and g the skewness,
// Q(W) = W + g W^2 / 3 + g^2 W^3 / 27 + g / (6 n) has Student's distribution / sqrt(n). Tested for coverage.
#pragma once
#include <limits>
#include <span>

#include "core/linalg/types.h"

namespace hydra {

// Of a share of n answers, with the point t of the distribution: E. B. Wilson 1927, J. Am. Statist. Assoc. 22.
struct ScoreInterval {
  double low, high;
};
ScoreInterval score_interval(double share, double t, double n);

struct MeanInterval {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  double mean = kNone, low = kNone, high = kNone;  // low and high: of two values or more
};
// Of the finite values.
MeanInterval mean_interval(std::span<const double> values);

// Of a share of answers of so many sequences that were drawn: the score interval as if each sequence were one answer,
// which is never too narrow, however much the answers of a sequence go together. NaN where the share is not from 0 to
// 1, or there is no sequence.
MeanInterval share_interval(double share, Index sequences);

// The 97.5 % point of Student's t: exact to four digits; from 4 degrees on Fisher's expansion about the normal one.
double student(Index degrees);

}  // namespace hydra
