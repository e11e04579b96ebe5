// A build without fontconfig, HarfBuzz and FreeType: no script beyond those of the interface's own faces can be drawn.
#include "app/platform/system_fonts.h"

namespace hydra {

struct SystemFonts::Faces {};

SystemFonts::SystemFonts() = default;
SystemFonts::~SystemFonts() = default;
bool SystemFonts::has(std::string_view) { return false; }
std::optional<GlyphPicture> SystemFonts::picture(std::string_view, float) { return std::nullopt; }
std::optional<float> SystemFonts::width(std::string_view, float) { return std::nullopt; }

}  // namespace hydra
