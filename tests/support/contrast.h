// How well one colour is told from another: contrast by relative luminance (WCAG 2.1), of which text needs 4.5,
// graphics 3; and the distance of two in CIELAB (1976), as they are seen, or without the eye's cones for green.
#pragma once
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace hydra {

using Light = std::array<double, 3>;  // linear: red, green, blue

inline Light light_of(ImU32 color) {
  const auto channel = [&](int shift) {
    const double v = static_cast<double>(color >> shift & 0xFF) / 255;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  return {channel(IM_COL32_R_SHIFT), channel(IM_COL32_G_SHIFT), channel(IM_COL32_B_SHIFT)};
}
inline double luminance(ImU32 color) {
  const Light light = light_of(color);
  return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
}
inline double contrast(ImU32 a, ImU32 b) {
  const double low = std::min(luminance(a), luminance(b)), high = std::max(luminance(a), luminance(b));
  return (high + 0.05) / (low + 0.05);
}

inline Light product(const std::array<Light, 3>& rows, const Light& light) {
  Light found{};
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t j = 0; j < 3; ++j) found[k] += rows[k][j] * light[j];
  return found;
}
// As deuteranopes see it (Machado, Oliveira and Fernandes 2009).
inline Light without_green_cones(const Light& light) {
  Light seen = product(
      {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}, light);
  for (double& channel : seen) channel = std::clamp(channel, 0.0, 1.0);
  return seen;
}
inline double lab_distance(const Light& one, const Light& other) {
  const auto lab = [](const Light& light) {
    Light xyz = product({{{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}}, light);
    xyz[0] /= 0.9505, xyz[2] /= 1.089;
    for (double& t : xyz) t = t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116;
    return Light{116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])};
  };
  const Light a = lab(one), b = lab(other);
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

}  // namespace hydra
