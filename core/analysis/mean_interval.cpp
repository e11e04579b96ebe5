#include "core/analysis/mean_interval.h"

#include <algorithm>
#include <cmath>

namespace hydra {

namespace {

constexpr double kNormalPoint = 1.959964;  // 97.5 %

// W of the Q that Hall's transformation gives: where skewness is none, the same.
double before_transformation(double q, double skewness, double n) {
  if (std::abs(skewness) < 1e-9) return q;
  return 3 / skewness * (std::cbrt(1 + skewness * (q - skewness / (6 * n))) - 1);
}

}  // namespace

double student(Index degrees) {
  if (degrees < 4) return degrees == 1 ? 12.7062 : degrees == 2 ? 4.3027 : 3.1824;
  const double z = kNormalPoint, v = static_cast<double>(degrees), z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
  return z + (z3 + z) / (4 * v) + (5 * z5 + 16 * z3 + 3 * z) / (96 * v * v) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * v * v * v);
}

ScoreInterval score_interval(double share, double t, double n) {
  const double squared = t * t / n, middle = (share + squared / 2) / (1 + squared);
  const double half = t / (1 + squared) * std::sqrt(std::max(0.0, share * (1 - share)) / n + squared / (4 * n));
  return {middle - half, middle + half};
}

MeanInterval share_interval(double share, Index sequences) {
  MeanInterval interval;
  if (!(share >= 0 && share <= 1) || sequences < 1) return interval;
  const ScoreInterval score = score_interval(share, kNormalPoint, static_cast<double>(sequences));
  return {share, std::max(0.0, score.low), std::min(1.0, score.high)};
}

MeanInterval mean_interval(std::span<const double> values) {
  MeanInterval interval;
  double sum = 0, n = 0;
  for (const double value : values)
    if (std::isfinite(value)) sum += value, ++n;
  if (n == 0) return interval;
  interval.mean = sum / n;
  if (n < 2) return interval;
  double squares = 0, cubes = 0;
  for (const double value : values)
    if (const double off = value - interval.mean; std::isfinite(value)) squares += off * off, cubes += off * off * off;
  const double deviation = std::sqrt(squares / (n - 1)), t = student(static_cast<Index>(n) - 1) / std::sqrt(n);
  const double skewness =
      n > 2 && deviation > 0 ? cubes * n / ((n - 1) * (n - 2)) / (deviation * deviation * deviation) : 0;
  interval.low = interval.mean - deviation * before_transformation(t, skewness, n);
  interval.high = interval.mean - deviation * before_transformation(-t, skewness, n);
  return interval;
}

}  // namespace hydra
