// Who writes the output: shares per token as stacked bars, what the gates change, what silencing changes, and whether
// heads write the same direction.
#include "app/views/mixing/mixing_parts.h"
#include "app/views/ui.h"
#include "app/widgets/band_chart.h"
#include "app/widgets/stacked_bars.h"

namespace hydra::mixing {

namespace {

class Bars {
 public:
  Bars(Frame& frame, const SharesPage& at)
      : frame_(frame),
        at_(at),
        numbers_(mixing_numbers(frame)),
        heads_(layer_of(frame).input.heads),
        by_size_(frame.view.mixing.by_size) {}

  void draw() {
    title(frame_, "mixing/bars/title", at_.bars_title,
          layer_of(frame_).input.weights.b_O ? "Share of each head in Y; grey: b_O" : "Share of each head in Y",
          "One bar per token, in the heads' colours; parts left of the line at 0 work against the output.");
    chips();
    if (!measured(frame_))
      return clipped_text(frame_, frame_.fonts.small, at_.bars.pos, at_.bars.size.x, frame_.theme.ink_soft,
                          "Being measured.");
    ImVec2 pos = at_.bars.pos;
    const float legend = frame_.fonts.small->FontSize + 2 * frame_.unit;
    axis(pos);
    const Mat<double>& parts = by_size_ ? numbers_.by_size : numbers_.along;
    {
      StackedBars all = bars(parts.topRows(1), pos.y + legend);
      all.label = [](Index) { return std::string("all tokens"); };
      all.beside = [&](Index, ImVec2 a, ImVec2 b) { change(0, a, b); };
      all.probe_prefix = "mixing/share/all";
      answer(stacked_bars(all), 0);
    }
    tokens(parts, pos.y + legend + at_.bar_row + 0.5f * frame_.unit);
  }

 private:
  float label_width() const {
    float longest = text_width(frame_.fonts.small, "all tokens");
    for (const std::string& token : frame_.trace.tokens)
      longest = std::max(longest, text_width(frame_.fonts.small, token));
    return std::min(longest, 0.26f * at_.bars.size.x) + 2 * frame_.unit;
  }
  float scrollbar() const { return at_.bars_content > at_.bars.size.y + 0.5f ? ImGui::GetStyle().ScrollbarSize : 0; }
  bool gated() const { return !layer_of(frame_).input.gates.empty(); }
  float beside_width() const {
    return gated() ? text_width(frame_.fonts.mono_small, "100.0 %") + 4 * frame_.fonts.small->FontSize : 0;
  }

  // The two readings, right of the title or under it where that is too narrow.
  void chips() {
    const float width = ui::chip_width("along Y") + ui::chip_width("by size") + frame_.unit;
    ImGui::SetCursorScreenPos({at_.bars_title.right() - width, at_.bars_title.pos.y - frame_.unit});
    if (ui::chip(frame_, "mixing/along", "along Y", !by_size_,
                 spelled(frame_,
                         "⟨Z_i, Y⟩ / ⟨Y, Y⟩: the part of Y that the head makes up; below 0 where it works against "
                         "the others, above 1 where others work against it; sums to 1 with b_O.")))
      frame_.view.mixing.by_size = false;
    ImGui::SameLine(0, frame_.unit);
    if (ui::chip(frame_, "mixing/by_size", "by size", by_size_,
                 spelled(frame_,
                         "‖Z_i‖² / Σ ‖Z_g‖²: how much the head writes, from 0 to 1, whether it adds to the "
                         "others or cancels them; sums to 1.")))
      frame_.view.mixing.by_size = true;
  }

  StackedBars bars(const MatView<double>& parts, float y) const {
    StackedBars in(parts);
    in.low = by_size_ ? 0 : numbers_.along_low;
    in.high = by_size_ ? 1 : numbers_.along_high;
    in.pos = {at_.bars.pos.x, y};
    in.width = at_.bars.size.x - scrollbar();
    in.row = at_.bar_row;
    in.label_width = label_width();
    in.beside_width = beside_width();
    in.font = frame_.fonts.small;
    in.theme = &frame_.theme;
    in.unit = frame_.unit;
    in.marked_part = frame_.view.focused_head;
    in.color = [this](Index part) {
      return part == heads_ ? frame_.theme.ink_faint : head_color(static_cast<int>(part), frame_.theme.dark);
    };
    return in;
  }

