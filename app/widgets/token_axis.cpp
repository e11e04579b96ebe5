#include "app/widgets/token_axis.h"

#include <cmath>

namespace hydra {

namespace {
constexpr float kPi = 3.14159265f;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

int stride_for(float step, float needed) { return step >= needed ? 1 : static_cast<int>(std::ceil(needed / step)); }
}  // namespace

float text_width(ImFont* font, const std::string& text) {
  return font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, text.data(), text.data() + text.size()).x;
}

std::string clipped(ImFont* font, const std::string& text, float width) {
  if (text_width(font, text) <= width) return text;
  static const std::string ellipsis = "…";
  std::string kept = text;
  while (!kept.empty() && text_width(font, kept + ellipsis) > width) {
    do kept.pop_back();
    while (!kept.empty() && (static_cast<unsigned char>(kept.back()) & 0xc0) == 0x80);  // keep code points whole
    if (!kept.empty() && static_cast<unsigned char>(kept.back()) >= 0xc0) kept.pop_back();
  }
  return kept.empty() ? kept : kept + ellipsis;
}

void text_at(ImDrawList* list, ImFont* font, ImVec2 pos, ImU32 color, const std::string& text) {
  list->AddText(font, font->FontSize, {std::floor(pos.x), std::floor(pos.y)}, color, text.data(),
                text.data() + text.size());
}

void text_centered(ImDrawList* list, ImFont* font, ImVec2 center, ImU32 color, const std::string& text) {
  text_at(list, font, {center.x - 0.5f * text_width(font, text), center.y - 0.5f * font->FontSize}, color, text);
}

void math_at(ImDrawList* list, ImFont* font, ImFont* small, ImVec2 pos, ImU32 color, const std::string& text) {
  std::size_t from = 0;
  const auto put = [&](ImFont* face, float lower, std::string part) {
    text_at(list, face, {pos.x, pos.y + lower}, color, part);
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

void text_turned(ImDrawList* list, ImFont* font, ImVec2 pos, float degrees, ImU32 color, const std::string& text) {
  const int first = list->VtxBuffer.Size;
  // Drawn level at its place, then turned: ImGui has no turned text, but its vertices are ours. RenderText, because
  // AddText drops the letters that lie outside the clip rectangle before they are turned.
  font->RenderText(list, font->FontSize, {pos.x, pos.y - font->FontSize}, color,
                   ImVec4(-FLT_MAX, -FLT_MAX, FLT_MAX, FLT_MAX), text.data(), text.data() + text.size());
  const float angle = -degrees * kPi / 180, c = std::cos(angle), s = std::sin(angle);
  for (int k = first; k < list->VtxBuffer.Size; ++k) {
    ImVec2& p = list->VtxBuffer[k].pos;
    const float x = p.x - pos.x, y = p.y - pos.y;
    p = {pos.x + c * x - s * y, pos.y + s * x + c * y};
  }
}

bool is_labelled(int token, int stride, int marked) {
  if (marked >= 0 && std::abs(token - marked) < stride) return token == marked;
  return token % stride == 0;
}

void row_labels(ImDrawList* list, const TokenAxis& axis, float x, float width, float top, float step) {
  const int count = static_cast<int>(axis.tokens->size()), stride = stride_for(step, 0.82f * axis.font->FontSize);
  for (int i = 0; i < count; ++i) {
    if (!is_labelled(i, stride, axis.marked)) continue;
    const std::string label = clipped(axis.font, (*axis.tokens)[static_cast<std::size_t>(i)], width);
    const ImVec2 pos{x - text_width(axis.font, label),
                     top + (static_cast<float>(i) + 0.5f) * step - 0.5f * axis.font->FontSize};
    text_at(list, axis.font, pos, i == axis.marked ? axis.strong : axis.ink, label);
  }
}

void column_labels(ImDrawList* list, const TokenAxis& axis, float left, float step, float y, float height) {
  constexpr float degrees = 55;
  const float rise = std::sin(degrees * kPi / 180);
  const float longest = (height - 0.6f * axis.font->FontSize) / rise;
  const int count = static_cast<int>(axis.tokens->size()),
            stride = stride_for(step, 0.74f * axis.font->FontSize / rise);
  for (int j = 0; j < count; ++j) {
    if (!is_labelled(j, stride, axis.marked)) continue;
    const std::string label = clipped(axis.font, (*axis.tokens)[static_cast<std::size_t>(j)], longest);
    const ImVec2 pos{left + (static_cast<float>(j) + 0.5f) * step + 0.3f * axis.font->FontSize, y};
    text_turned(list, axis.font, pos, degrees, j == axis.marked ? axis.strong : axis.ink, label);
  }
}

}  // namespace hydra
