// Pictures of characters added to ImGui's atlas between its rebuilds: a reserved part of the texture is filled from the
// top, and the font gets a glyph that points there. Nothing is rebuilt as long as there is room.
#pragma once
#include <imgui.h>

#include <cstdint>
#include <string_view>

#include "app/platform/system_fonts.h"

namespace hydra {

// The part of the atlas that build_fonts reserves for pictures: so many rows of texels, this wide.
inline constexpr int kPictureColumns = 2000;

class GlyphAtlas {
 public:
  // After the atlas was built with so many rows reserved: all pictures are gone.
  void adopt(ImFontAtlas& atlas, int rows);
  // Gives the font a glyph for the code; false when there is no room for the picture. One wider than the part of the
  // atlas is cut at its right.
  bool add(ImFont& font, ImWchar code, const GlyphPicture& picture);
  // A frame with the code in it, in hexadecimal digits: what stands for a character that no font has. The digits are
  // those of the atlas, so there is always a box.
  GlyphPicture box(const ImFont& font, std::string_view code_point) const;

 private:
  bool place(int width, int height, ImVec2& at);

  ImFontAtlas* atlas_ = nullptr;
  ImVec2 origin_{0, 0};            // of the reserved part, in texels
  int reserved_ = 0;               // its rows
  int x_ = 0, y_ = 0, shelf_ = 0;  // where the next picture goes; height of the present shelf
};

}  // namespace hydra