  void tokens(const Mat<double>& parts, float y) {
    const ImVec2 size{at_.bars.size.x, std::max(1.0f, at_.bars.bottom() - y)};
    ui::room("mixing/tokens", {at_.bars.pos.x, y}, size, scrollbar() > 0, [&](ImVec2 corner) {
      StackedBars in = bars(parts.bottomRows(parts.rows() - 1), corner.y);
      in.label = [this](Index row) { return nth(frame_.trace.tokens, row); };
      in.marked_row = shown_token(frame_);
      in.beside = [this](Index row, ImVec2 a, ImVec2 b) { change(row + 1, a, b); };
      in.probe_prefix = "mixing/share/token";
      answer(stacked_bars(in), 1);
      return static_cast<float>(parts.rows() - 1) * at_.bar_row;
    });
  }

  // 0 and 100 % over the bars, and what stands beside them.
  void axis(ImVec2 pos) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImFont* font = frame_.fonts.small;
    const float left = pos.x + label_width(), right = pos.x + at_.bars.size.x - scrollbar() - beside_width();
    const double low = by_size_ ? 0 : numbers_.along_low, high = by_size_ ? 1 : numbers_.along_high;
    std::vector<float> taken;  // the middles of the numbers that stand there
    for (const double value : {0.0, 1.0, high, low}) {
      if (value < low || value > high) continue;
      const std::string text = ui::fixed(100 * value, 0) + " %";
      const float half = 0.5f * text_width(font, text);
      const float x = std::clamp(left + static_cast<float>((value - low) / (high - low)) * (right - left), left + half,
                                 std::max(left + half, right - half));
      const auto near = [&](float other) { return std::abs(x - other) < 2 * half + 4 * frame_.unit; };
      if (std::any_of(taken.begin(), taken.end(), near)) continue;
      taken.push_back(x);
      text_at(list, font, {x - half, pos.y}, frame_.theme.ink_faint, text);
    }
    if (gated()) {
      const Box box{{right + 2 * frame_.unit, pos.y}, {beside_width() - 2 * frame_.unit, 0}};
      clipped_text(frame_, font, box.pos, box.size.x, frame_.theme.ink_soft, "by gates");
      if (ui::under_pointer(box.pos, {box.right(), pos.y + font->FontSize}))
        tooltip(frame_,
                {"Change by gates", "‖Y − Y₁‖ / ‖Y₁‖ of each token, from 0 up, Y₁ the output with all gates at 1."});
    }
  }

  // What the gates change in a token's output, as a bar and a number.
  void change(Index row, ImVec2 a, ImVec2 b) const {
    if (!gated() || static_cast<std::size_t>(row) >= numbers_.gate_change.size()) return;
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImFont* font = frame_.fonts.mono_small;
    const double value = nth(numbers_.gate_change, row);
    const std::string text = percent(value);
    const float left = a.x + 2 * frame_.unit, track = b.x - left - text_width(font, "100.0 %") - frame_.unit;
    const float middle = 0.5f * (a.y + b.y), thick = 0.75f * frame_.unit;
    text_at(list, font, {b.x - text_width(font, text), middle - 0.5f * font->FontSize}, frame_.theme.ink, text);
    if (!std::isfinite(value) || track < 4) return;
    list->AddRectFilled({left, middle - 0.5f}, {left + track, middle + 0.5f}, frame_.theme.line);
    const auto length = static_cast<float>(std::min(1.0, value / numbers_.largest_change)) * track;
    list->AddRectFilled({left, middle - thick}, {left + length, middle + thick}, frame_.theme.ink_soft);
  }

  // first: the row of the numbers that the first bar is.
  void answer(const StackedBarsResult& hit, Index first) {
    if (hit.row < 0) return;
    const Index row = hit.row + first;
    const Mat<double>& shown = by_size_ ? numbers_.by_size : numbers_.along;
    const std::string whose = row == 0 ? "all tokens" : "\"" + nth(frame_.trace.tokens, row - 1) + "\"";
    if (hit.part >= 0) {
      const bool bias = hit.part == heads_;
      std::vector<std::string> lines{(bias ? "b_O" : "Head " + std::to_string(hit.part + 1)) + ", " + whose,
                                     percent(shown(row, hit.part)) + (by_size_ ? " by size" : " along Y")};
      if (!bias)
        lines.push_back(by_size_ ? percent(numbers_.along(row, hit.part)) + " along Y"
                                 : percent(numbers_.by_size(row, hit.part)) + " by size");
      tooltip(frame_, lines);
      if (hit.clicked && !bias) focus_head(frame_.view, static_cast<int>(hit.part));
    }
    if (hit.clicked && row > 0) show_token(frame_, row - 1);
  }

  Frame& frame_;
  const SharesPage& at_;
  const MixingNumbers& numbers_;
  Index heads_;
  bool by_size_;
};

}  // namespace

void draw_bars(Frame& frame, const SharesPage& at) { Bars(frame, at).draw(); }

}  // namespace hydra::mixing
