// Glyphs of font files, drawn by FreeType and laid over each other. system_fonts.cpp's alone.
#pragma once
#include <ft2build.h>
#include FT_FREETYPE_H

#include <memory>
#include <string>

#include "app/platform/system_fonts.h"

namespace hydra {

struct FaceCloser {
  void operator()(FT_Face face) const { FT_Done_Face(face); }
};
using FaceHandle = std::unique_ptr<FT_FaceRec_, FaceCloser>;  // null: the file cannot be read

class FontLibrary {
 public:
  FontLibrary();
  ~FontLibrary();
  FontLibrary(const FontLibrary&) = delete;
  FontLibrary& operator=(const FontLibrary&) = delete;

  FaceHandle open(const std::string& path, int index);  // must be closed before the library is

 private:
  FT_Library library_ = nullptr;
};

class GlyphCanvas {
 public:
  // The glyph at (x, y) from the pen's start on the baseline, y upwards, with an em of so many pixels.
  void draw(const FaceHandle& face, unsigned glyph, float em, float x, float y);
  // All of them; without its advance.
  GlyphPicture picture() const;

 private:
  // Straight colours. Coverage alone is white.
  struct Layer {
    int left, top, width, height;
    std::vector<std::uint8_t> rgba;
  };
  void add_coverage(const FT_GlyphSlot& slot, int left, int top);
  void add_colors(const FT_GlyphSlot& slot, float shrink, float x, float y);

  std::vector<Layer> layers_;
  bool colored_ = false;
};

}  // namespace hydra
