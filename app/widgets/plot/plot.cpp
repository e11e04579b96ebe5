#include "app/widgets/plot/plot.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/draw/color_map.h"
#include "app/draw/format.h"
#include "app/draw/nth.h"
#include "app/draw/probe.h"
#include "app/widgets/matrix/beyond.h"
#include "app/widgets/mouse_area.h"
#include "app/widgets/plot/plot_frame.h"
#include "app/widgets/plot/plot_scale.h"
#include "app/widgets/room.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

using Kind = PlotSeries::Kind;

class Drawn {
 public:
  Drawn(Canvas& canvas, const Plot& plot, const Box& box)
      : canvas_(canvas),
        p_(plot),
        box_(box),
        around_(canvas, plot, box),
        scale_(around_.scale()),
        beyond_(plot.y.logarithmic ? -std::numeric_limits<double>::infinity() : plot.y.low, plot.y.high) {}

  // What the pointer takes: all but the key and what the caller has left free.
  Box area() const {
    const float top = p_.keyed || p_.head > 0 ? around_.below_key() : box_.pos.y;
    const float bottom = std::max(top + 1, p_.under > 0 ? scale_.max.y : box_.bottom());
    return {{box_.pos.x, top}, {std::max(1.0f, box_.size.x), bottom - top}};
  }
  bool has_room() const {
    return scale_.max.x - scale_.min.x >= 4 * p_.unit && scale_.max.y - scale_.min.y >= 2 * p_.unit;
  }

  PlotResult draw(const std::string& name, const ImVec2* pointer) {
    PlotResult result;
    result.min = scale_.min, result.max = scale_.max;
    result.first = scale_.x_of(scale_.low()), result.step = scale_.step();
    result.series = around_.key(name);
    if (pointer && result.series < 0) {
      result.place = scale_.place_at(pointer->x);
      result.series = nearest(result.place, pointer->y);
    }
    around_.behind(result.place);
    all_series(result.series);
    around_.before();
    beyond_.draw(canvas_, name, p_, {scale_.min, {scale_.max.x - scale_.min.x, scale_.max.y - scale_.min.y}});
    if (result.place >= 0 && result.series >= 0) ring(nth(p_.series, result.series), result.place);
    return result;
  }

 private:
  double value_under(const PlotSeries& series, int place) const {
    return p_.places.empty() ? value_at(series, place) : series.y.at(place);
  }
  int nearest(int place, float y) const {
    int found = -1;
    float best = 3 * p_.unit;
    for (int k = 0; place >= 0 && k < int_size(p_.series); ++k) {
      const double value = value_under(nth(p_.series, k), place);
      if (nth(p_.series, k).kind == Kind::bars || !std::isfinite(value) || !scale_.reaches(value)) continue;
      const float away = std::abs(scale_.y_of(value) - y);
      if (away < best) best = away, found = k;
    }
    return found;
  }

  // --- the values

  void all_series(int pointed) {
    bars();
    const float u = p_.unit;
    const Canvas::Clip clip(canvas_, {scale_.min.x - 2 * u, scale_.min.y - 2 * u},
                            {scale_.max.x + 2 * u, scale_.max.y + 2 * u});
    for (const PlotSeries& series : p_.others) {  // which may have more values than this axis
      if (series.kind == Kind::line) {
        const Canvas::Clip within(canvas_, {scale_.min.x, scale_.min.y - 2 * u},
                                  {scale_.max.x + 1, scale_.max.y + 2 * u});
        line(series, true);
      }
      points(series, true);
    }
    const auto is_strong = [&](int k) { return nth(p_.series, k).strong || k == pointed; };
    const auto in_turn = [&](const auto& draw) {
      for (const bool strong : {false, true})
        for (int k = 0; k < int_size(p_.series); ++k)
          if (is_strong(k) == strong && k != pointed && nth(p_.series, k).kind != Kind::bars)
            draw(nth(p_.series, k), strong);
      if (pointed >= 0 && nth(p_.series, pointed).kind != Kind::bars) draw(nth(p_.series, pointed), true);
    };
    in_turn([&](const PlotSeries& series, bool strong) { spread_of(series, strong); });
    in_turn([&](const PlotSeries& series, bool strong) {
      if (series.kind == Kind::line) line(series, strong);
      points(series, strong);
    });
  }

