#include "app/widgets/line_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/draw/canvas.h"
#include "app/draw/color_map.h"
#include "app/draw/format.h"
#include "app/draw/nth.h"
#include "app/draw/probe.h"
#include "app/widgets/beyond.h"
#include "app/widgets/mouse_area.h"
#include "app/widgets/room.h"

namespace hydra {

namespace {

class Chart {
 public:
  Chart(Canvas& canvas, const LineChart& chart, ImVec2 pos, ImVec2 size) : canvas_(canvas), c_(chart) {
    const float left = std::max(text_width(c_.font, ui::number(c_.high, 2)), text_width(c_.font, "1e-10"));
    low_ = {pos.x + left + 1.5f * c_.unit, pos.y + 1.4f * c_.font->FontSize};
    high_ = {pos.x + size.x - 2 * c_.unit, pos.y + size.y - 1.4f * c_.font->FontSize};
  }

  LineChartResult draw(const char* name, bool hovered) {
    grid();
    float free = low_.x;  // where the labels so far end
    for (const ChartLimit& limit : c_.limits) limit_line(limit, free);
    for (const ChartThreshold& limit : c_.thresholds) threshold(limit);
    LineChartResult result;
    if (hovered) result = nearest(ImGui::GetIO().MousePos);
    for (std::size_t k = 0; k < c_.lines.size(); ++k)
      if (c_.lines[k].low && (c_.lines[k].strong || static_cast<int>(k) == result.line)) band(c_.lines[k]);
    for (const bool strong : {false, true})
      for (std::size_t k = 0; k < c_.lines.size(); ++k)
        if (c_.lines[k].strong == strong && static_cast<int>(k) != result.line) line(c_.lines[k], strong);
    if (result.line >= 0) line(nth(c_.lines, result.line), true);
    beyond(name);
    if (result.line >= 0) {
      const ChartLine& line = nth(c_.lines, result.line);
      canvas_.ring(place(line, static_cast<std::size_t>(result.index)), 1.2f * c_.unit, c_.theme->hover, 2);
      result.clicked = ui::clicked();
    }
    return result;
  }

 private:
  float x_of(double k) const {
    const double span = std::max(1, c_.last - 1), inset = 2 * c_.unit;
    return low_.x + real(inset + (k - 1) / span * (high_.x - low_.x - 2 * inset));
  }
  // Below a logarithmic axis's foot lies what is too small for it, 0 too, so far that lines leave steeply.
  float y_of(double value) const {
    double t = (value - c_.low) / (c_.high - c_.low);
    if (c_.logarithmic) t = std::log(std::max(value, 1e-3 * c_.low) / c_.low) / std::log(c_.high / c_.low);
    return high_.y - real(std::clamp(t, -2.0, 3.0)) * (high_.y - low_.y);
  }
  bool within(double value) const { return value >= c_.low && value <= c_.high; }
  ImVec2 place(const ChartLine& line, std::size_t k) const {
    return {x_of(static_cast<double>(k + 1)), y_of((*line.values)[k])};
  }

  void level(double value, bool numbered) {
    const float y = std::round(y_of(value));
    canvas_.fill({low_.x, y}, {high_.x, y + 1}, c_.theme->line);
    if (!numbered) return;
    const std::string text =
        value != 0 && value < 0.01 ? "1e" + std::to_string(std::lround(std::log10(value))) : ui::short_number(value);
    canvas_.text_up_to(c_.font, {low_.x - 1.5f * c_.unit, y - 0.5f * c_.font->FontSize}, c_.theme->ink_soft, text);
  }

  void grid() {
    if (c_.logarithmic) {
      const double first = std::ceil(std::log10(c_.low) - 1e-9), last = std::floor(std::log10(c_.high) + 1e-9);
      const float apart = (high_.y - low_.y) / real(std::max(1.0, last - first));
      const int stride = std::max(1, static_cast<int>(std::ceil(1.3f * c_.font->FontSize / apart)));
      int k = 0;
      for (double decade = last; decade >= first; decade -= 1, ++k) level(std::pow(10, decade), k % stride == 0);
    } else {
      for (int k = 0; k <= 4; ++k) level(c_.low + 0.25 * k * (c_.high - c_.low), k % 2 == 0);
    }
    const float step = x_of(2) - x_of(1), wide = text_width(c_.font, std::to_string(c_.last)) + 2 * c_.unit;
    const int stride = std::max(1, static_cast<int>(std::ceil(wide / std::max(0.01f, step))));
    for (int k = 1; k <= c_.last; ++k)
      if (k == 1 || k % stride == 0)
        canvas_.text_centered(c_.font, {x_of(k), high_.y + 0.5f * c_.unit + 0.5f * c_.font->FontSize},
                              c_.theme->ink_soft, std::to_string(k));
  }

