// Who writes the output: shares per token as stacked bars, what the gates change, what silencing changes, and whether
// heads write the same direction.
#include "app/views/frame/ui.h"
#include "app/views/mixing/mixing_parts.h"
#include "app/widgets/stacked_bars.h"

namespace hydra::mixing {

namespace {

class Bars : Drawing {
 public:
  Bars(Frame& frame, const SharesPage& at)
      : Drawing(frame),
        at_(at),
        numbers_(mixing_numbers(frame)),
        heads_(layer_of(frame).input.heads),
        by_size_(frame.view.mixing.by_size) {}

  void draw() {
    title(frame_, "mixing/bars/title", at_.bars_title,
          wording(layer_of(frame_).input.weights.b_O ? "mixing:bars.title.bias" : "mixing:bars.title"),
          wording("mixing:bars.tip"));
    chips();
    if (!measured(frame_))
      return canvas_.text_at(fonts_.small, at_.bars.pos, theme_.ink_soft, say(wording("mixing:being_measured")),
                             at_.bars.size.x);
    ImVec2 pos = at_.bars.pos;
    const float legend = small_ + 2 * u_;
    axis(pos);
    const Mat<double>& parts = by_size_ ? numbers_.by_size : numbers_.along;
    {
      StackedBars all = bars(parts.topRows(1), pos.y + legend);
      all.label = [](Index) { return wording("mixing:all_tokens"); };
      all.beside = [&](Index, ImVec2 a, ImVec2 b) { change(0, a, b); };
      all.probe_prefix = "mixing/share/all";
      answer(stacked_bars(canvas_, all), 0);
    }
    tokens(parts, pos.y + legend + at_.bar_row + 0.5f * u_);
  }

 private:
  float label_width() const {
    const float all = text_width(fonts_.small, wording("mixing:all_tokens"));
    const float longest = std::max(all, widest(fonts_.small, frame_.trace.tokens));
    return std::min(longest, 0.26f * at_.bars.size.x) + 2 * u_;
  }
  float scrollbar() const { return at_.bars_content > at_.bars.size.y + 0.5f ? ImGui::GetStyle().ScrollbarSize : 0; }
  bool gated() const { return !layer_of(frame_).input.gates.empty(); }
  float beside_width() const { return gated() ? text_width(fonts_.mono_small, "100.0 %") + 4 * small_ : 0; }

  // The two readings, right of the title or under it where that is too narrow.
  void chips() {
    const std::string &along = wording("mixing:along"), &size = wording("mixing:by_size");
    const float width = ui::chip_width(along) + ui::chip_width(size) + u_;
    ImGui::SetCursorScreenPos({at_.bars_title.right() - width, at_.bars_title.pos.y - u_});
    const bool& by_size = view_.mixing.by_size;
    auto readings = ui::Chips::in_line(frame_);
    readings.choice("mixing/along", along, by_size, false, say(wording("mixing:along.tip")));
    readings.choice("mixing/by_size", size, by_size, true, say(wording("mixing:by_size.tip")));
  }

  StackedBars bars(const MatView<double>& parts, float y) const {
    auto in = styled<StackedBars>(frame_, parts);
    in.low = by_size_ ? 0 : numbers_.along_low;
    in.high = by_size_ ? 1 : numbers_.along_high;
    in.pos = {at_.bars.pos.x, y};
    in.width = at_.bars.size.x - scrollbar();
    in.row = at_.bar_row;
    in.label_width = label_width();
    in.beside_width = beside_width();
    in.marked_part = marked_head(frame_);
    in.color = [this](Index part) { return part == heads_ ? theme_.ink_faint : head_color(frame_, part); };
    return in;
  }

  void tokens(const Mat<double>& parts, float y) {
    const ImVec2 size{at_.bars.size.x, std::max(1.0f, at_.bars.bottom() - y)};
    ui::room(canvas_, "mixing/tokens", {at_.bars.pos.x, y}, size, scrollbar() > 0, [&](ImVec2 corner) {
      StackedBars in = bars(parts.bottomRows(parts.rows() - 1), corner.y);
      in.label = [this](Index row) { return nth(frame_.trace.tokens, row); };
      in.marked_row = marked_token(frame_);
      in.beside = [this](Index row, ImVec2 a, ImVec2 b) { change(row + 1, a, b); };
      in.probe_prefix = "mixing/share/token";
      answer(stacked_bars(canvas_, in), 1);
      return real(parts.rows() - 1) * at_.bar_row;
    });
  }

