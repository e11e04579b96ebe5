#include "app/widgets/pen.h"

#include <algorithm>
#include <cmath>

#include "app/platform/glyphs.h"

namespace hydra {

namespace pen {

void fill(ImVec2 min, ImVec2 max, ImU32 color, float rounding) { list()->AddRectFilled(min, max, color, rounding); }
void frame(ImVec2 min, ImVec2 max, ImU32 color, float thick, float rounding) {
  list()->AddRect(min, max, color, rounding, 0, thick);
}
void line(ImVec2 from, ImVec2 to, ImU32 color, float thick) { list()->AddLine(from, to, color, thick); }
void dotted(ImVec2 from, ImVec2 to, ImU32 color, float thick) {
  const ImVec2 d{to.x - from.x, to.y - from.y};
  const float length = std::hypot(d.x, d.y), half = 0.5f * thick;
  const int dots = std::max(1, static_cast<int>((length / thick + 1) / 2));
  for (int k = 0; k < dots; ++k) {
    const float at =
        dots == 1 ? 0.5f : (half + static_cast<float>(k) * (length - thick) / static_cast<float>(dots - 1)) / length;
    const ImVec2 p{from.x + at * d.x, from.y + at * d.y};
    fill({p.x - half, p.y - half}, {p.x + half, p.y + half}, color);
  }
}
void disc(ImVec2 center, float radius, ImU32 color) { list()->AddCircleFilled(center, radius, color); }
void ring(ImVec2 center, float radius, ImU32 color, float thick) { list()->AddCircle(center, radius, color, 0, thick); }

namespace {
bool has_layers() { return list()->_Splitter._Count > 1; }
}  // namespace

Layers::Layers() {
  list()->ChannelsSplit(2);
  list()->ChannelsSetCurrent(1);
}
Layers::~Layers() { list()->ChannelsMerge(); }
Below::Below() {
  if (has_layers()) list()->ChannelsSetCurrent(0);
}
Below::~Below() {
  if (has_layers()) list()->ChannelsSetCurrent(1);
}

}  // namespace pen

namespace {
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

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

void text_sized(ImFont* font, float size, ImVec2 pos, ImU32 color, const std::string& text) {
  const std::string& line = drawable(font, text);
  pen::list()->AddText(font, size, {std::floor(pos.x), std::floor(pos.y)}, color, line.data(),
                       line.data() + line.size());
}

void text_at(ImFont* font, ImVec2 pos, ImU32 color, const std::string& text, float width) {
  text_sized(font, font->FontSize, pos, color, width == kNoLimit ? text : clipped(font, text, width));
}

void text_up_to(ImFont* font, ImVec2 end, ImU32 color, const std::string& text) {
  text_at(font, {end.x - text_width(font, text), end.y}, color, text);
}

void text_centered(ImFont* font, ImVec2 center, ImU32 color, const std::string& text) {
  text_at(font, {center.x - 0.5f * text_width(font, text), center.y - 0.5f * font->FontSize}, color, text);
}

void TextLine::put(ImFont* font, ImU32 color, const std::string& text, float gap) {
  text_at(font, pos, color, text, end - pos.x);
  pos.x += text_width(font, text) + gap;
}

void math_at(ImFont* font, ImFont* small, ImVec2 pos, ImU32 color, const std::string& text) {
  std::size_t from = 0;
  const auto put = [&](ImFont* face, float lower, std::string part) {
    text_at(face, {pos.x, pos.y + lower}, color, part);
    pos.x += text_width(face, part);
  };
  for (std::size_t at = text.find('_'); at != std::string::npos && at + 1 < text.size(); at = text.find('_', from)) {
    put(font, 0, text.substr(from, at - from));
    from = at + 2;
    const auto continues = [&](bool (*kind)(char)) { return kind(text[at + 1]) && kind(text[from]); };
    while (from < text.size() && (continues(is_digit) || continues(is_capital))) ++from;  // O_64, W_QK: all of it
    put(small, 0.32f * font->FontSize, text.substr(at + 1, from - at - 1));
  }
  put(font, 0, text.substr(from));
}

void text_turned(ImFont* font, float size, ImVec2 pos, float degrees, ImU32 color, const std::string& text) {
  ImDrawList* list = pen::list();
  const int first = list->VtxBuffer.Size;
  const std::string& line = drawable(font, text);
  // Drawn level at its place, then turned: ImGui has no turned text, but its vertices are ours. RenderText, because
  // AddText drops the letters that lie outside the clip rectangle before they are turned.
  font->RenderText(list, size, {pos.x, pos.y - size}, color, ImVec4(-FLT_MAX, -FLT_MAX, FLT_MAX, FLT_MAX), line.data(),
                   line.data() + line.size());
  const float angle = -degrees * 3.14159265f / 180, c = std::cos(angle), s = std::sin(angle);
  for (int k = first; k < list->VtxBuffer.Size; ++k) {
    ImVec2& p = list->VtxBuffer[k].pos;
    const float x = p.x - pos.x, y = p.y - pos.y;
    p = {pos.x + c * x - s * y, pos.y + s * x + c * y};
  }
}

}  // namespace hydra