  void limit_line(const ChartLimit& limit, float& free) {
    const bool beyond = limit.at > c_.last;
    const std::string arrow = beyond ? (c_.unicode ? " →" : " >") : "";
    const std::string text = limit.label + arrow;
    const float x = beyond ? high_.x : std::round(x_of(limit.at)), width = text_width(c_.font, text);
    if (!beyond) canvas_.fill({x, low_.y - 0.5f * c_.unit}, {x + 1, high_.y}, c_.theme->ink_soft);
    // Over its line; where others follow before it, so that they find room.
    const float wanted = &limit != &c_.limits.back() ? x - width : x - 0.5f * width;
    const float left = std::clamp(wanted, low_.x, std::max(low_.x, high_.x + 2 * c_.unit - width));
    if (left < free) return;
    canvas_.text_at(c_.font, {left, low_.y - 0.75f * c_.unit - c_.font->FontSize}, c_.theme->ink_soft, text);
    free = left + width + c_.unit;
  }

  void threshold(const ChartThreshold& threshold) {
    if (!within(threshold.at)) return;
    const float y = std::round(y_of(threshold.at)), dash = 1.5f * c_.unit;
    for (float x = low_.x; x < high_.x; x += 2 * dash)
      canvas_.fill({x, y}, {std::min(x + dash, high_.x), y + 1}, c_.theme->ink_soft);
    const std::string text = clipped(c_.font, threshold.label, high_.x - low_.x - c_.unit);
    canvas_.text_at(c_.font, {low_.x + c_.unit, y + 0.5f * c_.unit}, c_.theme->ink_soft, text);
  }

  void line(const ChartLine& line, bool strong) {
    const ImU32 color = strong ? line.color : with_alpha(line.color, static_cast<unsigned>(255 * c_.weak));
    const std::size_t count = std::min(line.values->size(), static_cast<std::size_t>(c_.last));
    canvas_.push_clip({low_.x - 2 * c_.unit, low_.y - c_.unit}, {high_.x + 2 * c_.unit, high_.y + 1});
    for (std::size_t k = 0; k + 1 < count; ++k)
      if (within((*line.values)[k]) || within((*line.values)[k + 1]))
        canvas_.line(place(line, k), place(line, k + 1), color, strong ? 3.0f : 1.5f);
    canvas_.pop_clip();
    if (count > 1 && x_of(2) - x_of(1) < 2 * c_.unit) return;
    for (std::size_t k = 0; k < count; ++k)
      if (within((*line.values)[k])) canvas_.disc(place(line, k), (strong ? 0.9f : 0.6f) * c_.unit, color);
  }

  // Below a logarithmic axis lies what counts as nothing.
  void beyond(const char* name) const {
    Beyond beyond(c_.logarithmic ? -std::numeric_limits<double>::infinity() : c_.low, c_.high);
    for (const ChartLine& line : c_.lines)
      for (std::size_t k = 0; k < std::min(line.values->size(), static_cast<std::size_t>(c_.last)); ++k)
        beyond.note((*line.values)[k], place(line, k).x);
    beyond.draw(canvas_, name, c_, {low_, {high_.x - low_.x, high_.y - low_.y}});
  }

  void band(const ChartLine& line) {
    const std::size_t count = std::min({line.low->size(), line.high->size(), static_cast<std::size_t>(c_.last)});
    const auto at = [&](const std::vector<double>& values, std::size_t k) {
      return ImVec2{x_of(static_cast<double>(k + 1)), y_of(values[k])};
    };
    canvas_.push_clip({low_.x - 2 * c_.unit, low_.y - c_.unit}, {high_.x + 2 * c_.unit, high_.y + 1});
    for (std::size_t k = 0; k + 1 < count; ++k)
      canvas_.quad(at(*line.low, k), at(*line.high, k), at(*line.high, k + 1), at(*line.low, k + 1),
                   with_alpha(line.color, 60));
    canvas_.pop_clip();
  }

  LineChartResult nearest(ImVec2 mouse) const {
    LineChartResult found;
    float best = 9 * c_.unit * c_.unit;
    for (std::size_t l = 0; l < c_.lines.size(); ++l)
      for (std::size_t k = 0; k < std::min(c_.lines[l].values->size(), static_cast<std::size_t>(c_.last)); ++k) {
        if (!within((*c_.lines[l].values)[k])) continue;
        const ImVec2 at = place(c_.lines[l], k);
        const float away = (at.x - mouse.x) * (at.x - mouse.x) + (at.y - mouse.y) * (at.y - mouse.y);
        if (away < best) best = away, found.line = static_cast<int>(l), found.index = static_cast<int>(k);
      }
    return found;
  }

  Canvas& canvas_;
  const LineChart& c_;
  ImVec2 low_, high_;  // of the lines
};

// The first and the last value of the lines that stand out, or of all.
std::string line_chart_words(const LineChart& chart) {
  const bool some = std::ranges::any_of(chart.lines, &ChartLine::strong);
  std::string text = chart.title;
  for (const ChartLine& line : chart.lines)
    if (line.strong == some && !line.values->empty())
      text += ui::words("; from ", ui::number(line.values->front()), " to ", ui::number(line.values->back()));
  return text;
}

}  // namespace

LineChartResult draw_line_chart(Canvas& canvas, const char* name, const LineChart& chart, ImVec2 pos, ImVec2 size) {
  ImGui::SetCursorScreenPos(pos);
  const bool hovered = ui::telling_area(name, {std::max(1.0f, size.x), std::max(1.0f, size.y)});
  ui::probe(name);
  if (ui::is_framed()) ui::name_if_framed(line_chart_words(chart));
  return Chart(canvas, chart, pos, size).draw(name, hovered);
}

}  // namespace hydra
