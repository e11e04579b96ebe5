#include "app/draw/color_map.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

using namespace hydra;

namespace {

using Triple = Eigen::Vector3d;

double to_linear(int byte) {
  const double v = byte / 255.0;
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

Triple linear(Rgb c) { return {to_linear(c.r), to_linear(c.g), to_linear(c.b)}; }
Triple linear(ImU32 c) {
  return linear(
      Rgb{static_cast<std::uint8_t>(c), static_cast<std::uint8_t>(c >> 8), static_cast<std::uint8_t>(c >> 16)});
}

// Ottosson 2020.
Triple oklab(const Triple& rgb) {
  Eigen::Matrix3d to_lms, to_lab;
  to_lms << 0.4122214708, 0.5363325363, 0.0514459929, 0.2119034982, 0.6806995451, 0.1073969566, 0.0883024619,
      0.2817188376, 0.6299787005;
  to_lab << 0.2104542553, 0.7936177850, -0.0040720468, 1.9779984951, -2.4285922050, 0.4505937099, 0.0259040371,
      0.7827717662, -0.8086757660;
  const Triple lms = to_lms * rgb;
  return to_lab * Triple(lms.unaryExpr([](double x) { return std::cbrt(x); }));
}

double lightness(Rgb c) { return oklab(linear(c)).x(); }
double chroma(Rgb c) { return oklab(linear(c)).tail<2>().norm(); }

// Machado, Oliveira, Fernandes 2009, severity 1, on linear RGB.
Triple deuteranope(const Triple& rgb) {
  Eigen::Matrix3d m;
  m << 0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881;
  return (m * rgb).cwiseMax(0).cwiseMin(1);
}
Triple protanope(const Triple& rgb) {
  Eigen::Matrix3d m;
  m << 0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998;
  return (m * rgb).cwiseMax(0).cwiseMin(1);
}

double relative_luminance(const Triple& rgb) { return rgb.dot(Triple(0.2126, 0.7152, 0.0722)); }
double contrast(const Triple& a, const Triple& b) {
  const auto [low, high] = std::minmax({relative_luminance(a), relative_luminance(b)});
  return (high + 0.05) / (low + 0.05);
}

}  // namespace

TEST_CASE("color map: sequential lightness runs one way in equal steps", "[widgets][color_map]") {
  for (const ColorMap map : {ColorMap::sequential_light, ColorMap::sequential_dark}) {
    const auto& table = color_table(map);
    const double sign = map == ColorMap::sequential_light ? -1 : 1;
    const double step = (lightness(table[255]) - lightness(table[0])) / 255;
    CHECK(sign * step > 0.7 / 255);  // uses most of the range
    for (int k = 0; k < 255; ++k) {
      CAPTURE(k);
      CHECK(sign * (lightness(table[k + 1]) - lightness(table[k])) > -0.002);  // 8-bit rounding
      CHECK(lightness(table[k]) == Approx(lightness(table[0]) + k * step).margin(0.004));
    }
    for (int k = 0; k + 4 < 256; ++k) CHECK(sign * (lightness(table[k + 4]) - lightness(table[k])) > 0);
  }
}

TEST_CASE("color map: diverging arms mirror each other in lightness and chroma around zero", "[widgets][color_map]") {
  for (const ColorMap map : {ColorMap::diverging_light, ColorMap::diverging_dark}) {
    const auto& table = color_table(map);
    CHECK(chroma(table[128]) < 0.01);
    for (int k = 1; k < 128; ++k) {
      CAPTURE(k);
      CHECK(lightness(table[128 + k]) == Approx(lightness(table[128 - k])).margin(0.004));
      CHECK(chroma(table[128 + k]) == Approx(chroma(table[128 - k])).margin(0.008));
    }
    const double sign = map == ColorMap::diverging_light ? -1 : 1;
    for (int k = 128; k + 4 < 256; ++k) CHECK(sign * (lightness(table[k + 4]) - lightness(table[k])) > 0);
  }
}

TEST_CASE("color map: the two signs part for every kind of vision", "[widgets][color_map]") {
  for (const ColorMap map : {ColorMap::diverging_light, ColorMap::diverging_dark}) {
    const auto& table = color_table(map);
    for (const int k : {32, 64, 127}) {
      const Triple negative = linear(table[128 - k]), positive = linear(table[128 + k]);
      CAPTURE(k);
      CHECK((oklab(negative) - oklab(positive)).norm() > 0.08);
      CHECK((oklab(deuteranope(negative)) - oklab(deuteranope(positive))).norm() > 0.08);
      CHECK((oklab(protanope(negative)) - oklab(protanope(positive))).norm() > 0.08);
    }
  }
}

TEST_CASE("color map: lookup rounds to the nearest entry, clamps, and maps NaN to the start", "[widgets][color_map]") {
  const auto& table = color_table(ColorMap::diverging_light);
  const auto same = [](Rgb a, Rgb b) { return a.r == b.r && a.g == b.g && a.b == b.b; };
  CHECK(same(color_at(ColorMap::diverging_light, 0.5f), table[128]));
  CHECK(same(color_at(ColorMap::diverging_light, -3), table[0]));
  CHECK(same(color_at(ColorMap::diverging_light, 7), table[255]));
  CHECK(same(color_at(ColorMap::diverging_light, 100.4f / 255), table[100]));
  CHECK(same(color_at(ColorMap::diverging_light, 100.6f / 255), table[101]));
  CHECK(same(color_at(ColorMap::diverging_light, std::nanf("")), table[0]));
  const ValueScale scale{ColorMap::diverging_light, -2, 2};
  CHECK(same(scale.color(0), table[128]));
  CHECK(same(scale.color(2), table[255]));
}

TEST_CASE("color map: numbers in cells read on every colour (WCAG AA)", "[widgets][color_map]") {
  for (int map = 0; map < kColorMaps; ++map)
    for (const Rgb& color : color_table(static_cast<ColorMap>(map)))
      CHECK(contrast(linear(color), linear(ink_on(color))) >= 4.5);
}

TEST_CASE("head colors: the first eight are told apart under normal and dichromatic vision", "[widgets][color_map]") {
  for (const bool dark : {false, true}) {
    std::vector<Triple> colors;
    for (int head = 0; head < 8; ++head) colors.push_back(linear(head_color(head, dark)));
    for (int a = 0; a < 8; ++a)
      for (int b = 0; b < a; ++b) {
        CAPTURE(dark, a, b);
        CHECK((oklab(colors[a]) - oklab(colors[b])).norm() > 0.11);
        CHECK((oklab(deuteranope(colors[a])) - oklab(deuteranope(colors[b]))).norm() > 0.11);
        CHECK((oklab(protanope(colors[a])) - oklab(protanope(colors[b]))).norm() > 0.11);
      }
  }
}

TEST_CASE("head colors: no two of the first forty are the same, and 128 are defined", "[widgets][color_map]") {
  std::vector<ImU32> seen;
  for (int head = 0; head < 40; ++head) seen.push_back(head_color(head, false));
  std::sort(seen.begin(), seen.end());
  CHECK(std::adjacent_find(seen.begin(), seen.end()) == seen.end());
  CHECK((head_color(127, true) >> IM_COL32_A_SHIFT) == 255);
}

TEST_CASE("color maps: a mixed colour is opaque and lies between both", "[widgets][color_map]") {
  const ImU32 ground = IM_COL32(250, 0, 16, 255), color = IM_COL32(10, 200, 16, 90);
  CHECK(mixed(ground, color, 0) == IM_COL32(250, 0, 16, 255));
  CHECK(mixed(ground, color, 1) == IM_COL32(10, 200, 16, 255));
  CHECK(mixed(ground, color, 0.25f) == IM_COL32(190, 50, 16, 255));
}
