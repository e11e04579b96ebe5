#include "app/draw/color_map.h"

#include "app/draw/format.h"
#include "app/draw/nth.h"
#include "core/text/wording.h"

#include <algorithm>
#include <cmath>

namespace hydra {

namespace {

struct Linear {
  float r, g, b;
};

// OKLab (Ottosson 2020): L is lightness 0..1; chroma and hue (degrees) are the polar form of a, b.
Linear from_oklch(float L, float chroma, float hue) {
  const float angle = hue * 3.14159265f / 180, a = chroma * std::cos(angle), b = chroma * std::sin(angle);
  const float l = std::pow(L + 0.3963377774f * a + 0.2158037573f * b, 3.0f);
  const float m = std::pow(L - 0.1055613458f * a - 0.0638541728f * b, 3.0f);
  const float s = std::pow(L - 0.0894841775f * a - 1.2914855480f * b, 3.0f);
  return {4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s,
          -1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s,
          -0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s};
}

bool displayable(const Linear& c) {
  return std::min({c.r, c.g, c.b}) >= -1e-4f && std::max({c.r, c.g, c.b}) <= 1.0001f;
}

std::uint8_t encode(float c) {
  c = std::clamp(c, 0.0f, 1.0f);
  return static_cast<std::uint8_t>(255 * (c <= 0.0031308f ? 12.92f * c : 1.055f * std::pow(c, 1 / 2.4f) - 0.055f) +
                                   0.5f);
}

// The displayable colour of this lightness and hue with at most this chroma: lightness is never given up.
Rgb in_gamut(float L, float chroma, float hue) {
  Linear c = from_oklch(L, chroma, hue);
  while (chroma > 0 && !displayable(c)) c = from_oklch(L, chroma = std::max(0.0f, chroma - 0.001f), hue);
  return {encode(c.r), encode(c.g), encode(c.b)};
}

using Table = std::array<Rgb, kColorMapSize>;

// Lightness runs in equal steps; chroma rises early, so that small weights show; the hue turns, so that large ones
// part.
Table sequential(float L0, float L1, float hue0, float hue1, float chroma) {
  Table table;
  for (int k = 0; k < kColorMapSize; ++k) {
    const float t = real(k) / (kColorMapSize - 1);
    const float rise = 1 - std::pow(1 - t, 4.0f), fall = 1 - 0.35f * t * t;
    nth(table, k) = in_gamut(L0 + (L1 - L0) * t, chroma * rise * fall, hue0 + (hue1 - hue0) * t);
  }
  return table;
}

// Entry 128 is zero (see color_at), 1 and 255 the ends; both arms have the same lightness and chroma at the same
// distance.
Table diverging(float L0, float L1, float chroma) {
  constexpr float kBlue = 252, kOrange = 55;
  Table table;
  for (int k = 0; k < kColorMapSize; ++k) {
    const float u = std::max(-1.0f, real(k - 128) / 127), t = std::abs(u);
    const float L = L0 + (L1 - L0) * t;
    float c = chroma * (1 - (1 - t) * (1 - t));
    while (c > 0 && !(displayable(from_oklch(L, c, kBlue)) && displayable(from_oklch(L, c, kOrange)))) c -= 0.001f;
    nth(table, k) = in_gamut(L, std::max(0.0f, c), u < 0 ? kBlue : kOrange);
  }
  return table;
}

// How much light a value of a channel is, from 0 to 1 (sRGB).
std::array<float, 256> light_of_channels() {
  std::array<float, 256> light;
  for (int c = 0; c < 256; ++c) {
    const float v = real(c) / 255;
    nth(light, c) = v <= 0.04045f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f);
  }
  return light;
}

}  // namespace

float luminance(Rgb color) {
  static const std::array<float, 256> light = light_of_channels();
  return 0.2126f * light[color.r] + 0.7152f * light[color.g] + 0.0722f * light[color.b];
}

namespace {

// Lightness by which lines and bars of that hue have a contrast of 3:1 with the ground of their theme: as it is, or the
// nearest.
float readable(float L, float chroma, float hue, bool dark) {
  const auto is_readable = [&] {
    const float Y = luminance(in_gamut(L, chroma, hue));
    return dark ? Y >= 0.128f : Y <= 0.278f;
  };
  while (!is_readable()) L += dark ? 0.005f : -0.005f;
  return L;
}

// Every frame asks for colours of heads and of branches by the dozen: each is computed once.
template <int count, class Color>
std::array<std::array<Rgb, count>, 2> light_and_dark(const Color& color) {
  std::array<std::array<Rgb, count>, 2> all;
  for (int k = 0; k < count; ++k) all[0][static_cast<std::size_t>(k)] = color(k, false);
  for (int k = 0; k < count; ++k) all[1][static_cast<std::size_t>(k)] = color(k, true);
  return all;
}

}  // namespace

