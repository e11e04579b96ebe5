#include "app/platform/glyph_atlas.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>

#include "core/files/utf8.h"

namespace hydra {

namespace {

constexpr int kLastCode = 0xFFFE;

// Lookup tables as large as the codes can be, so that a glyph can be added without building them anew.
void widen_tables(ImFont& font) {
  const int known = font.IndexAdvanceX.Size;
  if (known > kLastCode) return;
  font.GrowIndex(kLastCode + 1);
  for (int code = known; code <= kLastCode; ++code) font.IndexAdvanceX[code] = font.FallbackAdvanceX;
}

// The face for the digits in a box of this font: the largest with digits of one width that leaves room for the frame,
// or the smallest.
const ImFont& digits_for(const ImFontAtlas& atlas, float size) {
  const ImFont* best = nullptr;
  const auto fits = [&](const ImFont* font) { return font->FontSize <= 0.95f * size; };
  for (const ImFont* font : atlas.Fonts) {
    if (font->GetCharAdvance('1') != font->GetCharAdvance('W')) continue;
    if (best == nullptr ||
        (fits(font) ? !fits(best) || font->FontSize > best->FontSize : !fits(best) && font->FontSize < best->FontSize))
      best = font;
  }
  return best != nullptr ? *best : *atlas.Fonts[0];
}

struct Texels {
  const ImFontAtlas& atlas;
  // Coverage of the glyph's picture at a pixel of the screen from the glyph's left top: the mean of its texels.
  int coverage(const ImFontGlyph& glyph, int col, int row) const {
    const float width = static_cast<float>(atlas.TexWidth), height = static_cast<float>(atlas.TexHeight);
    const float across = (glyph.U1 - glyph.U0) * width / (glyph.X1 - glyph.X0);
    const int v = static_cast<int>(glyph.V0 * height) + row;
    const int first = static_cast<int>(std::lround(glyph.U0 * width + across * static_cast<float>(col)));
    const int last =
        std::max(first + 1, static_cast<int>(std::lround(glyph.U0 * width + across * static_cast<float>(col + 1))));
    int sum = 0;
    for (int u = first; u < last; ++u)
      sum += static_cast<int>(atlas.TexPixelsRGBA32[v * atlas.TexWidth + u] >> IM_COL32_A_SHIFT);
    return sum / (last - first);
  }
};

void set_alpha(GlyphPicture& picture, int col, int row, int alpha) {
  if (col < 0 || row < 0 || col >= picture.width || row >= picture.height) return;
  std::uint8_t& texel = picture.rgba[4 * static_cast<std::size_t>(row * picture.width + col) + 3];
  texel = static_cast<std::uint8_t>(std::max<int>(texel, alpha));
}

}  // namespace

void GlyphAtlas::adopt(ImFontAtlas& atlas, int rows) {
  atlas_ = &atlas;
  reserved_ = rows;
  x_ = y_ = shelf_ = 0;
  unsigned char* texels = nullptr;
  int width = 0, height = 0;
  atlas.GetTexDataAsRGBA32(&texels, &width, &height);  // the digits of boxes are copied from here
  if (rows == 0) return;
  const ImFontAtlasCustomRect& part = atlas.CustomRects[0];  // reserved before the atlas added its own
  origin_ = {static_cast<float>(part.X), static_cast<float>(part.Y)};
  if (!part.IsPacked()) reserved_ = 0;
}

bool GlyphAtlas::place(int width, int height, ImVec2& at) {
  if (x_ + width > kPictureColumns) {
    x_ = 0;
    y_ += shelf_;
    shelf_ = 0;
  }
  shelf_ = std::max(shelf_, height);
  at = {origin_.x + static_cast<float>(x_), origin_.y + static_cast<float>(y_)};
  x_ += width;
  return y_ + shelf_ <= reserved_;
}

bool GlyphAtlas::add(ImFont& font, ImWchar code, const GlyphPicture& picture) {
  ImVec2 at{0, 0};
  // A texel of distance, so that neighbours do not shine through.
  const int columns = std::min(picture.width, kPictureColumns - 1);
  if (columns > 0 && !place(columns + 1, picture.height + 1, at)) return false;
  const auto texel = [&](int row) {
    return atlas_->TexPixelsRGBA32 + (static_cast<std::ptrdiff_t>(at.y) + row) * atlas_->TexWidth +
           static_cast<std::ptrdiff_t>(at.x);
  };
  const std::size_t line = std::size_t{4} * static_cast<std::size_t>(picture.width);
  for (int row = 0; row < picture.height; ++row)
    std::memcpy(texel(row), &picture.rgba[static_cast<std::size_t>(row) * line], 4 * static_cast<std::size_t>(columns));

  widen_tables(font);
  const ImVec2 scale = atlas_->TexUvScale;
  const float x = static_cast<float>(picture.left), width = static_cast<float>(columns),
              height = static_cast<float>(picture.height),
              y = std::round(font.Ascent) - static_cast<float>(picture.top);
  font.AddGlyph(nullptr, code, x, y, x + width, y + height, at.x * scale.x, at.y * scale.y, (at.x + width) * scale.x,
                (at.y + height) * scale.y, picture.advance);
  font.Glyphs.back().Colored = picture.colored ? 1 : 0;
  font.IndexLookup[code] = static_cast<ImWchar>(font.Glyphs.Size - 1);
  font.IndexAdvanceX[code] = picture.advance;
  font.Used4kPagesMap[code / 4096 >> 3] |= static_cast<ImU8>(1 << (code / 4096 & 7));
  font.FallbackGlyph = font.FindGlyphNoFallback(font.FallbackChar);  // the glyphs have moved
  font.DirtyLookupTables = false;
  return true;
}

GlyphPicture GlyphAtlas::box(const ImFont& font, std::string_view code_point) const {
  const Character c = decode(code_point, 0);
  char digits[16];
  if (c.code == Character::kNone)
    std::snprintf(digits, sizeof digits, "%02X", static_cast<unsigned>(static_cast<unsigned char>(code_point[0])));
  else
    std::snprintf(digits, sizeof digits, "%04X", static_cast<unsigned>(c.code));
  const ImFont& face = digits_for(*atlas_, font.FontSize);
  const ImFontGlyph& zero = *face.FindGlyph('0');
  const float step = std::ceil(zero.AdvanceX);
  const int pad = std::max(2, static_cast<int>(std::lround(0.16f * face.FontSize)));
  const int tall = static_cast<int>(std::ceil(zero.Y1 - zero.Y0));
  GlyphPicture box;
  box.width = 2 * pad + static_cast<int>(step) * static_cast<int>(std::strlen(digits));
  box.height = 2 * pad + tall;
  box.left = 1;
  box.top = pad + static_cast<int>(std::lround(0.5f * (0.73f * font.FontSize - static_cast<float>(tall))) + tall);
  box.advance = static_cast<float>(box.width + 2);
  box.rgba.assign(std::size_t{4} * static_cast<std::size_t>(box.width * box.height), 255);
  for (std::size_t k = 3; k < box.rgba.size(); k += 4) box.rgba[k] = 0;
  for (int col = 0; col < box.width; ++col) set_alpha(box, col, 0, 190), set_alpha(box, col, box.height - 1, 190);
  for (int row = 0; row < box.height; ++row) set_alpha(box, 0, row, 190), set_alpha(box, box.width - 1, row, 190);
  const Texels texels{*atlas_};
  for (int k = 0; digits[k] != '\0'; ++k) {
    const ImFontGlyph& digit = *face.FindGlyph(static_cast<ImWchar>(digits[k]));
    const int left = pad + k * static_cast<int>(step) + static_cast<int>(std::lround(digit.X0)),
              top = pad + static_cast<int>(std::lround(digit.Y0 - zero.Y0));
    for (int row = 0; row < static_cast<int>(std::ceil(digit.Y1 - digit.Y0)); ++row)
      for (int col = 0; col < static_cast<int>(std::ceil(digit.X1 - digit.X0)); ++col)
        set_alpha(box, left + col, top + row, texels.coverage(digit, col, row));
  }
  return box;
}

}  // namespace hydra
