// The ink of a zero among the numbers of a matrix.
#pragma once
#include <algorithm>

#include "app/draw/color_map.h"

namespace hydra {

// A zero adds nothing to a sum: it steps back as far as it stays readable.
inline ImU32 zero_ink_on(Rgb ground) {
  constexpr float kLeast = 3.2f;  // of contrast
  const Rgb ink = rgb_of(ink_on(ground));
  for (float share = 0.45f; share < 1; share += 0.05f) {
    const auto mixed = [&](std::uint8_t a, std::uint8_t b) {
      return static_cast<std::uint8_t>(share * static_cast<float>(a) + (1 - share) * static_cast<float>(b));
    };
    const Rgb color{mixed(ink.r, ground.r), mixed(ink.g, ground.g), mixed(ink.b, ground.b)};
    const auto [low, high] = std::minmax({luminance(color), luminance(ground)});
    if ((high + 0.05f) / (low + 0.05f) >= kLeast) return to_u32(color);
  }
  return to_u32(ink);
}

}  // namespace hydra
