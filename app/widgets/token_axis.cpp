#include "app/widgets/token_axis.h"

#include <algorithm>
#include <cmath>

#include "app/platform/glyphs.h"
#include "app/widgets/label_steps.h"
#include "app/widgets/nth.h"
#include "app/widgets/probe.h"
#include "core/text/clusters.h"

namespace hydra {

namespace {
constexpr float kPi = 3.14159265f;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

int stride_for(float step, float needed) { return step >= needed ? 1 : static_cast<int>(std::ceil(needed / step)); }

// How many bytes of the text, whole code points, are at most width wide. Reads no further than that.
std::size_t fitting(ImFont* font, const std::string& text, float width) {
  if (!(width >= 0)) return 0;
  const char* rest = nullptr;
  const float beyond = std::nextafter(width, FLT_MAX);  // ImGui stops at what reaches its limit
  font->CalcTextSizeA(font->FontSize, beyond, 0, text.data(), text.data() + text.size(), &rest);
  return static_cast<std::size_t>(rest - text.data());
}

// The height of labels that stand every step and need so much of a step per height: the font's, or smaller, down to
// what can still be read.
float label_size(ImFont* font, float step, float per_height) {
  return std::clamp(std::floor(step / per_height), std::min(kLeastLabel, font->FontSize), font->FontSize);
}
}  // namespace

const std::string& drawable(ImFont* font, const std::string& text) {
  Glyphs* glyphs = Glyphs::current();
  return glyphs == nullptr ? text : glyphs->shown(font, text);
}

const char* imgui_text(const std::string& text) { return drawable(ImGui::GetFont(), text).c_str(); }

float text_width(ImFont* font, const std::string& text) {
  const std::string& line = drawable(font, text);
  return font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, line.data(), line.data() + line.size()).x;
}

std::string clipped(ImFont* font, const std::string& text, float width) {
  Glyphs* glyphs = Glyphs::current();
  if (glyphs != nullptr && !glyphs->is_plain(font, text)) return glyphs->clipped(font, text, width);
  static const std::string ellipsis = "…";
  if (fitting(font, text, width) == text.size()) return text;
  const std::size_t kept = fitting(font, text, width - text_width(font, ellipsis));
  return kept == 0 ? "" : text.substr(0, kept) + ellipsis;
}

void text_at(ImDrawList* list, ImFont* font, ImVec2 pos, ImU32 color, const std::string& text) {
  const std::string& line = drawable(font, text);
  list->AddText(font, font->FontSize, {std::floor(pos.x), std::floor(pos.y)}, color, line.data(),
                line.data() + line.size());
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

namespace {

void text_sized(ImDrawList* list, ImFont* font, float size, ImVec2 pos, ImU32 color, const std::string& text) {
  const std::string& line = drawable(font, text);
  list->AddText(font, size, {std::floor(pos.x), std::floor(pos.y)}, color, line.data(), line.data() + line.size());
}

void turned(ImDrawList* list, ImFont* font, float size, ImVec2 pos, float degrees, ImU32 color,
            const std::string& text) {
  const int first = list->VtxBuffer.Size;
  const std::string& line = drawable(font, text);
  // Drawn level at its place, then turned: ImGui has no turned text, but its vertices are ours. RenderText, because
  // AddText drops the letters that lie outside the clip rectangle before they are turned.
  font->RenderText(list, size, {pos.x, pos.y - size}, color, ImVec4(-FLT_MAX, -FLT_MAX, FLT_MAX, FLT_MAX), line.data(),
                   line.data() + line.size());
  const float angle = -degrees * kPi / 180, c = std::cos(angle), s = std::sin(angle);
  for (int k = first; k < list->VtxBuffer.Size; ++k) {
    ImVec2& p = list->VtxBuffer[k].pos;
    const float x = p.x - pos.x, y = p.y - pos.y;
    p = {pos.x + c * x - s * y, pos.y + s * x + c * y};
  }
}

}  // namespace

void text_turned(ImDrawList* list, ImFont* font, ImVec2 pos, float degrees, ImU32 color, const std::string& text) {
  turned(list, font, font->FontSize, pos, degrees, color, text);
}

bool is_labelled(int token, int stride, int marked) {
  if (marked >= 0 && std::abs(token - marked) < stride) return token == marked;
  return token % stride == 0;
}

namespace {

// A word that its label cannot tell, under the pointer: whole, and in code points where it has other letters than
// Latin.
void tell(const std::string& word, bool shortened) {
  const bool unusual = is_beyond_latin(word);
  if ((!shortened && !unusual) || !ImGui::IsWindowHovered()) return;
  const float em = ImGui::GetFontSize();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.6f * em, 0.45f * em});
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(22 * em);
  ImGui::TextUnformatted(imgui_text(word));
  if (unusual) ImGui::TextUnformatted(imgui_text(spelled_out(word)));
  ui::probe("axis/word", ImGui::GetWindowPos(), {ImGui::GetWindowPos().x + 1, ImGui::GetWindowPos().y + 1});
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
  ImGui::PopStyleVar();
}

// Whether the pointer is over a label that rises from pos.
bool under_turned(ImVec2 pos, float degrees, float width, float height) {
  const float angle = degrees * kPi / 180, c = std::cos(angle), s = std::sin(angle);
  const ImVec2 mouse = ImGui::GetIO().MousePos, d{mouse.x - pos.x, mouse.y - pos.y};
  const float along = c * d.x - s * d.y, up = -s * d.x - c * d.y;
  return along >= 0 && along < width && up >= 0 && up < height;
}

}  // namespace

void row_labels(ImDrawList* list, const TokenAxis& axis, float x, float width, float top, float step) {
  const float per_height = kRowStep * tall_step(*axis.tokens);
  const float size = label_size(axis.font, step, per_height), scale = size / axis.font->FontSize;
  const int count = int_size(*axis.tokens), stride = stride_for(step, per_height * size);
  for (int i = 0; i < count; ++i) {
    if (!is_labelled(i, stride, axis.marked)) continue;
    const std::string label = clipped(axis.font, nth(*axis.tokens, i), width / scale);
    const ImVec2 pos{x - scale * text_width(axis.font, label),
                     top + (static_cast<float>(i) + 0.5f) * step - 0.5f * size};
    text_sized(list, axis.font, size, pos, i == axis.marked ? axis.strong : axis.ink, label);
    const std::string& word = nth(*axis.tokens, i);
    if (ImGui::IsMouseHoveringRect(pos, {x, pos.y + size})) tell(word, label != word);
  }
}

void column_labels(ImDrawList* list, const TokenAxis& axis, float left, float step, float y, float height) {
  constexpr float degrees = 55;
  const float rise = std::sin(degrees * kPi / 180);
  const float per_height = kColumnStep * tall_step(*axis.tokens) / rise;
  const float size = label_size(axis.font, step, per_height), scale = size / axis.font->FontSize;
  const float longest = (height - 0.6f * size) / rise / scale;
  const int count = int_size(*axis.tokens), stride = stride_for(step, per_height * size);
  for (int j = 0; j < count; ++j) {
    if (!is_labelled(j, stride, axis.marked)) continue;
    const std::string label = clipped(axis.font, nth(*axis.tokens, j), longest);
    const ImVec2 pos{left + (static_cast<float>(j) + 0.5f) * step + 0.3f * size, y};
    turned(list, axis.font, size, pos, degrees, j == axis.marked ? axis.strong : axis.ink, label);
    const std::string& word = nth(*axis.tokens, j);
    if (under_turned(pos, degrees, scale * text_width(axis.font, label), size)) tell(word, label != word);
  }
}

}  // namespace hydra
