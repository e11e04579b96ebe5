#include "app/platform/system_fonts.h"

#include <cstdlib>
#include <string>

#include "app/platform/text_pieces.h"
#include "app/platform/web/bridge.h"
#include "core/files/utf8.h"

namespace hydra {

namespace {

float em_of(std::string_view word, float size) { return size * em_share(decode(word, 0).code); }

}  // namespace

struct SystemFonts::Faces {};

SystemFonts::SystemFonts() = default;
SystemFonts::~SystemFonts() = default;

bool SystemFonts::has(std::string_view) { return true; }  // a browser always draws something

std::optional<GlyphPicture> SystemFonts::picture(std::string_view word, float size) {
  HydraWord drawn{};
  if (!hydra_draw_word(std::string(word).c_str(), em_of(word, size), 1, &drawn)) return std::nullopt;
  GlyphPicture picture;
  picture.width = drawn.width;
  picture.height = drawn.height;
  picture.left = drawn.left;
  picture.top = drawn.top;
  picture.advance = drawn.advance;
  picture.colored = drawn.colored != 0;
  picture.rgba.assign(drawn.rgba, drawn.rgba + 4 * static_cast<std::size_t>(drawn.width) * drawn.height);
  std::free(drawn.rgba);
  return picture;
}

std::optional<float> SystemFonts::width(std::string_view word, float size) {
  HydraWord measured{};
  if (!hydra_draw_word(std::string(word).c_str(), em_of(word, size), 0, &measured)) return std::nullopt;
  return measured.advance;
}

}  // namespace hydra
