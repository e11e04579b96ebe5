#include "app/widgets/time_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/draw/canvas.h"
#include "app/draw/color_map.h"
#include "app/draw/format.h"
#include "app/draw/nth.h"
#include "app/draw/probe.h"
#include "app/widgets/beyond.h"
#include "app/widgets/chart_labels.h"
#include "app/widgets/mouse_area.h"

namespace hydra {

namespace {

int count_of(const TimeLine& line) {
  return line.count < 0 ? int_size(*line.values) : std::min(line.count, int_size(*line.values));
}
// The k-th value; NaN where there is none.
double value_of(const TimeLine& line, int k) {
  return k < 0 || k >= count_of(line) ? std::numeric_limits<double>::quiet_NaN() : nth(*line.values, k);
}

// The mean of a value and its neighbours, of values that are asked one after the other.
class Means {
 public:
  Means(const TimeLine& line, int neighbours) : line_(line), neighbours_(neighbours) {}
  double at(int k) {
    if (next_ == kNone) next_ = gone_ = std::max(0, k - neighbours_);
    for (; next_ <= k + neighbours_; ++next_) count(value_of(line_, next_), 1);
    for (; gone_ < k - neighbours_; ++gone_) count(value_of(line_, gone_), -1);
    return there_ > 0 ? sum_ / there_ : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  static constexpr int kNone = std::numeric_limits<int>::min();
  void count(double value, int times) {
    if (std::isfinite(value)) sum_ += times * value, there_ += times;
  }
  const TimeLine& line_;
  int neighbours_, next_ = kNone, gone_ = kNone, there_ = 0;
  double sum_ = 0;
};

class Chart {
 public:
  Chart(Canvas& canvas, const TimeChart& chart, ImVec2 pos, ImVec2 size)
      : canvas_(canvas), c_(chart), font_height_(chart.font->FontSize), beyond_(chart.low, chart.high) {
    const float left = text_width(c_.font, "0.00") + 1.5f * c_.unit;
    float right = 2 * c_.unit;
    for (const TimeLine& line : c_.lines)
      if (!line.label.empty()) right = std::max(right, text_width(c_.font, line.label) + 2 * c_.unit);
    for (const TimeLevel& level : c_.levels) right = std::max(right, text_width(c_.font, level.label) + 2 * c_.unit);
    right = std::min(right, kMostOfLabels * size.x);
    title_ = pos;
    low_ = {pos.x + left, pos.y + (c_.title.empty() ? 0.6f : 1.5f) * font_height_};
    high_ = {pos.x + size.x - right, pos.y + size.y - (c_.steps ? 1.4f : 0.4f) * font_height_};
    end_ = pos.x + size.x;
  }

  void draw(const char* id) {
    if (high_.x - low_.x < 4 * c_.unit || high_.y - low_.y < 2 * c_.unit) return;
    if (!c_.title.empty()) canvas_.text_at(c_.font, title_, c_.theme->ink, c_.title, end_ - title_.x);
    grid();
    {
      const Canvas::Clip clip(canvas_, {low_.x - c_.unit, low_.y - c_.unit}, {high_.x + c_.unit, high_.y + c_.unit});
      for (const bool strong : {false, true})
        for (const TimeLine& line : c_.lines)
          if (line.strong == strong) draw_line(line);
    }
    for (const TimeLevel& level : c_.levels) draw_level(level);
    labels();
    beyond_.draw(canvas_, id, c_, {low_, {high_.x - low_.x, high_.y - low_.y}});
    if (c_.now < 0) return;
    const float x = std::round(x_of(c_.now));
    canvas_.fill({x - 1, low_.y}, {x + 1, high_.y}, c_.theme->accent);
  }

  int step_at(float x) const {
    const float t = (x - low_.x) / std::max(1.0f, high_.x - low_.x);
    return std::clamp(static_cast<int>(std::lround(t * real(c_.last))), 0, c_.last);
  }

