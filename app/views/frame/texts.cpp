#include "app/views/frame/texts.h"

#include <algorithm>
#include <cmath>

#include "app/draw/canvas.h"
#include "app/draw/probe.h"
#include "app/widgets/mouse_area.h"
#include "app/widgets/room.h"
#include "core/text/wording.h"
#include "imgui_internal.h"

namespace hydra::ui {

void text(const Frame& frame, const std::string& words, const TextLook& look) {
  text_item(frame.canvas, spelled(frame, words), look);
}

void soft_text(const Frame& frame, const std::string& words) {
  text(frame, words, {.font = frame.fonts.small, .ink = frame.theme.ink_soft, .wraps = true});
}

void heading(const Frame& frame, const std::string& words) {
  ImGui::Dummy({0, frame.unit});
  text(frame, words, {.font = frame.fonts.strong});
}

namespace {

constexpr float kTipWidth = 22, kTooltipWidth = 24;  // in units of the text size

// Under the last item, or over it where the window ends: a tip must not cover what it explains. Of a menu's item beside
// the menu, which is read from line to line.
void place_beside_item(const char* sentence) {
  const float em = ImGui::GetFontSize(), gap = 0.3f * em;
  const ImVec2 text = ImGui::CalcTextSize(sentence, nullptr, false, kTipWidth * em);
  const ImVec2 size{text.x + 1.2f * em, text.y + 0.9f * em}, screen = ImGui::GetIO().DisplaySize;
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const ImGuiWindow* window = ImGui::GetCurrentWindow();
  if ((window->Flags & ImGuiWindowFlags_Popup) != 0) {
    const float left = window->Pos.x - gap - size.x, right = window->Pos.x + window->Size.x + gap;
    if (left >= 0 || right + size.x <= screen.x)
      return ImGui::SetNextWindowPos({left >= 0 ? left : right, std::min(low.y, screen.y - size.y)});
  }
  const float x = std::max(0.0f, std::min(low.x, screen.x - size.x));
  const float under = high.y + gap, over = low.y - gap - size.y;
  if (under + size.y <= screen.y)
    ImGui::SetNextWindowPos({x, under});
  else if (over >= 0)
    ImGui::SetNextWindowPos({x, over});
}

// Whether what is pointed at has been clicked since the pointer came there: its tip has been read, and would cover what
// the click has brought. Asked in each frame in which there would be one.
class ClickedHere {
 public:
  bool at(ImVec2 here, float reach) {
    const int now = ImGui::GetFrameCount();
    const bool stayed = frame_ >= now - 1 && frame_ <= now && std::abs(place_.x - here.x) <= reach &&
                        std::abs(place_.y - here.y) <= reach;
    if (!stayed && !ui::clicked()) return false;
    if (!stayed) place_ = here;
    frame_ = now;
    return true;
  }

 private:
  ImVec2 place_;
  int frame_ = -2;
};
}  // namespace

void tip(const Frame& frame, std::string_view sentence) {
  name_if_framed(sentence);
  if (sentence.empty() || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
  static ClickedHere item;
  if (item.at(ImGui::GetItemRectMin(), 0)) return;
  const std::string words(sentence);
  place_beside_item(imgui_text(words));
  begin_tooltip();
  tip_text(frame.canvas, words, kTipWidth * ImGui::GetFontSize());
  end_tooltip();
}

void explain_here(const Frame& frame, std::string_view name, ImVec2 pos, ImVec2 size, std::string_view sentence) {
  ImGui::SetCursorScreenPos(pos);
  ImGui::Dummy({std::max(1.0f, size.x), size.y});
  probe(name);
  tip(frame, sentence);
}

float title(const Frame& frame, std::string_view name, ImVec2 pos, float width, const std::string& text,
            std::string_view tip_text) {
  ImFont* font = frame.fonts.strong;
  const std::string words = clipped(font, spelled(frame, text), width);
  frame.canvas.math_at(font, frame.fonts.small, pos, frame.theme.ink, words);
  explain_here(frame, name, pos, {text_width(font, words), font->FontSize}, spelled(frame, std::string(tip_text)));
  return pos.y + font->FontSize;
}

namespace {
void write_lines(const Frame& frame, const std::vector<std::string>& lines) {
  const float width = kTooltipWidth * ImGui::GetFontSize();
  for (const std::string& line : lines) {
    if (line.empty()) continue;
    ImGui::PushFont(&line == lines.data() && lines.size() > 1 ? frame.fonts.strong : frame.fonts.text);
    tip_text(frame.canvas, spelled(frame, line), width);
    ImGui::PopFont();
  }
  end_tooltip();
}

float height_of(const Frame& frame, const std::vector<std::string>& lines) {
  const float em = ImGui::GetFontSize();
  float high = 2 * em;  // of what is around them
  for (const std::string& line : lines)
    if (!line.empty())
      high += paragraph_height(frame, frame.fonts.text, kTooltipWidth * em, line) + ImGui::GetStyle().ItemSpacing.y;
  return high;
}

// ImGui lets a tooltip leave the window that fits neither under nor over the pointer: it stands beside it then.
void place_within(float high) {
  const float em = ImGui::GetFontSize();
  const ImVec2 mouse = ImGui::GetIO().MousePos, screen = ImGui::GetIO().DisplaySize;
  if (mouse.y + em + high <= screen.y || mouse.y - em >= high) return;
  const bool left = mouse.x > 0.5f * screen.x;
  ImGui::SetNextWindowPos({mouse.x + (left ? -em : em), std::max(0.0f, screen.y - high)}, ImGuiCond_Always,
                          {left ? 1.0f : 0.0f, 0.0f});
}
}  // namespace

void tooltip(const Frame& frame, const std::vector<std::string>& lines) {
  static ClickedHere pointer;
  if (pointer.at(ImGui::GetIO().MousePos, ImGui::GetFontSize())) return;
  place_within(height_of(frame, lines));
  begin_tooltip();
  write_lines(frame, lines);
}

void tooltip_beside(const Frame& frame, ImVec2 min, ImVec2 max, const std::vector<std::string>& lines) {
  begin_tooltip_beside(min, max, height_of(frame, lines));
  write_lines(frame, lines);
}

namespace {

float height_of(ImFont* font, float width, const std::string& words) {
  return font->CalcTextSizeA(font->FontSize, FLT_MAX, width, drawable(font, words).c_str()).y;
}

}  // namespace

float paragraph_height(const Frame& frame, ImFont* font, float width, const std::string& words) {
  return height_of(font, width, broken_between_words(font, spelled(frame, words), width));
}

float paragraph(const Frame& frame, ImFont* font, ImVec2 pos, float width, ImU32 color, const std::string& words) {
  const std::string lines = broken_between_words(font, spelled(frame, words), width);
  frame.canvas.text_within(font, {std::round(pos.x), std::round(pos.y)}, color, lines, width);
  return height_of(font, width, lines);
}

void failure_text(const Frame& frame, const std::string& failure) {
  if (failure.empty()) return;
  soft_text(frame, wording("panels:not_measured", {{"failure", failure}}));
  probe("failure");
}

void waiting_text(const Frame& frame, const std::string& failure) {
  if (failure.empty()) soft_text(frame, wording("panels:being_measured"));
}

}  // namespace hydra::ui
