// How well one colour is told from another: contrast by relative luminance (WCAG 2.1). Text needs 4.5, graphics 3.
#pragma once
#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace hydra {

inline double luminance(ImU32 color) {
  const auto channel = [&](int shift) {
    const double v = static_cast<double>(color >> shift & 0xFF) / 255;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * channel(IM_COL32_R_SHIFT) + 0.7152 * channel(IM_COL32_G_SHIFT) + 0.0722 * channel(IM_COL32_B_SHIFT);
}
inline double contrast(ImU32 a, ImU32 b) {
  const double low = std::min(luminance(a), luminance(b)), high = std::max(luminance(a), luminance(b));
  return (high + 0.05) / (low + 0.05);
}

}  // namespace hydra