  int nearest(int step, float y) const {
    int found = -1;
    float best = 3 * c_.unit;
    for (int l = 0; l < int_size(c_.lines); ++l) {
      const double value = value_at(nth(c_.lines, l), step);
      if (std::isnan(value)) continue;
      const float away = std::abs(y_of(value) - y);
      if (away < best) best = away, found = l;
    }
    return found;
  }

 private:
  float x_of(int step) const { return low_.x + real(step) / real(std::max(1, c_.last)) * (high_.x - low_.x); }
  float y_of(double value) const {
    const double t = (value - c_.low) / (c_.high - c_.low);
    return high_.y - real(std::clamp(t, -0.02, 1.02)) * (high_.y - low_.y);
  }

  bool is_within(double value) const { return value >= c_.low && value <= c_.high; }

  void grid() {
    const float apart = (high_.y - low_.y) / 2;
    for (int k = 0; k <= 2; ++k) {
      const double value = c_.low + 0.5 * k * (c_.high - c_.low);
      const float y = std::round(y_of(value));
      canvas_.fill({low_.x, y}, {high_.x, y + 1}, c_.theme->line);
      if (k == 1 && apart < 1.5f * font_height_) continue;
      canvas_.text_up_to(c_.font, {low_.x - 1.5f * c_.unit, y - 0.5f * font_height_}, c_.theme->ink_soft,
                         ui::short_number(value));
    }
    if (!c_.steps) return;
    const float y = high_.y + 0.9f * font_height_;
    for (int k = 0; k <= 2; ++k) {
      const int step = k * c_.last / 2;
      if (k == 1 && high_.x - low_.x < 14 * font_height_) continue;
      canvas_.text_centered(c_.font, {x_of(step), y}, c_.theme->ink_soft, std::to_string(step));
    }
  }

  // Of a stretch with more values than pixels, each pixel's least and most; of means, each pixel's first.
  void stretch(const TimeLine& line, int from, int to, ImU32 color, float thick, int mean_of = 0) {
    static thread_local std::vector<ImVec2> points;
    const auto flush = [&] {
      if (points.size() > 1) canvas_.path(points, color, thick);
      points.clear();
    };
    points.clear();
    const int apart = line.apart;
    const int per_pixel = std::max(1, static_cast<int>(real(c_.last) / std::max(1.0f, high_.x - low_.x)) / apart);
    const int begin = (from - line.first) / apart, end = (to - line.first) / apart + 1;
    Means means(line, mean_of / apart);
    for (int place = begin; place < end; place += per_pixel) {
      const float x = x_of(line.first + place * apart);
      if (mean_of > 0) {
        const double mean = means.at(place);
        if (!std::isnan(mean)) points.push_back({x, y_of(mean)});
        continue;
      }
      double least = std::numeric_limits<double>::infinity(), most = -least;
      int at_least = place, at_most = place;
      for (int k = place; k < std::min(place + per_pixel, end); ++k) {
        const double value = value_of(line, k);
        if (value < least) least = value, at_least = k;
        if (value > most) most = value, at_most = k;
      }
      if (most < least) continue;  // none there
      beyond_.note(least, x), beyond_.note(most, x);
      if (at_least == at_most) {
        points.push_back({x, y_of(least)});
      } else {
        points.push_back({x, y_of(at_least < at_most ? least : most)});
        points.push_back({x, y_of(at_least < at_most ? most : least)});
      }
    }
    flush();
  }

  void draw_line(const TimeLine& line) {
    const int end = end_of(line);
    const float thick = line.strong ? 2.5f : 1.25f;
    const int now = c_.now < 0 || !c_.pale ? end : std::min(c_.now, end);
    const ImU32 pale = with_alpha(line.color, line.strong ? 80 : 60);
    if (line.mean_of > 0) stretch(line, line.first, end, with_alpha(line.color, 50), 1.25f);
    if (now < end) stretch(line, std::max(now, line.first), end, pale, 1.5f, line.mean_of);
    stretch(line, line.first, now, line.strong ? line.color : with_alpha(line.color, 130), thick, line.mean_of);
  }

  static int end_of(const TimeLine& line) { return line.first + (count_of(line) - 1) * line.apart; }

