#include "app/draw/text.h"

#include <algorithm>
#include <cmath>

#include "app/platform/glyphs.h"

namespace hydra {

namespace {

// How many bytes of the text, whole code points, are at most width wide. Reads no further than that.
std::size_t bytes_within(ImFont* font, const std::string& text, float width) {
  if (!(width >= 0)) return 0;
  const char* rest = nullptr;
  const float beyond = std::nextafter(width, FLT_MAX);  // ImGui stops at what reaches its limit
  font->CalcTextSizeA(font->FontSize, beyond, 0, text.data(), text.data() + text.size(), &rest);
  return static_cast<std::size_t>(rest - text.data());
}

}  // namespace

const std::string& drawable(ImFont* font, const std::string& text) {
  Glyphs* glyphs = Glyphs::current();
  return glyphs == nullptr ? text : glyphs->shown(font, text);
}

const char* imgui_text(const std::string& text) { return drawable(ImGui::GetFont(), text).c_str(); }

float text_width(ImFont* font, const std::string& text) {
  if (Glyphs* glyphs = Glyphs::current()) return glyphs->width(font, text);
  return font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, text.data(), text.data() + text.size()).x;
}

float widest(ImFont* font, const std::vector<std::string>& texts) {
  float width = 0;
  for (const std::string& text : texts) width = std::max(width, text_width(font, text));
  return width;
}

std::string clipped(ImFont* font, const std::string& text, float width) {
  if (text.size() > kMostShown) return clipped(font, within_sight(text), width);
  Glyphs* glyphs = Glyphs::current();
  if (glyphs != nullptr && !glyphs->is_plain(font, text)) return glyphs->clipped(font, text, width);
  static const std::string ellipsis = "…";
  if (bytes_within(font, text, width) == text.size()) return text;
  const std::size_t kept = bytes_within(font, text, width - text_width(font, ellipsis));
  return kept == 0 ? "" : text.substr(0, end_of_beginning(text, kept)) + ellipsis;
}

std::string fitting(ImFont* font, float width, const std::vector<std::string>& texts) {
  for (const std::string& text : texts)
    if (text_width(font, text) <= width) return text;
  return clipped(font, *(texts.end() - 1), width);
}

}  // namespace hydra
