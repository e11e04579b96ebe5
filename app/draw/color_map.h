// Value colours. One table serves the shader (as a texture), the legends and the tests.
#pragma once
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>

#include "core/linalg/outliers.h"

namespace hydra {

// sequential: attention, 0..1 fixed. diverging: signed values, centred on zero. Perceptually uniform (built in OKLab),
// one pair for the light ground and one for the dark: zero is always near the ground, so only data stand out.
enum class ColorMap { sequential_light, diverging_light, sequential_dark, diverging_dark };
inline constexpr int kColorMaps = 4;
inline constexpr int kColorMapSize = 256;

struct Rgb {
  std::uint8_t r, g, b;
};

const std::array<Rgb, kColorMapSize>& color_table(ColorMap map);
// t in 0..1 (clamped); nearest entry, exactly as the shader takes it: index = int(t * 255 + 0.5).
Rgb color_at(ColorMap map, float t);
ImU32 to_u32(Rgb color, float alpha = 1.0f);
Rgb rgb_of(ImU32 color);     // without its alpha
float luminance(Rgb color);  // relative, of sRGB, from 0 to 1 (WCAG 2.1)

// How values become t: (value - low) / (high - low). What lies beyond has the end's colour and is hatched.
struct ValueScale {
  ColorMap map = ColorMap::sequential_light;
  float low = 0, high = 1;
  float most = 0;  // the size up to which values go that the range leaves out; 0: none does
  float t(float value) const { return (value - low) / (high - low); }
  Rgb color(float value) const { return color_at(map, t(value)); }
  bool is_beyond(float value) const {  // by more than rounding, as in heatmap_full.frag
    const float at = t(value);
    return at < -kRounded || at > 1 + kRounded;
  }
  float end() const { return std::max({std::abs(low), std::abs(high), most}); }
  static constexpr float kRounded = 1e-4f;
};
// Of values with both signs, to a nice number.
ValueScale signed_scale(ColorMap map, const Reach& reach);
// "±20", "0 … 1", "±20, beyond: hatched, up to 100".
std::string range_text(const ValueScale& scale);

// Black or white, whichever reads on the colour.
ImU32 ink_on(Rgb color);

// The categorical palette of heads: the first eight are told apart with colour-vision deficiency; later ones repeat the
// hues at other lightness. dark: for the dark ground.
ImU32 head_color(int head, bool dark);
// Of branches of a run: pale against the heads', which stand in the same charts.
ImU32 branch_color(int branch, bool dark);
// The colour with another alpha, 0 to 255.
inline ImU32 with_alpha(ImU32 color, unsigned alpha) {
  return (color & ~IM_COL32_A_MASK) | (alpha << IM_COL32_A_SHIFT);
}
// What the second colour looks like on the first when it covers so much of it, 0 to 1; opaque, so that it looks the
// same wherever it is drawn.
ImU32 mixed(ImU32 ground, ImU32 color, float cover);

}  // namespace hydra
