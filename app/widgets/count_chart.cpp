#include "app/widgets/count_chart.h"

#include <algorithm>
#include <cmath>

#include "app/draw/canvas.h"
#include "app/draw/color_map.h"
#include "app/draw/format.h"
#include "app/draw/nth.h"
#include "app/draw/probe.h"
#include "app/widgets/chart_labels.h"
#include "app/widgets/mouse_area.h"
#include "app/widgets/room.h"

namespace hydra {

namespace {

class Chart {
 public:
  Chart(Canvas& canvas, const CountChart& chart, ImVec2 pos, ImVec2 size) : canvas_(canvas), c_(chart) {
    float labels = text_width(c_.font, c_.say(c_.high));
    for (const double value : ticks()) labels = std::max(labels, text_width(c_.font, c_.say(value)));
    low_ = {pos.x + labels + 1.5f * c_.unit, pos.y + (c_.marks.empty() ? 0.5f : 1.5f) * c_.font->FontSize};
    high_ = {pos.x + size.x - beside(), pos.y + size.y - 1.5f * c_.font->FontSize};
    foot_ = high_.y;
    for (const CountSeries& series : c_.series) {
      if (series.kind == CountSeries::Kind::bars) continue;
      foot_ = high_.y - 2 * c_.unit;  // marks at the foot stand free of the counts below
      for (const double value : series.values) zero_ = zero_ || (c_.logarithmic && value <= 0);
    }
    if (zero_) foot_ -= std::max(1.5f * c_.font->FontSize, 4 * c_.unit);
    // As wide as the nearest neighbours allow, with the outer ones whole.
    double nearest = span();
    for (std::size_t k = 1; k < c_.counts.size(); ++k)
      nearest = std::min(nearest, std::log2(c_.counts[k] / c_.counts[k - 1]));
    const float room = high_.x - low_.x;
    step_ = room * real(nearest / (span() + nearest));
    bar_ = std::min(0.72f * step_, 14 * c_.unit);
  }

  void draw() {
    ground();
    for (const double value : ticks()) level_line(value);
    if (zero_) level_line(0);
    for (const CountLevel& level : c_.levels) level_mark(level);
    for (const CountMark& mark : c_.marks) upright(mark);
    bars();
    for (const CountSeries& series : c_.series)
      if (series.kind != CountSeries::Kind::bars) curve(series);
    axis();
    names();
  }

  int under(ImVec2 mouse) const {
    int found = -1;
    float best = std::max(0.6f * step_, 3 * c_.unit);
    for (int k = 0; k < size(); ++k)
      if (const float away = std::abs(x_of(k) - mouse.x); away < best) best = away, found = k;
    return found;
  }

 private:
  // Width of what stands beside the ends of lines and levels.
  float beside() const {
    float wide = 0;
    const auto widen = [&](const std::string& label) {
      if (!label.empty()) wide = std::max(wide, text_width(c_.font, label) + 1.5f * c_.unit);
    };
    for (const CountSeries& series : c_.series) widen(series.label);
    for (const CountLevel& level : c_.levels) widen(level.label);
    return wide;
  }
  int size() const { return int_size(c_.counts); }
  // Of the axis in doublings; a single count has one to itself.
  double span() const { return c_.counts.size() > 1 ? std::log2(c_.counts.back() / c_.counts.front()) : 1; }
  float x_of(int k) const {
    if (c_.counts.size() < 2) return 0.5f * (low_.x + high_.x);
    const double t = std::log2(nth(c_.counts, k) / c_.counts.front()) / span();
    return low_.x + 0.5f * step_ + real(t) * (high_.x - low_.x - step_);
  }
  float y_of(double value) const {
    if (zero_ && value <= 0) return high_.y - 2 * c_.unit;
    double t = (value - c_.low) / (c_.high - c_.low);
    if (c_.logarithmic) t = value > 0 ? std::log(value / c_.low) / std::log(c_.high / c_.low) : 0;
    return foot_ - real(std::clamp(t, 0.0, 1.0)) * (foot_ - low_.y);
  }
  std::vector<double> ticks() const {
    if (!c_.logarithmic) return {c_.low, 0.5 * (c_.low + c_.high), c_.high};
    std::vector<double> values;
    const auto first = static_cast<int>(std::ceil(power_of(c_.low) - 1e-9));
    for (int power = first; power <= power_of(c_.high) + 1e-9; ++power) values.push_back(std::pow(c_.base, power));
    return values;
  }

  double power_of(double value) const { return std::log(value) / std::log(c_.base); }

