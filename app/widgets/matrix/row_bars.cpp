#include "app/widgets/matrix/row_bars.h"

#include <algorithm>
#include <cmath>

#include "app/draw/canvas.h"
#include "app/draw/format.h"
#include "app/draw/nth.h"
#include "app/draw/probe.h"
#include "app/platform/input.h"
#include "app/widgets/mouse_area.h"
#include "core/text/wording.h"
#include "imgui_stdlib.h"

namespace hydra {

namespace {

std::string number_text(float value) { return std::isfinite(value) ? ui::number(value, As::share) : ui::number(value); }

// One call of row_bars: the pieces share where the columns lie.
class BarsFrame {
 public:
  BarsFrame(Canvas& canvas, const RowBars& bars) : canvas_(canvas), b_(bars), n_(bars.weights.cols()) {
    row_ = std::ceil(std::max(b_.text->FontSize, b_.numbers->FontSize) + 1.5f * b_.unit);
    scrolls_ = n_ > b_.most_rows;
    const float width = b_.width - (scrolls_ ? ImGui::GetStyle().ScrollbarSize : 0);
    float longest = 0;
    for (const std::string& token : *b_.tokens) longest = std::max(longest, text_width(b_.text, token));
    label_ = std::min(longest, 0.3f * width);
    number_ = text_width(b_.numbers, "0.000") + 2 * b_.unit;
    track0_ = label_ + 2 * b_.unit;
    track1_ = std::max(track0_ + 1, width - number_ - b_.unit);
    end_ = width;
  }

  RowBarsResult run(const char* id) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    const float height = row_ * real(std::min<Index>(n_, b_.most_rows));
    ImGui::BeginChild(id, {b_.width, height}, false,
                      ImGuiWindowFlags_NoNav | (scrolls_ ? 0 : ImGuiWindowFlags_NoScrollWithMouse));
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const Box seen = canvas_.visible();
    const float low = seen.pos.y, high = seen.bottom();
    for (Index j = 0; j < n_; ++j) {
      const ImVec2 pos{origin.x, origin.y + real(j) * row_};
      if (pos.y + row_ < low || pos.y > high)  // a bar that is held may have been scrolled away
        note(j, pos);
      else
        bar(j, pos);
    }
    ImGui::SetCursorScreenPos(origin);
    ImGui::Dummy({1, real(n_) * row_});
    ImGui::EndChild();
    ImGui::PopStyleVar(2);
    return result_;
  }

 private:
  std::string name(Index j) const { return b_.probe_prefix + ("/" + std::to_string(j)); }
  void note(Index j, ImVec2 pos) const {
    ui::probe(name(j), {pos.x + track0_, pos.y}, {pos.x + track1_, pos.y + row_});
  }

  void bar(Index j, ImVec2 pos) {
    ImGui::PushID(static_cast<int>(j));
    const bool allowed = b_.allowed(j);
    const ImVec2 low{pos.x + track0_, pos.y + 0.2f * row_}, high{pos.x + track1_, pos.y + 0.8f * row_};
    ImGui::SetCursorScreenPos({low.x, pos.y});
    ui::mouse_area("bar", {high.x - low.x, row_});
    note(j, pos);
    const bool hovered = ImGui::IsItemHovered() || ImGui::IsItemActive();
    if (ImGui::IsMouseHoveringRect(pos, {pos.x + end_, pos.y + row_})) result_.hovered = j;
    if (allowed && ImGui::IsItemActive()) {
      result_.held = j;
      result_.pressed = ImGui::IsItemActivated();
      result_.value = std::clamp((ImGui::GetIO().MousePos.x - low.x) / (high.x - low.x), 0.0f, 1.0f);
    }
    if (allowed && hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    draw(j, pos, low, high, allowed, hovered);
    if (b_.draft && b_.typed == j)
      type(j, pos);
    else
      number(j, pos, allowed);
    ImGui::PopID();
  }

  void draw(Index j, ImVec2 pos, ImVec2 low, ImVec2 high, bool allowed, bool hovered) {
    const Theme& theme = *b_.theme;
    const std::string label = clipped(b_.text, nth(*b_.tokens, j), label_);
    const float text_y = pos.y + 0.5f * (row_ - b_.text->FontSize);
    canvas_.text_up_to(b_.text, {pos.x + label_, text_y}, j == b_.marked ? theme.ink : theme.ink_soft, label);
    canvas_.fill(low, high, theme.raised);
    if (!allowed) {
      const float y = pos.y + 0.5f * (row_ - b_.text->FontSize);
      canvas_.text_at(b_.text, {low.x + b_.unit, y}, theme.ink_faint, wording("widgets:masked"), high.x - low.x);
    }
    const float value = b_.weights(0, j);
    const float x = low.x + (high.x - low.x) * std::clamp(std::isfinite(value) ? value : 0.0f, 0.0f, 1.0f);
    canvas_.fill(low, {x, high.y}, b_.color);
    canvas_.frame(low, high, hovered && allowed ? theme.ink_soft : theme.line);
    if (allowed)  // the handle: there to be taken even where the bar is empty
      canvas_.fill({x - 0.5f * b_.unit, low.y - 0.25f * b_.unit}, {x + 0.5f * b_.unit, high.y + 0.25f * b_.unit},
                   theme.ink, 0.25f * b_.unit);
  }

  void number(Index j, ImVec2 pos, bool allowed) {
    const float left = pos.x + end_ - number_;
    const std::string text = number_text(b_.weights(0, j));
    ImGui::SetCursorScreenPos({left, pos.y});
    const bool pressed = ImGui::InvisibleButton("number", {number_, row_}) && allowed;
    ui::probe({name(j), "/number"});
    if (pressed) result_.number_clicked = j;
    const float x = left + number_ - b_.unit - text_width(b_.numbers, text);
    const float y = pos.y + 0.5f * (row_ - b_.numbers->FontSize);
    canvas_.text_at(b_.numbers, {x, y}, allowed ? b_.theme->ink : b_.theme->ink_faint, text);
    if (!allowed || !ImGui::IsItemHovered()) return;
    ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
    canvas_.frame({left, pos.y}, {left + number_, pos.y + row_ - 1}, b_.theme->line);
  }

  void type(Index j, ImVec2 pos) {
    ImGui::SetCursorScreenPos({pos.x + end_ - number_, pos.y});
    ImGui::PushFont(b_.numbers);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0.5f * b_.unit, 0.5f * (row_ - b_.numbers->FontSize)});
    ImGui::SetNextItemWidth(number_);
    if (b_.start_typing) ImGui::SetKeyboardFocusHere();
    const bool entered =
        ImGui::InputText("##typed", b_.draft, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    ui::probe({name(j), "/typed"});
    const bool left = ImGui::IsItemDeactivated() && !ImGui::IsItemActive();
    if (ui::key_pressed(key::escape))
      result_.typing = RowBarsResult::Typing::dropped;
    else if (entered || left)
      result_.typing = RowBarsResult::Typing::submitted;
    ImGui::PopStyleVar();
    ImGui::PopFont();
  }

  Canvas& canvas_;
  const RowBars& b_;
  Index n_;
  bool scrolls_ = false;
  float row_ = 0, label_ = 0, number_ = 0, track0_ = 0, track1_ = 0, end_ = 0;
  RowBarsResult result_;
};

}  // namespace

RowBarsResult row_bars(Canvas& canvas, const char* id, const RowBars& bars) { return BarsFrame(canvas, bars).run(id); }

}  // namespace hydra
