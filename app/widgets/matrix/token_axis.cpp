#include "app/widgets/matrix/token_axis.h"

#include <algorithm>
#include <cmath>

#include "app/draw/canvas.h"
#include "app/draw/nth.h"
#include "app/draw/probe.h"
#include "app/widgets/plot/label_steps.h"
#include "app/widgets/text_item.h"
#include "core/text/clusters.h"

namespace hydra {

namespace {
constexpr float kPi = 3.14159265f;

int stride_for(float step, float needed) {
  return step >= needed ? 1 : static_cast<int>(std::ceil(needed / std::max(step, 1e-4f)));
}

// The height of labels that stand every step and need so much of a step per height: the font's, or smaller, down to
// the axis allows, which is more where the text is large to be seen from afar, or small once it is printed.
float label_size(const Canvas& canvas, const TokenAxis& axis, float step, float per_height) {
  const float whole = axis.font->FontSize,
              asked = canvas.stands_alone() ? std::max(axis.least, kGoodLabel) : axis.least;
  const float least = std::min(std::max(asked, 0.58f * whole), whole);
  return std::clamp(std::floor(step / per_height), least, whole);
}
ImU32 ink_of(const TokenAxis& axis, int word) {
  const ImU32 ink = word == axis.marked ? axis.strong : axis.ink;
  const bool dim = axis.marks && axis.marks->is_pad(word);
  return dim ? (ink & ~IM_COL32_A_MASK) | ((ink >> IM_COL32_A_SHIFT) / 2) << IM_COL32_A_SHIFT : ink;
}
std::vector<std::string> told(const TokenAxis& axis, int word) {
  return axis.marks ? axis.marks->told(word) : std::vector<std::string>();
}
}  // namespace

std::vector<std::string> LabelMarks::told(int word) const {
  std::vector<std::string> lines;
  if (any() && (nth(of, word) & kBelow) != 0) lines.push_back(below);
  if (any() && (nth(of, word) & kAbove) != 0) lines.push_back(above);
  if (is_pad(word)) lines.push_back(pad);
  return lines;
}

bool LabelMarks::is_pad(int word) const { return any() && (nth(of, word) & kPad) != 0; }

void draw_marks(Canvas& canvas, const LabelMarks* marks, int word, ImVec2 corner, float width, float size, ImU32 color,
                float degrees) {
  if (!marks || !marks->any() || nth(marks->of, word) == 0) return;
  const float angle = degrees * kPi / 180, c = std::cos(angle), s = std::sin(angle);
  const float thick = std::max(1.0f, std::round(0.1f * size));
  for (const auto& [mark, up] : {std::pair{LabelMarks::kBelow, 0.0f}, {LabelMarks::kAbove, size}}) {
    if ((nth(marks->of, word) & mark) == 0) continue;
    const ImVec2 from{corner.x - up * s, corner.y - up * c};
    canvas.dotted(from, {from.x + c * width, from.y - s * width}, color, thick);
  }
}

bool is_labelled(int token, int stride, int marked) {
  if (marked >= 0 && std::abs(token - marked) < stride) return token == marked;
  return token % stride == 0;
}

namespace {

// A word that its label cannot tell, under the pointer: whole, in code points where it has other letters than Latin,
// and what it is marked with.
void tell(Canvas& canvas, const std::string& word, bool shortened, const std::vector<std::string>& marks) {
  const bool unusual = is_beyond_latin(word);
  if ((!shortened && !unusual && marks.empty()) || !ImGui::IsWindowHovered()) return;
  const float wide = 22 * ImGui::GetFontSize();
  ui::begin_tooltip();
  ui::tip_text(canvas, word, wide);
  if (unusual) ui::tip_text(canvas, spelled_out(word), wide);
  for (const std::string& mark : marks) ui::tip_text(canvas, mark, wide);
  ui::probe("axis/word", ImGui::GetWindowPos(), {ImGui::GetWindowPos().x + 1, ImGui::GetWindowPos().y + 1});
  ui::end_tooltip();
}

// Whether the pointer is over a label that rises from pos.
bool under_turned(ImVec2 pos, float degrees, float width, float height) {
  const float angle = degrees * kPi / 180, c = std::cos(angle), s = std::sin(angle);
  const ImVec2 mouse = ImGui::GetIO().MousePos, d{mouse.x - pos.x, mouse.y - pos.y};
  const float along = c * d.x - s * d.y, up = -s * d.x - c * d.y;
  return along >= 0 && along < width && up >= 0 && up < height;
}

}  // namespace

void row_labels(Canvas& canvas, const TokenAxis& axis, float x, float width, float top, float step) {
  const float per_height = kRowStep * tall_step(*axis.tokens);
  const float size = label_size(canvas, axis, step, per_height), scale = size / axis.font->FontSize;
  const int count = int_size(*axis.tokens), stride = stride_for(step, per_height * size);
  for (int i = 0; i < count; ++i) {
    if (!is_labelled(i, stride, axis.marked)) continue;
    const std::string label = clipped(axis.font, nth(*axis.tokens, i), width / scale);
    const ImVec2 pos{x - scale * text_width(axis.font, label), top + (real(i) + 0.5f) * step - 0.5f * size};
    canvas.text_sized(axis.font, size, pos, ink_of(axis, i), label);
    draw_marks(canvas, axis.marks, i, {pos.x, pos.y + size}, x - pos.x, size, axis.strong);
    const std::string& word = nth(*axis.tokens, i);
    if (ImGui::IsMouseHoveringRect(pos, {x, pos.y + size})) tell(canvas, word, label != word, told(axis, i));
  }
}

void column_labels(Canvas& canvas, const TokenAxis& axis, float left, float step, float y, float height) {
  constexpr float degrees = 55;
  const float rise = std::sin(degrees * kPi / 180);
  const float per_height = kColumnStep * tall_step(*axis.tokens) / rise;
  const float size = label_size(canvas, axis, step, per_height), scale = size / axis.font->FontSize;
  const float longest = (height - 0.6f * size) / rise / scale;
  const int count = int_size(*axis.tokens), stride = stride_for(step, per_height * size);
  for (int j = 0; j < count; ++j) {
    if (!is_labelled(j, stride, axis.marked)) continue;
    const std::string label = clipped(axis.font, nth(*axis.tokens, j), longest);
    const ImVec2 pos{left + (real(j) + 0.5f) * step + 0.3f * size, y};
    const float width = scale * text_width(axis.font, label);
    canvas.text_turned(axis.font, size, pos, degrees, ink_of(axis, j), label);
    draw_marks(canvas, axis.marks, j, pos, width, size, axis.strong, degrees);
    const std::string& word = nth(*axis.tokens, j);
    if (under_turned(pos, degrees, width, size)) tell(canvas, word, label != word, told(axis, j));
  }
}

}  // namespace hydra