  void ground() {
    const auto shaded_to = [&] {
      return c_.shaded >= size() ? high_.x : 0.5f * (x_of(c_.shaded - 1) + x_of(c_.shaded));
    };
    if (c_.shaded > 0) canvas_.fill(low_, {shaded_to(), high_.y}, with_alpha(c_.theme->line, 110));
    for (const int k : {c_.marked, c_.hovered})
      if (k >= 0 && k < size())
        canvas_.fill({x_of(k) - 0.5f * step_, low_.y}, {x_of(k) + 0.5f * step_, high_.y},
                     k == c_.marked ? c_.theme->accent_soft : c_.theme->raised);
    if (c_.shaded > 0) shaded_label(shaded_to());
  }

  // Where nothing else is drawn.
  void shaded_label(float right) {
    const ImVec2 size{text_width(c_.font, c_.shaded_label), c_.font->FontSize};
    const LabelBox room{{low_.x + c_.unit, low_.y + 0.5f * c_.unit}, {right - c_.unit, high_.y - 0.5f * c_.unit}};
    std::vector<LabelBox> taken = marks(), with_lines = taken;
    for (const double value : ticks()) with_lines.push_back({{low_.x, y_of(value)}, {high_.x, y_of(value) + 1}});
    std::optional<ImVec2> at = free_place(size, room, with_lines);
    if (!at) at = free_place(size, room, taken);
    if (at) canvas_.text_at(c_.font, *at, c_.theme->ink_soft, c_.shaded_label);
  }
  // What points, lines and levels cover.
  std::vector<LabelBox> marks() const {
    std::vector<LabelBox> found;
    const auto around = [&](ImVec2 at, float radius) {
      found.push_back({{at.x - radius, at.y - radius}, {at.x + radius, at.y + radius}});
    };
    for (const CountSeries& series : c_.series)
      for (int k = 0; k < size() && series.kind != CountSeries::Kind::bars; ++k) {
        if (!finite(series, k)) continue;
        around(at(series, k), 2 * c_.unit);
        if (series.kind != CountSeries::Kind::line || k + 1 == size() || !finite(series, k + 1)) continue;
        const ImVec2 a = at(series, k), b = at(series, k + 1);
        for (float t = 0.1f; t < 1; t += 0.1f) around({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)}, c_.unit);
      }
    for (const CountLevel& level : c_.levels)
      found.push_back({{low_.x, y_of(level.at) - c_.unit}, {high_.x, y_of(level.at) + c_.unit}});
    return found;
  }

  void level_line(double value) {
    const float y = std::round(y_of(value)), size = c_.font->FontSize;
    canvas_.fill({low_.x, y}, {high_.x, y + 1}, c_.theme->line);
    if (c_.logarithmic && value > 0) {  // only as many numbers as have room
      const float apart = (foot_ - low_.y) / real(std::max(1.0, power_of(c_.high / c_.low)));
      const int stride = std::max(1, static_cast<int>(std::ceil(1.2f * size / apart)));
      if (std::lround(power_of(value)) % stride != 0) return;
    }
    const std::string text = c_.say(value);
    canvas_.text_up_to(c_.font, {low_.x - 1.5f * c_.unit, y - 0.5f * size}, c_.theme->ink_soft, text);
  }

  void level_mark(const CountLevel& level) {
    const float y = std::round(y_of(level.at));
    canvas_.fill({low_.x, y - 1}, {high_.x, y + 1}, c_.theme->ink);
  }

  void upright(const CountMark& mark) {
    if (c_.counts.size() < 2 || mark.at < c_.counts.front() || mark.at > c_.counts.back()) return;
    const double t = std::log2(mark.at / c_.counts.front()) / span();
    const float x = std::round(low_.x + 0.5f * step_ + real(t) * (high_.x - low_.x - step_));
    const float top = low_.y - 1.25f * c_.font->FontSize;  // the label stands over the plot
    canvas_.fill({x, top}, {x + 1, foot_}, c_.theme->ink_faint);
    if (mark.left)
      canvas_.text_up_to(c_.font, {x - c_.unit, top}, c_.theme->ink_soft, mark.label);
    else
      canvas_.text_at(c_.font, {x + 1 + c_.unit, top}, c_.theme->ink_soft, mark.label);
  }

  void bars() {
    for (int k = 0; k < size(); ++k) {
      double sum = 0;
      for (const CountSeries& series : c_.series) {
        const double value = nth(series.values, k);
        if (series.kind != CountSeries::Kind::bars || !std::isfinite(value)) continue;
        const float from = y_of(sum), to = y_of(sum += value), x = std::round(x_of(k) - 0.5f * bar_);
        const float gap = from - to > 3 ? 1.0f : 0.0f;
        canvas_.fill({x, to + gap}, {std::round(x + bar_), from}, series.color);
      }
    }
  }

  bool finite(const CountSeries& series, int k) const { return std::isfinite(nth(series.values, k)); }
  ImVec2 at(const CountSeries& series, int k) const { return {x_of(k), y_of(nth(series.values, k))}; }