  // 0 and 100 % over the bars, and what stands beside them.
  void axis(ImVec2 pos) const {
    ImFont* font = fonts_.small;
    const float left = pos.x + label_width(), right = pos.x + at_.bars.size.x - scrollbar() - beside_width();
    const double low = by_size_ ? 0 : numbers_.along_low, high = by_size_ ? 1 : numbers_.along_high;
    std::vector<float> taken;  // the middles of the numbers that stand there
    for (const double value : {0.0, 1.0, high, low}) {
      if (value < low || value > high) continue;
      const std::string text = ui::number(value, As::whole_percent);
      const float half = 0.5f * text_width(font, text);
      const float x = std::clamp(left + real((value - low) / (high - low)) * (right - left), left + half,
                                 std::max(left + half, right - half));
      const auto near = [&](float other) { return std::abs(x - other) < 2 * half + 4 * u_; };
      if (std::any_of(taken.begin(), taken.end(), near)) continue;
      taken.push_back(x);
      canvas_.text_at(font, {x - half, pos.y}, theme_.ink_faint, text);
    }
    const float number = 0.5f * text_width(font, "100 %") + 4 * u_;
    std::ranges::sort(taken);
    for (std::size_t k = 0; k + 1 < taken.size(); ++k)
      if (const float room = taken[k + 1] - taken[k] - 2 * number; room > 0.5f * (right - left))
        head_key(frame_, {taken[k] + number, pos.y}, room);
    if (gated()) {
      const Box box{{right + 2 * u_, pos.y}, {beside_width() - 2 * u_, 0}};
      canvas_.text_at(font, box.pos, theme_.ink_soft, say(wording("mixing:by_gates")), box.size.x);
      if (canvas_.over(box.pos, {box.right(), pos.y + font->FontSize}))
        tooltip(frame_, {wording("mixing:by_gates.title"), wording("mixing:by_gates.tip")});
    }
  }

  // What the gates change in a token's output, as a bar and a number.
  void change(Index row, ImVec2 a, ImVec2 b) const {
    if (!gated() || row >= std::ssize(numbers_.gate_change)) return;
    ImFont* font = fonts_.mono_small;
    const double value = nth(numbers_.gate_change, row);
    const std::string text = ui::number(value, As::fine_percent);
    const float left = a.x + 2 * u_, track = b.x - left - text_width(font, "100.0 %") - u_;
    const float middle = 0.5f * (a.y + b.y), thick = 0.75f * u_;
    canvas_.text_up_to(font, {b.x, middle - 0.5f * font->FontSize}, theme_.ink, text);
    if (!std::isfinite(value) || track < 4) return;
    canvas_.fill({left, middle - 0.5f}, {left + track, middle + 0.5f}, theme_.line);
    const auto length = real(std::min(1.0, value / numbers_.largest_change)) * track;
    canvas_.fill({left, middle - thick}, {left + length, middle + thick}, theme_.ink_soft);
  }

  static std::string share(double value, bool by_size) {
    return wording(by_size ? "mixing:share.by_size" : "mixing:share.along",
                   {{"share", ui::number(value, As::fine_percent)}});
  }

  // first: the row of the numbers that the first bar is.
  void answer(const StackedBarsResult& hit, Index first) {
    if (hit.row < 0) return;
    const Index row = hit.row + first;
    const Mat<double>& shown = by_size_ ? numbers_.by_size : numbers_.along;
    const std::string whose = row == 0 ? wording("mixing:all_tokens")
                                       : wording("mixing:quoted", {{"token", nth(frame_.trace.tokens, row - 1)}});
    if (hit.part >= 0) {
      const bool bias = hit.part == heads_;
      std::vector<std::string> lines{(bias ? "b_O" : head_called(frame_, hit.part)) + ", " + whose,
                                     share(shown(row, hit.part), by_size_)};
      if (!bias) lines.push_back(share((by_size_ ? numbers_.along : numbers_.by_size)(row, hit.part), !by_size_));
      tooltip(frame_, lines);
      if (hit.clicked && !bias) focus_head(frame_, static_cast<int>(hit.part));
    }
    if (hit.clicked && row > 0) show_token(frame_, row - 1);
  }

  const SharesPage& at_;
  const MixingNumbers& numbers_;
  Index heads_;
  bool by_size_;
};

}  // namespace

void draw_bars(Frame& frame, const SharesPage& at) {
  const Canvas::Part part(frame.canvas, "mixing.shares");
  Bars(frame, at).draw();
}

}  // namespace hydra::mixing
