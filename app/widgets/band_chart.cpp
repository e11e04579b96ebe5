#include "app/widgets/band_chart.h"

#include <algorithm>
#include <cmath>

#include "app/draw/canvas.h"
#include "app/draw/color_map.h"
#include "app/draw/format.h"
#include "app/draw/nth.h"
#include "app/draw/probe.h"
#include "app/widgets/mouse_area.h"

namespace hydra {

namespace {

class ChartDrawing {
 public:
  ChartDrawing(Canvas& canvas, const BandChart& chart) : canvas_(canvas), c_(chart) {
    const float small = c_.font->FontSize;
    tick_ = ui::nice_ceiling(c_.top / std::max(1.0f, std::floor(c_.size.y / (4.5f * small))));
    float numbers = 0;
    for (double v = 0; v <= c_.top * 1.001; v += tick_) numbers = std::max(numbers, text_width(c_.font, tick(v)));
    at_.min = {c_.pos.x + numbers + 1.5f * c_.unit, c_.pos.y + 1.8f * small};
    at_.max = {std::max(at_.min.x + 1, c_.pos.x + c_.size.x - 2 * c_.unit),
               std::max(at_.min.y + 1, c_.pos.y + c_.size.y - 1.2f * small - c_.under)};
    at_.step = (at_.max.x - at_.min.x) / real(std::max<std::size_t>(1, c_.line->size() - 1));
  }

  BandChartResult run(const char* id) {
    axes();
    ImGui::SetCursorScreenPos(at_.min);
    const bool hovered = ui::telling_area(id, {at_.max.x - at_.min.x, at_.max.y - at_.min.y});
    ui::probe(id);
    if (ui::is_framed()) ui::name_if_framed(said());
    if (hovered) hover();
    band();
    line(*c_.mean, c_.mean_color, 1.5f);
    line(*c_.line, c_.line_color, 2.5f);
    points();
    return at_;
  }

 private:
  std::string said() const {
    std::string text = c_.y_title + "; " + c_.x_title + ":";
    for (const double value : *c_.line) text += " " + tick(value);
    return text;
  }
  std::string tick(double value) const { return ui::short_number(value / c_.unit_of_axis) + c_.suffix; }
  ImVec2 point(const std::vector<double>& values, std::size_t k) const {
    const double t = std::clamp(values[k] / c_.top, 0.0, 1.0);
    return {at_.x_of(static_cast<Index>(k)), at_.max.y - real(t) * (at_.max.y - at_.min.y)};
  }
  static bool known(const std::vector<double>& values, std::size_t k) { return std::isfinite(values[k]); }

  void axes() {
    const float small = c_.font->FontSize;
    canvas_.text_at(c_.font, {c_.pos.x, c_.pos.y}, c_.theme->ink_soft, c_.y_title, c_.size.x);
    for (double v = 0; v <= c_.top * 1.001; v += tick_) {
      const float y = at_.max.y - real(v / c_.top) * (at_.max.y - at_.min.y);
      canvas_.line({at_.min.x, y}, {at_.max.x, y}, v == 0 ? c_.theme->ink_faint : c_.theme->line);
      const std::string text = tick(v);
      canvas_.text_up_to(c_.font, {at_.min.x - 1.5f * c_.unit, y - 0.5f * small}, c_.theme->ink_soft, text);
    }
    const std::string title = clipped(c_.font, c_.x_title, c_.size.x);
    canvas_.text_at(c_.font, {std::max(c_.pos.x, at_.max.x - text_width(c_.font, title)), c_.pos.y + c_.size.y - small},
                    c_.theme->ink_soft, title);
  }

  void hover() {
    const float k = std::round((ImGui::GetIO().MousePos.x - at_.min.x) / std::max(1e-3f, at_.step));
    at_.hovered = std::clamp<Index>(static_cast<Index>(k), 0, std::ssize(*c_.line) - 1);
    const float x = at_.x_of(at_.hovered);
    canvas_.line({x, at_.min.y}, {x, at_.max.y}, c_.theme->ink_faint);
  }

  void band() {
    const ImU32 fill = with_alpha(c_.mean_color, 46);
    for (std::size_t k = 0; k + 1 < c_.low->size(); ++k) {
      if (!known(*c_.low, k) || !known(*c_.low, k + 1)) continue;
      canvas_.quad(point(*c_.low, k), point(*c_.high, k), point(*c_.high, k + 1), point(*c_.low, k + 1), fill);
    }
  }

  void line(const std::vector<double>& values, ImU32 color, float thick) {
    for (std::size_t k = 0; k + 1 < values.size(); ++k)
      if (known(values, k) && known(values, k + 1)) canvas_.line(point(values, k), point(values, k + 1), color, thick);
  }

  void points() {
    const float radius = at_.step >= 3 * c_.unit ? 0.75f * c_.unit : 0;
    for (std::size_t k = 0; k < c_.line->size(); ++k) {
      const bool under = at_.hovered == static_cast<Index>(k);
      if ((radius <= 0 && !under) || !known(*c_.line, k)) continue;
      canvas_.disc(point(*c_.line, k), under ? 1.1f * c_.unit : radius, c_.line_color);
    }
  }

  Canvas& canvas_;
  const BandChart& c_;
  double tick_ = 1;
  BandChartResult at_;
};

}  // namespace

BandChartResult band_chart(Canvas& canvas, const char* id, const BandChart& chart) {
  return ChartDrawing(canvas, chart).run(id);
}

}  // namespace hydra
