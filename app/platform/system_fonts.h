// Words drawn with whatever fonts the system has: found by fontconfig, shaped by HarfBuzz, rasterized by FreeType.
// Where the build found none of them, no word can be drawn (system_fonts_none.cpp). Knows neither ImGui nor the atlas.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace hydra {

struct GlyphPicture {
  int width = 0, height = 0;
  int left = 0, top = 0;  // of the upper left corner from the pen on the baseline; top is positive upwards
  float advance = 0;
  bool colored = false;  // else white: coverage is in alpha
  std::vector<std::uint8_t> rgba;
};

class SystemFonts {
 public:
  SystemFonts();  // reads nothing: fonts are looked for when the first word is
  ~SystemFonts();
  SystemFonts(const SystemFonts&) = delete;
  SystemFonts& operator=(const SystemFonts&) = delete;

  // Whether one font has all of the cluster (clusters.h).
  bool has(std::string_view cluster);
  // The word as it is written: joined, reordered, from right to left where the script is, for a face of this size (the
  // height of a line, in pixels). Nothing when a font is missing for one of its clusters.
  std::optional<GlyphPicture> picture(std::string_view word, float size);
  std::optional<float> width(std::string_view word, float size);  // the picture's advance

 private:
  struct Faces;
  Faces& faces();
  std::unique_ptr<Faces> faces_;
};

}  // namespace hydra