  void bars() {
    const float wide = std::min(0.72f * scale_.step(), 14 * p_.unit);
    for (int k = 0; k < int_size(p_.places); ++k) {
      double sum = 0;
      for (const PlotSeries& series : p_.series) {
        if (series.kind != Kind::bars || !PlotFrame::is_there(series, k)) continue;
        const float from = scale_.y_of(sum), to = std::max(scale_.min.y, scale_.y_of(sum += series.y.at(k)));
        const float x = std::round(around_.x_of(k) - 0.5f * wide), gap = from - to > 3 ? 1.0f : 0.0f;
        canvas_.fill({x, to + gap}, {std::round(x + wide), from}, series.color);
      }
      if (sum != 0) beyond_.note(sum, around_.x_of(k));
    }
  }

  void spread_of(const PlotSeries& series, bool strong) {
    if (series.low.empty() || (series.band && !strong && !p_.shows_band(series))) return;
    const auto of = [&](const PlotValues& values, int k) {
      return ImVec2{scale_.x_of_place(series, k), scale_.y_of(values.at(k))};
    };
    const auto known = [&](int k) { return std::isfinite(series.low.at(k)) && std::isfinite(series.high.at(k)); };
    for (int k = 0; k < around_.count(series); ++k) {
      if (!known(k)) continue;
      if (!series.band) {
        const float x = std::round(scale_.x_of_place(series, k)), half = std::max(1.0f, 0.25f * p_.unit);
        canvas_.fill({x - half, of(series.high, k).y}, {x + half, of(series.low, k).y}, with_alpha(series.color, 150));
      } else if (k + 1 < around_.count(series) && known(k + 1)) {
        canvas_.quad(of(series.low, k), of(series.high, k), of(series.high, k + 1), of(series.low, k + 1),
                     with_alpha(series.color, 46));
      }
    }
  }

  // Between two of its values.
  float apart_of(const PlotSeries& series) const {
    return p_.places.empty() ? scale_.step() * real(series.apart) : scale_.step();
  }

  ImU32 color_of(const PlotSeries& series, bool strong) const {
    return strong ? series.color
                  : with_alpha(series.color,
                               static_cast<unsigned>(255 * (p_.theme->dark ? std::max(p_.weak, 0.62f) : p_.weak)));
  }

  void line(const PlotSeries& series, bool strong) {
    const float thick = (strong ? 0.6f : 0.35f) * p_.unit;
    const int last = around_.count(series) - 1;
    const int now = p_.to_come && p_.now ? std::clamp((*p_.now - series.first) / series.apart, -1, last) : last;
    if (series.mean_of > 0) stretch(series, 0, last, with_alpha(series.color, 50), 1.25f);
    if (now < last) stretch(series, std::max(0, now), last, with_alpha(series.color, 75), 1.5f, series.mean_of);
    stretch(series, 0, now, color_of(series, strong), thick, series.mean_of);
  }

  // Of a stretch with more values than pixels, each pixel's least and most; of means, each pixel's first.
  void stretch(const PlotSeries& series, int from, int to, ImU32 color, float thick, int mean_of = 0) {
    static thread_local std::vector<ImVec2> points;
    const auto flush = [&] {
      if (points.size() > 1) canvas_.path(points, color, thick);
      points.clear();
    };
    points.clear();
    const float apart = apart_of(series);
    const int per_pixel = p_.places.empty() ? std::max(1, static_cast<int>(1 / std::max(1e-6f, apart))) : 1;
    PlotMeans means(series.y, mean_of / series.apart);
    const std::span<const double> values = series.y.all();
    for (int place = from; place <= to; place += per_pixel) {
      const float x = scale_.x_of_place(series, place);
      if (mean_of > 0) {
        const double mean = means.at(place);
        if (!std::isnan(mean)) points.push_back({x, scale_.y_of(mean)});
        continue;
      }
      double least = std::numeric_limits<double>::infinity(), most = -least;
      int at_least = place, at_most = place;
      for (int k = place; k < std::min(place + per_pixel, to + 1); ++k) {
        const double value = values[static_cast<std::size_t>(k)];
        if (!std::isfinite(value)) continue;
        if (value < least) least = value, at_least = k;
        if (value > most) most = value, at_most = k;
      }
      if (most < least) {  // none there
        if (!series.bridges) flush();
        continue;
      }
      beyond_.note(least, x), beyond_.note(most, x);
      points.push_back({x, scale_.y_of(at_least < at_most ? least : most)});
      if (at_least != at_most) points.push_back({x, scale_.y_of(at_least < at_most ? most : least)});
    }
    flush();
  }