  void draw_level(const TimeLevel& level) {
    if (!is_within(level.at)) return;
    const float y = std::round(y_of(level.at)), dash = 1.5f * c_.unit;
    for (float x = low_.x; x < high_.x; x += 2 * dash)
      canvas_.fill({x, y}, {std::min(x + dash, high_.x), y + 1}, c_.theme->ink_soft);
  }

  // Of levels and lines, at the end; those of lines where they are now.
  void labels() {
    struct Label {
      float y;
      const std::string* text;
      ImU32 color;
    };
    std::vector<Label> all;
    for (const TimeLevel& level : c_.levels)
      if (is_within(level.at)) all.push_back({y_of(level.at), &level.label, c_.theme->ink_soft});
    for (const TimeLine& line : c_.lines) {
      if (line.label.empty()) continue;
      int step = c_.now < 0 || !c_.pale ? end_of(line) : std::min(c_.now, end_of(line));
      while (step > line.first && std::isnan(value_at(line, step))) --step;
      const double value = value_at(line, step);
      if (!std::isnan(value)) all.push_back({y_of(value), &line.label, line.strong ? line.color : c_.theme->ink_soft});
    }
    std::ranges::stable_sort(all, {}, &Label::y);
    std::vector<float> heights;
    for (const Label& label : all) heights.push_back(label.y);
    spread(heights, font_height_, high_.y);
    for (std::size_t k = 0; k < all.size(); ++k)
      canvas_.text_at(c_.font, {high_.x + c_.unit, heights[k] - 0.5f * font_height_}, all[k].color, *all[k].text,
                      end_ - high_.x - c_.unit);
  }

  Canvas& canvas_;
  const TimeChart& c_;
  float font_height_;
  ImVec2 title_, low_, high_;  // of the title; of the lines
  float end_;
  Beyond beyond_;
};

}  // namespace

double value_at(const TimeLine& line, int step) {
  return step < line.first ? std::numeric_limits<double>::quiet_NaN()
                           : value_of(line, (step - line.first) / line.apart);
}

double value_above(const std::vector<TimeLine>& lines, double share) {
  static thread_local std::vector<double> values;
  constexpr int most = 512;  // of a line
  values.clear();
  for (const TimeLine& line : lines)
    for (int k = 0, count = count_of(line), apart = std::max(1, count / most); k < count; k += apart)
      if (const double value = value_of(line, k); std::isfinite(value)) values.push_back(value);
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, place);
  return *place;
}

double usual_high(const std::vector<TimeLine>& lines) {
  const double most = value_above(lines, 1), usual = value_above(lines, 0.98);
  return most <= 1.5 * usual ? most : usual;
}

namespace {
// The values of the lines that have a name, where the chart stands.
std::string time_chart_words(const TimeChart& chart) {
  const int at = chart.now >= 0 ? chart.now : chart.last;
  std::string text = ui::words(chart.title, "; at ", at);
  for (const TimeLine& line : chart.lines)
    if (const double value = value_at(line, at); !line.label.empty() && std::isfinite(value))
      text += ui::words(", ", line.label, " ", ui::number(value));
  return text;
}

}  // namespace

TimeChartResult time_chart(Canvas& canvas, const char* id, const TimeChart& chart, ImVec2 pos, ImVec2 size) {
  ImGui::SetCursorScreenPos(pos);
  const bool hovered = ui::telling_area(id, {std::max(1.0f, size.x), std::max(1.0f, size.y)});
  const bool by_pointer = !ui::keys_choose(), held = by_pointer && ImGui::IsItemActive(),
             released = by_pointer && ImGui::IsItemDeactivated();
  ui::probe(id);
  if (ui::is_framed()) ui::name_if_framed(time_chart_words(chart));
  Chart drawn(canvas, chart, pos, size);
  drawn.draw(id);
  TimeChartResult result;
  if (!hovered && !held && !released) return result;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  result.pointed = drawn.step_at(mouse.x);
  if (hovered) result.line = drawn.nearest(result.pointed, mouse.y);
  result.held = held;
  result.released = released;
  return result;
}

}  // namespace hydra