const std::array<Rgb, kColorMapSize>& color_table(ColorMap map) {
  static const std::array<Table, kColorMaps> tables = {
      sequential(0.975f, 0.26f, 80, -65, 0.17f), diverging(0.965f, 0.46f, 0.15f),
      sequential(0.245f, 0.95f, -75, 95, 0.17f), diverging(0.30f, 0.80f, 0.13f)};
  return nth(tables, map);
}

Rgb color_at(ColorMap map, float t) {
  const float clamped = t > 0 ? std::min(t, 1.0f) : 0.0f;  // NaN becomes 0
  return nth(color_table(map), clamped * (kColorMapSize - 1) + 0.5f);
}

Rgb rgb_of(ImU32 color) {
  const auto channel = [&](int shift) { return static_cast<std::uint8_t>(color >> shift & 0xff); };
  return {channel(IM_COL32_R_SHIFT), channel(IM_COL32_G_SHIFT), channel(IM_COL32_B_SHIFT)};
}

ImU32 to_u32(Rgb color, float alpha) {
  return IM_COL32(color.r, color.g, color.b, static_cast<int>(std::clamp(alpha, 0.0f, 1.0f) * 255 + 0.5f));
}

ImU32 mixed(ImU32 ground, ImU32 color, float cover) {
  ImU32 result = IM_COL32_A_MASK;
  for (const int shift : {IM_COL32_R_SHIFT, IM_COL32_G_SHIFT, IM_COL32_B_SHIFT}) {
    const auto from = real(ground >> shift & 0xFF), to = real(color >> shift & 0xFF);
    result |= static_cast<ImU32>(from + cover * (to - from) + 0.5f) << shift;
  }
  return result;
}

ImU32 ink_on(Rgb color) {
  return luminance(color) > 0.179f ? IM_COL32(0, 0, 0, 255) : IM_COL32(255, 255, 255, 255);  // both contrasts equal
}

// Eight tones found by search: the least OKLab distance of any two, under normal vision and simulated protanopia and
// deuteranopia, is as large as it gets with a contrast of 3:1 to the ground of either theme. The first four are of four
// hues. Later ones are the same a little lighter or darker, by steps that keep all forty apart, and away from the
// ground where that side of the tone would sink into it.
ImU32 head_color(int head, bool dark) {
  struct Tone {
    float on_light, on_dark, hue;
  };
  constexpr Tone kTones[] = {{0.49f, 0.78f, 264}, {0.64f, 0.84f, 64},  {0.40f, 0.52f, 216}, {0.64f, 0.74f, 0},
                             {0.49f, 0.66f, 88},  {0.64f, 0.88f, 232}, {0.34f, 0.54f, 24},  {0.34f, 0.66f, 288}};
  constexpr float kShifts[] = {0, 0.04f, -0.02f, -0.07f, -0.05f};
  static const auto colors = light_and_dark<40>([&](int k, bool in_dark) {
    const Tone& tone = kTones[k % 8];
    const float chroma = in_dark ? 0.16f : 0.18f, shift = kShifts[k / 8], L = in_dark ? tone.on_dark : tone.on_light;
    const bool sinks = readable(L + shift, chroma, tone.hue, in_dark) != L + shift;
    return in_gamut(readable(sinks ? L - shift : L + shift, chroma, tone.hue, in_dark), chroma, tone.hue);
  });
  return to_u32(nth(colors[dark], head % 40));
}

ImU32 branch_color(int branch, bool dark) {
  struct Tone {
    float L, hue;
  };
  constexpr Tone kTones[] = {{0.34f, 250}, {0.62f, 60}, {0.46f, 150}, {0.70f, 310}, {0.40f, 20}, {0.56f, 200}};
  static const auto colors = light_and_dark<6>([&](int k, bool in_dark) {
    const float L = readable(kTones[k].L + (in_dark ? 0.2f : 0.0f), 0.045f, kTones[k].hue, in_dark);
    return in_gamut(L, 0.045f, kTones[k].hue);
  });
  return to_u32(nth(colors[dark], branch % 6));
}

ValueScale signed_scale(ColorMap map, const Reach& reach) {
  const auto nice = [](float size) { return size > 0 ? static_cast<float>(ui::nice_ceiling(size)) : 1.0f; };
  const float high = nice(reach.usual), most = nice(reach.largest);
  return {map, -high, high, most > high ? most : 0};
}

std::string range_text(const ValueScale& scale) {
  const std::string text = (scale.low < 0 ? "±" : "0 … ") + ui::number(scale.high, As::axis);
  if (scale.most <= 0) return text;
  return wording("widgets:range_beyond", {{"range", text}, {"most", ui::number(scale.most, As::axis)}});
}

}  // namespace hydra
