#include "core/linalg/outliers.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/linalg/largest.h"

namespace hydra {

namespace {
constexpr Index kLookedAt = 4096, kLeast = 200, kLeftOut = 50;  // the last: one of so many
constexpr float kOverMedian = 9.5f, kOverUsual = 1.5f, kNothing = 1e-4f;
}  // namespace

Sizes sizes_of(MatIn<float> values) {
  Sizes sizes{largest_finite<float>(values), {}};
  Index step = 1 + (values.size() - 1) / kLookedAt;
  while (std::gcd(step, values.cols()) > 1) ++step;  // or some columns would never be met
  for (Index k = 0; k < values.size(); k += step) {
    const float size = std::abs(values(k / values.cols(), k % values.cols()));
    if (size > 0 && std::isfinite(size)) sizes.some.push_back(size);
  }
  return sizes;
}

Reach reach_of(std::span<const Sizes* const> matrices) {
  float largest = 0;
  for (const Sizes* of : matrices) largest = std::max(largest, of->largest);
  std::vector<float> sizes;
  for (const Sizes* of : matrices)
    std::ranges::copy_if(of->some, std::back_inserter(sizes), [&](float size) { return size > kNothing * largest; });
  const Reach all{largest, largest};
  if (std::ssize(sizes) < kLeast) return all;
  const auto at = [&](Index place) {  // from the largest down
    std::ranges::nth_element(sizes, sizes.begin() + place, std::greater<>());
    return sizes[static_cast<std::size_t>(place)];
  };
  const float median = at(std::ssize(sizes) / 2), usual = at(std::ssize(sizes) / kLeftOut);
  return largest >= kOverMedian * median && largest >= kOverUsual * usual ? Reach{usual, largest} : all;
}

}  // namespace hydra
