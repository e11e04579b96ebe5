#include "app/widgets/stacked_bars.h"

#include <algorithm>
#include <cmath>

#include "app/draw/canvas.h"
#include "app/draw/format.h"
#include "app/draw/nth.h"
#include "app/draw/probe.h"
#include "app/widgets/room.h"

namespace hydra {

namespace {

class BarsDrawing {
 public:
  BarsDrawing(Canvas& canvas, const StackedBars& bars)
      : canvas_(canvas),
        b_(bars),
        left_(b_.pos.x + b_.label_width),
        right_(std::max(left_ + 1, b_.pos.x + b_.width - b_.beside_width)),
        listens_(ImGui::IsWindowHovered()) {}

  StackedBarsResult run() {
    const Box seen = canvas_.visible();
    const float low = seen.pos.y, high = seen.bottom();
    for (Index k = 0; k < b_.parts.rows(); ++k) {
      const float y = b_.pos.y + real(k) * b_.row;
      if (*b_.probe_prefix && ui::probe_recorder())
        ui::probe({b_.probe_prefix, "/", k + 1}, {left_, y}, {right_, y + b_.row});
      if (y + b_.row >= low && y <= high) row(k, y);
    }
    const float zero = std::round(x_of(0)), bottom = b_.pos.y + b_.row * real(b_.parts.rows());
    canvas_.fill({zero, std::max(low, b_.pos.y)}, {zero + 1, std::min(high, bottom)}, b_.theme->ink_soft);
    return result_;
  }

 private:
  float x_of(double value) const {
    const double t = (value - b_.low) / (b_.high - b_.low);
    return left_ + real(std::clamp(t, 0.0, 1.0)) * (right_ - left_);
  }

  void row(Index k, float y) {
    const float inset = std::min(0.75f * b_.unit, 0.15f * b_.row);
    const ImVec2 a{left_, y + inset}, b{right_, y + b_.row - inset};
    const bool under = listens_ && ImGui::IsMouseHoveringRect({b_.pos.x, y}, {b_.pos.x + b_.width, y + b_.row});
    if (under) {
      result_.row = k;
      result_.clicked = ui::clicked();
    }
    if (b_.marked_row == k) canvas_.fill({b_.pos.x, y}, {right_, y + b_.row}, b_.theme->accent_soft);
    if (b_.label && b_.row >= 0.8f * b_.font->FontSize) label(k, y, under);
    parts(k, a, b, under);
    if (b_.beside) b_.beside(k, {right_, y}, {b_.pos.x + b_.width, y + b_.row});
  }

  void label(Index k, float y, bool under) const {
    const std::string text = clipped(b_.font, b_.label(k), b_.label_width - 1.5f * b_.unit);
    canvas_.text_up_to(b_.font, {left_ - 1.5f * b_.unit, y + 0.5f * (b_.row - b_.font->FontSize)},
                       under || k == b_.marked_row ? b_.theme->ink : b_.theme->ink_soft, text);
  }

  void parts(Index k, ImVec2 a, ImVec2 b, bool under) {
    const auto values = b_.parts.row(k);
    if (!values.allFinite()) {
      canvas_.text_at(b_.font, {x_of(0) + b_.unit, a.y + 0.5f * (b.y - a.y - b_.font->FontSize)}, b_.theme->ink_faint,
                      "n/a");
      return;
    }
    const float mouse = ImGui::GetIO().MousePos.x;
    double above = 0, below = 0;
    for (Index p = 0; p < values.size(); ++p) {
      double& end = values(p) < 0 ? below : above;
      const float from = x_of(end), to = x_of(end += values(p));
      const float x0 = std::min(from, to), x1 = std::max(from, to);
      if (x1 <= x0) continue;
      // A gap keeps neighbours of like colours apart, where there is room for one.
      const float gap = x1 - x0 >= 4 ? 1.0f : 0.0f;
      canvas_.fill({x0, a.y}, {x1 - gap, b.y}, b_.color(p));
      const bool hit = under && mouse >= x0 && mouse < x1;
      if (hit) result_.part = p;
      if (p != b_.marked_part && !hit) continue;
      canvas_.frame({x0 - 1, a.y - 1}, {std::max(x1 - gap, x0 + 2) + 1, b.y + 1}, b_.theme->ink, 1.5f);
    }
  }

  Canvas& canvas_;
  const StackedBars& b_;
  float left_, right_;
  bool listens_;
  StackedBarsResult result_;
};

}  // namespace

StackedBarsResult stacked_bars(Canvas& canvas, const StackedBars& bars) { return BarsDrawing(canvas, bars).run(); }

StackRange stack_range(const MatView<double>& parts) {
  double low = 0, high = 0;
  for (Index k = 0; k < parts.rows(); ++k) {
    if (!parts.row(k).allFinite()) continue;
    low = std::min(low, parts.row(k).array().min(0).sum());
    high = std::max(high, parts.row(k).array().max(0).sum());
  }
  if (low == 0 && high == 0) return {};
  return {low, high};
}

}  // namespace hydra
