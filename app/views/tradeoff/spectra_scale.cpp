#include "app/views/tradeoff/spectra_scale.h"

#include <algorithm>
#include <cmath>

#include "app/widgets/color_map.h"
#include "core/analysis/diversity.h"

namespace hydra {

ImU32 spectrum_shade(bool dark, int k, int count) {
  constexpr float kFirst = 0.44f;  // of the value colours; those before are too near the ground
  const float t = count > 1 ? static_cast<float>(k) / static_cast<float>(count - 1) : 0.5f;
  return to_u32(color_at(dark ? ColorMap::sequential_dark : ColorMap::sequential_light, kFirst + (1 - kFirst) * t));
}

double spectra_foot(Index n) {
  return std::pow(10, std::floor(std::log10(0.1 * zero_level(std::max<Index>(1, n), n)) + 1e-9));
}

}  // namespace hydra
