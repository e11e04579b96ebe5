// Text: a UI face (Inter, else DejaVu Sans) and a mono face with tabular figures (DejaVu Sans Mono), found on the
// system at run time; ImGui's own face with ASCII spellings when there is none.
#pragma once
#include <imgui.h>

#include <string>

namespace hydra {

struct Fonts {
  ImFont* small = nullptr;       // 12.5 px at scale 1: axis labels, captions
  ImFont* text = nullptr;        // 15 px: everything else
  ImFont* strong = nullptr;      // 15 px semibold: titles of pictures
  ImFont* large = nullptr;       // 21 px: the sentence
  ImFont* mono = nullptr;        // 13 px: numbers
  ImFont* mono_small = nullptr;  // 11 px: numbers in cells
  bool unicode = true;           // false: the fallback face; use ASCII spellings
  std::string description;       // which files, for --version
};

// Clears and fills the current context's atlas for this scale, with so many rows of texels left free for the pictures
// of glyphs.h. The caller re-uploads the texture afterwards, under the same name.
Fonts build_fonts(float scale, int picture_rows = 0);

}  // namespace hydra