  void curve(const CountSeries& series) {
    using Kind = CountSeries::Kind;
    for (int k = 0; k + 1 < size() && series.kind == Kind::line; ++k)
      if (finite(series, k) && finite(series, k + 1))
        canvas_.line(at(series, k), at(series, k + 1), series.color, 0.5f * c_.unit);
    const float radius = std::min(1.1f * c_.unit, 0.4f * step_);
    for (int k = 0; k < size() && !series.low.empty(); ++k) {
      const double low = nth(series.low, k), high = nth(series.high, k);
      if (!std::isfinite(low) || !std::isfinite(high)) continue;
      const float x = std::round(x_of(k)), half = std::max(1.0f, 0.25f * c_.unit);
      canvas_.fill({x - half, y_of(high)}, {x + half, y_of(low)}, with_alpha(series.color, 150));
    }
    for (int k = 0; k < size(); ++k) {
      if (!finite(series, k)) continue;
      if (series.kind == Kind::rings)
        canvas_.ring(at(series, k), std::min(1.65f * c_.unit, 0.42f * step_), series.color, 0.4f * c_.unit);
      else
        canvas_.disc(at(series, k), series.kind == Kind::dots ? radius : 0.6f * radius, series.color);
    }
  }

  // Levels and lines at the height of their last value, apart from each other.
  void names() {
    struct Name {
      const std::string* label;
      ImU32 color;
      float y;
    };
    std::vector<Name> found;
    for (const CountLevel& level : c_.levels) found.push_back({&level.label, c_.theme->ink, y_of(level.at)});
    for (const CountSeries& series : c_.series)
      for (int k = size(); !series.label.empty() && k-- > 0;)
        if (finite(series, k)) {
          found.push_back({&series.label, series.color, at(series, k).y});
          break;
        }
    std::stable_sort(found.begin(), found.end(), [](const Name& a, const Name& b) { return a.y < b.y; });
    std::vector<float> heights;
    for (const Name& name : found) heights.push_back(name.y);
    spread(heights, 1.1f * c_.font->FontSize, high_.y);
    for (std::size_t k = 0; k < found.size(); ++k)
      canvas_.text_at(c_.font, {high_.x + 1.5f * c_.unit, heights[k] - 0.5f * c_.font->FontSize}, found[k].color,
                      *found[k].label);
  }

  // The counts below: the marked one always.
  void axis() {
    std::vector<std::string> texts;
    std::vector<float> places;
    float wide = 0;
    for (int k = 0; k < size(); ++k) {
      texts.push_back(ui::short_number(nth(c_.counts, k)));
      places.push_back(x_of(k));
      wide = std::max(wide, text_width(c_.font, texts.back()));
    }
    for (const int k : thinned(places, wide + 0.75f * c_.unit, c_.marked)) {
      const std::string& text = nth(texts, k);
      canvas_.text_at(c_.font, {x_of(k) - 0.5f * text_width(c_.font, text), high_.y + 0.4f * c_.unit},
                      k == c_.marked ? c_.theme->accent : c_.theme->ink_soft, text);
    }
  }

  Canvas& canvas_;
  const CountChart& c_;
  ImVec2 low_, high_;  // of the plot
  float foot_ = 0;     // where the vertical axis begins
  bool zero_ = false;  // has a place of its own below a logarithmic axis
  float step_ = 1, bar_ = 1;
};

// The values at the count that stands out, else at the last.
std::string count_chart_words(const CountChart& chart) {
  std::string text = chart.title;
  if (chart.counts.empty()) return text;
  const std::size_t at = chart.marked >= 0 ? static_cast<std::size_t>(chart.marked) : chart.counts.size() - 1;
  text += ui::words("; at ", ui::short_number(chart.counts[at]));
  for (const CountSeries& series : chart.series)
    if (std::isfinite(series.values[at]))
      text += ui::words(", ", series.label, series.label.empty() ? "" : " ", chart.say(series.values[at]));
  return text;
}

}  // namespace

CountChartResult count_chart(Canvas& canvas, const char* name, const CountChart& chart, ImVec2 pos, ImVec2 size) {
  ImGui::SetCursorScreenPos(pos);
  const bool hovered = ui::telling_area(name, {std::max(1.0f, size.x), std::max(1.0f, size.y)});
  ui::probe(name);
  if (ui::is_framed()) ui::name_if_framed(count_chart_words(chart));
  Chart drawing(canvas, chart, pos, size);
  drawing.draw();
  CountChartResult result;
  if (!hovered) return result;
  result.hovered = drawing.under(ImGui::GetIO().MousePos);
  result.clicked = result.hovered >= 0 && ui::clicked();
  return result;
}

}  // namespace hydra