  void points(const PlotSeries& series, bool strong) {
    const float u = p_.unit, step = apart_of(series);
    if (series.kind == Kind::line && (step < 2 * u || series.mean_of > 0)) return;
    const ImU32 color = color_of(series, strong);
    const float least = series.kind == Kind::line ? 0 : 0.8f * u;  // points alone are seen, however near they stand
    const float radius = std::max(std::min(1.1f * u, 0.4f * step), least);
    for (int k = 0; k < around_.count(series); ++k) {
      if (!PlotFrame::is_there(series, k)) continue;
      beyond_.note(series.y.at(k), scale_.x_of_place(series, k));
      if (!scale_.reaches(series.y.at(k)) || scale_.x_of_place(series, k) > scale_.max.x + 0.5f) continue;
      if (series.kind == Kind::rings)
        canvas_.ring(around_.at(series, k), std::max(std::min(1.65f * u, 0.42f * step), 1.5f * least), color, 0.4f * u);
      else
        canvas_.disc(around_.at(series, k), series.kind == Kind::dots ? radius : (strong ? 0.75f : 0.55f) * radius,
                     color);
    }
  }

  void ring(const PlotSeries& series, int place) {
    const double value = value_under(series, place);
    if (std::isfinite(value))
      canvas_.ring({around_.x_of(place), scale_.y_of(value)}, 1.2f * p_.unit, p_.theme->hover, 2);
  }

  Canvas& canvas_;
  const Plot& p_;
  const Box& box_;
  PlotFrame around_;
  const PlotScale& scale_;
  Beyond beyond_;
};

// The values of what stands out, where the plot stands.
std::string words_of(const Plot& plot) {
  std::string text = plot.title.empty() ? plot.y.title : plot.title;
  const bool stepped = plot.places.empty(), some = std::ranges::any_of(plot.series, &PlotSeries::strong);
  const int at = plot.now           ? *plot.now
                 : stepped          ? static_cast<int>(plot.x.high)
                 : plot.marked >= 0 ? plot.marked
                                    : int_size(plot.places) - 1;
  if (at < 0) return text;
  text = wording("widgets:plot.at",
                 {{"plot", text}, {"place", number_along(plot.x, stepped ? at : nth(plot.places, at))}});
  for (const PlotSeries& series : plot.series) {
    const double value = stepped ? value_at(series, at) : series.y.at(at);
    if (series.strong != some || !std::isfinite(value)) continue;
    text += (series.label.empty() ? ", " : ", " + series.label + " ") +
            (plot.y.say ? plot.y.say(value) : ui::number(value));
  }
  return text;
}

}  // namespace

bool Plot::shows_band(const PlotSeries& one) const {
  if (!one.band || one.strong) return one.band;
  return std::ranges::none_of(series, [&](const PlotSeries& other) { return &other != &one && other.band; });
}

PlotResult draw_plot(Canvas& canvas, const std::string& name, const Plot& plot, const Box& box) {
  Drawn drawn(canvas, plot, box);
  const Box area = drawn.area();
  ImGui::SetCursorScreenPos(area.pos);
  const bool over = ui::telling_area(name.c_str(), area.size);
  const bool by_pointer = !ui::keys_choose(), held = by_pointer && ImGui::IsItemActive(),
             released = by_pointer && ImGui::IsItemDeactivated();
  ui::probe(name);
  if (ui::is_framed()) ui::name_if_framed(words_of(plot));
  if (!drawn.has_room()) return {};
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  PlotResult result = drawn.draw(name, over || held || released ? &mouse : nullptr);
  ui::probe({name, "/values"}, result.min, result.max);
  result.clicked = (result.place >= 0 || result.series >= 0) && ui::clicked();
  result.held = held, result.released = released;
  return result;
}

}  // namespace hydra
