#include "app/draw/canvas.h"

#include <algorithm>
#include <cmath>

namespace hydra {

bool Canvas::over(const Box& box) const {
  if (!ImGui::IsWindowHovered()) return false;
  const ImVec2 at = ImGui::GetIO().MousePos, low = visible().pos, high = visible().end();
  return at.x >= std::max(box.pos.x, low.x) && at.x < std::min(box.right(), high.x) &&
         at.y >= std::max(box.pos.y, low.y) && at.y < std::min(box.bottom(), high.y);
}

Canvas::Item Canvas::item(ui::Name name, const Box& box) {
  ImGui::SetCursorScreenPos(box.pos);
  for (const ui::NamePart& part : name)
    if (part.number)
      ImGui::PushID(static_cast<int>(*part.number));
    else
      ImGui::PushID(part.text.data(), part.text.data() + part.text.size());
  const bool clicked = ImGui::InvisibleButton("item", {std::max(1.0f, box.size.x), std::max(1.0f, box.size.y)});
  for (std::size_t k = 0; k < name.size(); ++k) ImGui::PopID();
  ui::probe(name);
  return {ImGui::IsItemHovered(), clicked};
}

void Canvas::triangle(ImVec2 a, ImVec2 b, ImVec2 c, ImU32 color) {
  const ImVec2 corners[] = {a, b, c};
  polygon(corners, color);
}

void Canvas::quad(ImVec2 a, ImVec2 b, ImVec2 c, ImVec2 d, ImU32 color) {
  const ImVec2 corners[] = {a, b, c, d};
  polygon(corners, color);
}

void Canvas::dotted(ImVec2 from, ImVec2 to, ImU32 color, float thick) {
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

void Canvas::text_sized(ImFont* font, float size, ImVec2 pos, ImU32 color, const std::string& words) {
  text({font, size, pos, color, words, words});
}

void Canvas::text_at(ImFont* font, ImVec2 pos, ImU32 color, const std::string& words, float width) {
  if (width == kNoLimit) return text_sized(font, font->FontSize, pos, color, words);
  const std::string shown = clipped(font, words, width);
  text({font, font->FontSize, pos, color, shown, words});
}

void Canvas::text_within(ImFont* font, ImVec2 pos, ImU32 color, const std::string& words, float width) {
  text({font, font->FontSize, pos, color, words, words, 0, width});
}

void Canvas::text_up_to(ImFont* font, ImVec2 end, ImU32 color, const std::string& words) {
  text_at(font, {end.x - text_width(font, words), end.y}, color, words);
}

void Canvas::text_centered(ImFont* font, ImVec2 center, ImU32 color, const std::string& words) {
  text_at(font, {center.x - 0.5f * text_width(font, words), center.y - 0.5f * font->FontSize}, color, words);
}

void Canvas::text_turned(ImFont* font, float size, ImVec2 pos, float degrees, ImU32 color, const std::string& words) {
  text({font, size, pos, color, words, words, degrees});
}

namespace {
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
}  // namespace

void Canvas::math_at(ImFont* font, ImFont* small, ImVec2 pos, ImU32 color, const std::string& words) {
  std::size_t from = 0;
  const auto put = [&](ImFont* face, float lower, const std::string& part) {
    text_at(face, {pos.x, pos.y + lower}, color, part);
    pos.x += text_width(face, part);
  };
  for (std::size_t at = words.find('_'); at != std::string::npos && at + 1 < words.size(); at = words.find('_', from)) {
    put(font, 0, words.substr(from, at - from));
    from = at + 2;
    const auto continues = [&](bool (*kind)(char)) { return kind(words[at + 1]) && kind(words[from]); };
    while (from < words.size() && (continues(is_digit) || continues(is_capital))) ++from;  // O_64, W_QK: all of it
    put(small, 0.32f * font->FontSize, words.substr(at + 1, from - at - 1));
  }
  put(font, 0, words.substr(from));
}

void TextLine::put(ImFont* font, ImU32 color, const std::string& words, float gap) {
  canvas.text_at(font, pos, color, words, end - pos.x);
  pos.x += text_width(font, words) + gap;
}

}  // namespace hydra
