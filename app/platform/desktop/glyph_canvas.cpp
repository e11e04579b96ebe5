#include "app/platform/desktop/glyph_canvas.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include FT_OUTLINE_H

namespace hydra {

namespace {

constexpr float kFixed = 64;  // FreeType counts in 64ths of a pixel

// The strike of a face of pictures that shrinks least; -1 for a face of outlines.
int nearest_strike(FT_Face face, float em) {
  int best = -1;
  for (int k = 0; k < face->num_fixed_sizes; ++k) {
    const auto ppem = [&](int strike) { return static_cast<float>(face->available_sizes[strike].y_ppem) / kFixed; };
    const bool better = best < 0 || (ppem(k) >= em && (ppem(best) < em || ppem(k) < ppem(best))) ||
                        (ppem(best) < em && ppem(k) > ppem(best));
    if (better) best = k;
  }
  return best;
}

}  // namespace

FontLibrary::FontLibrary() { FT_Init_FreeType(&library_); }
FontLibrary::~FontLibrary() {
  if (library_ != nullptr) FT_Done_FreeType(library_);
}

FaceHandle FontLibrary::open(const std::string& path, int index) {
  FT_Face face = nullptr;
  if (library_ == nullptr || FT_New_Face(library_, path.c_str(), index, &face) != 0) return nullptr;
  return FaceHandle(face);
}

void GlyphCanvas::draw(const FaceHandle& handle, unsigned glyph, float em, float x, float y) {
  FT_Face face = handle.get();
  if (face == nullptr) return;
  if (FT_HAS_COLOR(face)) colored_ = true;
  float shrink = 1;
  if (FT_IS_SCALABLE(face)) {
    FT_Set_Char_Size(face, 0, static_cast<FT_F26Dot6>(std::lround(em * kFixed)), 72, 72);
  } else {
    const int strike = nearest_strike(face, em);
    if (strike < 0 || FT_Select_Size(face, strike) != 0) return;
    shrink = em * kFixed / static_cast<float>(face->available_sizes[strike].y_ppem);
  }
  // Hinted upwards only, so that shapes stay where the shaper has put them.
  const FT_Int32 how = FT_HAS_COLOR(face) ? FT_LOAD_COLOR : FT_LOAD_NO_BITMAP;
  if (FT_Load_Glyph(face, glyph, how | FT_LOAD_TARGET_LIGHT) != 0) return;
  FT_GlyphSlot slot = face->glyph;
  const int whole_x = static_cast<int>(std::floor(x)), whole_y = static_cast<int>(std::lround(y));
  if (slot->format == FT_GLYPH_FORMAT_OUTLINE)
    FT_Outline_Translate(&slot->outline, std::lround((x - static_cast<float>(whole_x)) * kFixed), 0);
  if (slot->format != FT_GLYPH_FORMAT_BITMAP && FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL) != 0) return;
  if (slot->bitmap.width == 0 || slot->bitmap.rows == 0) return;
  if (slot->bitmap.pixel_mode == FT_PIXEL_MODE_BGRA) add_colors(slot, shrink, x, y);
  if (slot->bitmap.pixel_mode == FT_PIXEL_MODE_GRAY)
    add_coverage(slot, whole_x + slot->bitmap_left, whole_y + slot->bitmap_top);
}

void GlyphCanvas::add_coverage(const FT_GlyphSlot& slot, int left, int top) {
  const FT_Bitmap& from = slot->bitmap;
  Layer layer{left, top, static_cast<int>(from.width), static_cast<int>(from.rows), {}};
  layer.rgba.assign(std::size_t{4} * from.width * from.rows, 255);
  for (unsigned row = 0; row < from.rows; ++row)
    for (unsigned col = 0; col < from.width; ++col)
      layer.rgba[4 * (std::size_t{row} * from.width + col) + 3] =
          from.buffer[static_cast<std::ptrdiff_t>(row) * from.pitch + static_cast<std::ptrdiff_t>(col)];
  layers_.push_back(std::move(layer));
}

// The picture made smaller: each texel the mean of what it covers, by whole source texels.
void GlyphCanvas::add_colors(const FT_GlyphSlot& slot, float shrink, float x, float y) {
  const FT_Bitmap& from = slot->bitmap;
  const int width = std::max(1, static_cast<int>(std::lround(shrink * static_cast<float>(from.width))));
  const int height = std::max(1, static_cast<int>(std::lround(shrink * static_cast<float>(from.rows))));
  Layer layer{static_cast<int>(std::lround(x + shrink * static_cast<float>(slot->bitmap_left))),
              static_cast<int>(std::lround(y + shrink * static_cast<float>(slot->bitmap_top))),
              width,
              height,
              {}};
  const auto bound = [](int k, int of, unsigned texels) {
    return static_cast<unsigned>(static_cast<std::int64_t>(k) * texels / of);
  };
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col) {
      unsigned sums[4] = {}, count = 0;
      const unsigned last_row = std::max(bound(row + 1, height, from.rows), bound(row, height, from.rows) + 1);
      const unsigned last_col = std::max(bound(col + 1, width, from.width), bound(col, width, from.width) + 1);
      for (unsigned r = bound(row, height, from.rows); r < last_row; ++r)
        for (unsigned c = bound(col, width, from.width); c < last_col; ++c, ++count)
          for (unsigned k = 0; k < 4; ++k)
            sums[k] +=
                from.buffer[static_cast<std::ptrdiff_t>(r) * from.pitch + static_cast<std::ptrdiff_t>(4 * c + k)];
      const unsigned alpha = sums[3];  // the colours are multiplied with it
      for (const unsigned k : {2u, 1u, 0u})
        layer.rgba.push_back(static_cast<std::uint8_t>(alpha == 0 ? 0 : std::min(255u, sums[k] * 255 / alpha)));
      layer.rgba.push_back(static_cast<std::uint8_t>(alpha / count));
    }
  layers_.push_back(std::move(layer));
}

GlyphPicture GlyphCanvas::picture() const {
  GlyphPicture all;
  all.colored = colored_;
  if (layers_.empty()) return all;
  int left = layers_[0].left, top = layers_[0].top, right = left, bottom = top;
  for (const Layer& l : layers_) {
    left = std::min(left, l.left), top = std::max(top, l.top);
    right = std::max(right, l.left + l.width), bottom = std::min(bottom, l.top - l.height);
  }
  all.left = left, all.top = top, all.width = right - left, all.height = top - bottom;
  all.rgba.assign(std::size_t{4} * static_cast<std::size_t>(all.width) * static_cast<std::size_t>(all.height), 0);
  for (const Layer& l : layers_)
    for (int row = 0; row < l.height; ++row)
      for (int col = 0; col < l.width; ++col) {
        const std::uint8_t* from = &l.rgba[4 * static_cast<std::size_t>(row * l.width + col)];
        std::uint8_t* to =
            &all.rgba[4 * static_cast<std::size_t>((row + top - l.top) * all.width + col + l.left - left)];
        const int alpha = from[3] + to[3] * (255 - from[3]) / 255;
        if (from[3] >= to[3]) std::copy(from, from + 3, to);  // overlaps are of one colour, or faint
        to[3] = static_cast<std::uint8_t>(alpha);
      }
  return all;
}

}  // namespace hydra
