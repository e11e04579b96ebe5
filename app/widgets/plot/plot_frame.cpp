#include "app/widgets/plot/plot_frame.h"

#include <algorithm>
#include <cmath>

#include "app/draw/color_map.h"
#include "app/draw/format.h"
#include "app/draw/nth.h"

namespace hydra {

namespace {
using Kind = PlotSeries::Kind;
}

std::string number_along(const PlotAxis& axis, double value) {
  if (axis.say) return axis.say(value);
  if (axis.logarithmic && value != 0 && value < 0.01) return "1e" + std::to_string(std::lround(std::log10(value)));
  return ui::number(value, As::axis);
}

namespace {

float title_height(const Plot& plot) { return plot.y.title.empty() ? 0 : 1.4f * plot.font->FontSize; }
float labels_width(const Plot& plot, float width) {
  float wide = 0;
  const auto widen = [&](const std::string& label) {
    if (!label.empty()) wide = std::max(wide, text_width(plot.font, label) + 2 * plot.unit);
  };
  for (const PlotSeries& series : plot.series)
    if (!plot.keyed) widen(series.label);
  for (const PlotLevel& level : plot.levels)
    if (!level.inside) widen(level.label);
  return std::min(wide, kMostOfLabels * width);
}
PlotScale scale_of(const Plot& plot, const Box& box, float high, float key) {
  const float top = title_height(plot) + key + (plot.marks.empty() ? 0.6f : 1.4f) * high;
  const float bottom = (plot.x.numbered ? 1.4f : 0.4f) * high + plot.under + (plot.x.title.empty() ? 0 : 1.2f * high);
  const float left = text_width(plot.font, "0.00"), right = std::max(2 * plot.unit, labels_width(plot, box.size.x));
  const auto within = [&](float wide) {
    return PlotScale(plot, {box.pos.x + wide + 1.5f * plot.unit, box.pos.y + top},
                     {box.right() - right, box.bottom() - bottom}, high);
  };
  // The numbers of the upright axis depend on its height alone.
  const PlotScale scale = within(left);
  float wide = left;
  for (const double level : scale.levels())
    if (scale.is_numbered(level)) wide = std::max(wide, text_width(plot.font, number_along(plot.y, level)));
  return within(wide);
}

}  // namespace

PlotFrame::PlotFrame(Canvas& canvas, const Plot& plot, const Box& box)
    : canvas_(canvas),
      p_(plot),
      box_(box),
      high_(plot.font->FontSize),
      key_(plot, box.size.x),
      scale_(scale_of(plot, box, high_, key_.height())) {}

float PlotFrame::below_key() const { return box_.pos.y + title_height(p_) + key_.height(); }

int PlotFrame::key(const std::string& name) const {
  return p_.keyed ? key_.draw(canvas_, name, {box_.pos.x, box_.pos.y + title_height(p_)}) : -1;
}

void PlotFrame::behind(int pointed) const {
  ground(pointed);
  titles();
  for (const double level : scale_.levels()) level_line(level);
  if (scale_.reaches(0) && p_.y.logarithmic) level_line(0);
  for (const PlotLevel& level : p_.levels) dashed(level);
  marks();
  if (!p_.instead.empty()) instead();
}

void PlotFrame::before() const {
  numbers();
  labels();
  if (!p_.now) return;
  const float x = std::round(scale_.x_of(*p_.now));
  canvas_.fill({x - 1, scale_.min.y}, {x + 1, scale_.max.y}, p_.theme->accent);
}

ImVec2 PlotFrame::at(const PlotSeries& series, int k) const {
  return {scale_.x_of_place(series, k), scale_.y_of(series.y.at(k))};
}
bool PlotFrame::is_there(const PlotSeries& series, int k) { return std::isfinite(series.y.at(k)); }
int PlotFrame::count(const PlotSeries& series) const {
  return p_.places.empty() ? series.y.size() : std::min(series.y.size(), int_size(p_.places));
}
float PlotFrame::x_of(int place) const { return scale_.x_of(p_.places.empty() ? place : nth(p_.places, place)); }

void PlotFrame::ground(int pointed) const {
  const int places = int_size(p_.places);
  const float half = 0.5f * scale_.step();
  const float shaded_to = p_.shaded > 0 ? right_of_shaded() : scale_.min.x;
  if (p_.shaded > 0) canvas_.fill(scale_.min, {shaded_to, scale_.max.y}, with_alpha(p_.theme->line, 110));
  if (pointed < 0) pointed = p_.pointed;
  for (const int k : {p_.marked, pointed})
    if (k >= 0 && k < places)
      canvas_.fill({x_of(k) - half, scale_.min.y}, {x_of(k) + half, scale_.max.y},
                   k == p_.marked ? p_.theme->accent_soft : p_.theme->raised);
  if (p_.shaded > 0) shaded_label(shaded_to);
}

// Halfway to the first place that is not shaded; the end of the axis where there is none.
float PlotFrame::right_of_shaded() const {
  if (p_.shaded >= int_size(p_.places)) return scale_.max.x;
  return 0.5f * (x_of(p_.shaded - 1) + x_of(p_.shaded));
}
// Where nothing else is drawn.
void PlotFrame::shaded_label(float right) const {
  const ImVec2 size{text_width(p_.font, p_.shaded_label), high_};
  const float u = p_.unit;
  const LabelBox room{{scale_.min.x + u, scale_.min.y + 0.5f * u}, {right - u, scale_.max.y - 0.5f * u}};
  const std::vector<LabelBox> taken = covered();
  std::vector<LabelBox> with_lines = taken;
  const auto add_line = [&](double level) {
    with_lines.push_back({{scale_.min.x, scale_.y_of(level)}, {scale_.max.x, scale_.y_of(level) + 1}});
  };
  for (const double level : scale_.levels()) add_line(level);
  if (scale_.reaches(0)) add_line(0);
  std::optional<ImVec2> at = free_place(size, room, with_lines);
  if (!at) at = free_place(size, room, taken);
  if (at) canvas_.text_at(p_.font, *at, p_.theme->ink_soft, p_.shaded_label);
}
// By points, lines and levels.
std::vector<LabelBox> PlotFrame::covered() const {
  std::vector<LabelBox> found;
  const auto around = [&](ImVec2 at, float radius) {
    found.push_back({{at.x - radius, at.y - radius}, {at.x + radius, at.y + radius}});
  };
  for (const PlotSeries& series : p_.series)
    for (int k = 0; k < count(series) && series.kind != Kind::bars; ++k) {
      if (!is_there(series, k)) continue;
      around(at(series, k), 2 * p_.unit);
      if (series.kind != Kind::line || k + 1 >= count(series) || !is_there(series, k + 1)) continue;
      const ImVec2 a = at(series, k), b = at(series, k + 1);
      for (float t = 0.1f; t < 1; t += 0.1f) around({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)}, p_.unit);
    }
  for (const PlotLevel& level : p_.levels) {
    const float y = scale_.y_of(level.at);
    found.push_back({{scale_.min.x, y - p_.unit}, {scale_.max.x, y + p_.unit}});
  }
  return found;
}

void PlotFrame::titles() const {
  const float u = p_.unit;
  canvas_.text_at(p_.font, box_.pos, p_.theme->ink, p_.y.title, box_.size.x);
  const std::string title = clipped(p_.font, p_.x.title, box_.size.x);
  const float left = std::max(box_.pos.x, scale_.max.x - text_width(p_.font, title));
  canvas_.text_at(p_.font, {left, box_.bottom() - high_ - 0.25f * u}, p_.theme->ink_soft, title);
}

void PlotFrame::level_line(double level) const {
  const float y = std::round(scale_.y_of(level));
  canvas_.fill({scale_.min.x, y}, {scale_.max.x, y + 1}, p_.theme->line);
  if (p_.y.numbered && scale_.is_numbered(level))
    canvas_.text_up_to(p_.font, {scale_.min.x - 1.5f * p_.unit, y - 0.5f * high_}, p_.theme->ink_soft,
                       number_along(p_.y, level));
}

void PlotFrame::dashed(const PlotLevel& level) const {
  if (!scale_.reaches(level.at)) return;
  const float y = std::round(scale_.y_of(level.at)), dash = 1.5f * p_.unit;
  for (float x = scale_.min.x; x < scale_.max.x; x += 2 * dash)
    canvas_.fill({x, y}, {std::min(x + dash, scale_.max.x), y + 1}, p_.theme->ink_soft);
  if (level.inside)
    canvas_.text_at(p_.font, {scale_.min.x + p_.unit, y + 0.5f * p_.unit}, p_.theme->ink_soft, level.label,
                    scale_.max.x - scale_.min.x - p_.unit);
}

// Labels stand over their lines; where others follow before them, so that they find room.
void PlotFrame::marks() const {
  float free = scale_.min.x;  // where the labels so far end
  for (const PlotMark& mark : p_.marks) {
    if (mark.at < scale_.low()) continue;
    const bool beyond = mark.at > scale_.high();
    const std::string text = mark.label + (beyond ? p_.unicode ? " →" : " >" : "");
    const float x = beyond ? scale_.max.x : std::round(scale_.x_of(mark.at)), wide = text_width(p_.font, text);
    const float top = scale_.min.y - 0.75f * p_.unit;
    if (!beyond) canvas_.fill({x, top}, {x + 1, scale_.max.y}, p_.theme->ink_soft);
    const float wanted = &mark != &p_.marks.back() ? x - wide : x - 0.5f * wide;
    const float left = std::clamp(std::max(wanted, free), scale_.min.x, std::max(scale_.min.x, box_.right() - wide));
    if (left < free) continue;
    canvas_.text_at(p_.font, {left, top - high_}, p_.theme->ink_soft, text);
    free = left + wide + p_.unit;
  }
}

void PlotFrame::instead() const {
  const ImVec2 middle{0.5f * (scale_.min.x + scale_.max.x), 0.5f * (scale_.min.y + scale_.max.y)};
  const ImVec2 half{0.5f * text_width(p_.font, p_.instead) + p_.unit, 0.6f * high_};
  canvas_.fill({middle.x - half.x, middle.y - half.y}, {middle.x + half.x, middle.y + half.y}, p_.theme->ground);
  canvas_.text_centered(p_.font, middle, p_.theme->ink_soft, p_.instead);
}

void PlotFrame::numbers() const {
  if (!p_.x.numbered) return;
  const auto put = [&](float x, const std::string& text, bool marked) {
    const float wide = text_width(p_.font, text);
    const float left = std::clamp(x - 0.5f * wide, box_.pos.x, std::max(box_.pos.x, box_.right() - wide));
    canvas_.text_at(p_.font, {left, scale_.max.y + 0.4f * p_.unit}, marked ? p_.theme->accent : p_.theme->ink_soft,
                    text);
  };
  if (p_.places.empty()) {
    const float wide = text_width(p_.font, number_along(p_.x, p_.x.high)), fifth = 0.2f * (scale_.max.x - scale_.min.x);
    std::vector<double> found = scale_.numbers_along(std::max(wide + 2 * p_.unit, fifth));
    if (found.size() < kFewestNumbers) found = scale_.numbers_along(wide + 0.75f * p_.unit);
    for (const double value : found) put(scale_.x_of(value), number_along(p_.x, value), false);
    return;
  }
  float wide = 0;
  for (const double place : p_.places) wide = std::max(wide, text_width(p_.font, number_along(p_.x, place)));
  wide += 0.75f * p_.unit;
  for (const int k : scale_.numbered_places(wide)) put(x_of(k), number_along(p_.x, nth(p_.places, k)), k == p_.marked);
}

// Of levels at the right end, of lines where those end: within the plot where all lines have ended and a label has
// room, so that none covers a line; else beside it.
void PlotFrame::labels() const {
  float furthest = scale_.min.x;
  for (const std::vector<PlotSeries>* all : {&p_.series, &p_.others})
    for (const PlotSeries& series : *all)
      if (const std::optional<ImVec2> end = end_of(series)) furthest = std::max(furthest, end->x);
  std::vector<EndLabel> within, beside;
  for (const PlotLevel& level : p_.levels)
    if (scale_.reaches(level.at) && !level.inside)
      beside.push_back({&level.label, p_.theme->ink_soft, {scale_.max.x, scale_.y_of(level.at)}});
  for (const PlotSeries& series : p_.series) {
    if (p_.keyed || series.label.empty()) continue;
    const std::optional<ImVec2> end = end_of(series);
    if (!end) continue;
    const bool fits = furthest + label_gap() + text_width(p_.font, series.label) <= scale_.max.x;
    (fits ? within : beside)
        .push_back({&series.label,
                    series.strong ? series.color : p_.theme->ink_soft,
                    {end->x, std::clamp(end->y, scale_.min.y, scale_.max.y)},
                    series.strong});
  }
  draw_labels(within, furthest + label_gap());
  draw_labels(beside, scale_.max.x + label_gap());
}

// As it is drawn: a mean goes on as far as there are values around it.
std::optional<ImVec2> PlotFrame::end_of(const PlotSeries& series) const {
  int last = count(series) - 1;
  while (last >= 0 && !is_there(series, last)) --last;
  if (last < 0) return std::nullopt;
  if (series.mean_of == 0) return at(series, last);
  const int around = series.mean_of / series.apart, end = std::min(count(series) - 1, last + around);
  return ImVec2{scale_.x_of_place(series, end), scale_.y_of(PlotMeans(series.y, around).at(end))};
}

// Beginning at left. Moved apart as far as they would touch; of more than have room some are
// left out where they stand nearest to another. What is moved far is joined to its end.
void PlotFrame::draw_labels(std::vector<EndLabel>& all, float left) const {
  const float apart = 1.05f * high_;
  const bool under_title = box_.pos.x + text_width(p_.font, p_.y.title) + p_.unit > left;
  const float top = (under_title ? below_key() : box_.pos.y) + 0.5f * high_;
  const bool over_number = p_.places.empty() && p_.x.numbered;  // of the right end
  const float bottom = scale_.max.y + (over_number ? 0.4f * p_.unit - 0.5f * high_ : 0);
  std::ranges::stable_sort(all, {}, [](const EndLabel& label) { return label.end.y; });
  while (all.size() > 1 && top + real(all.size() - 1) * apart > bottom) {
    std::size_t near = 1;
    for (std::size_t k = 2; k < all.size(); ++k)
      if (all[k].end.y - all[k - 1].end.y < all[near].end.y - all[near - 1].end.y) near = k;
    if (all[near].strong && !all[near - 1].strong) --near;
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(near));
  }
  std::vector<float> heights;
  for (const EndLabel& label : all) heights.push_back(label.end.y);
  spread(heights, apart, top, bottom);
  for (int k = 0; k < int_size(all); ++k) {
    const EndLabel& label = nth(all, k);
    const ImVec2 at{left, nth(heights, k)};
    const float room = box_.right() - at.x;
    if (left < scale_.max.x) {  // over levels
      const ImVec2 end{at.x + text_width(p_.font, *label.text), at.y + 0.5f * high_};
      canvas_.fill({at.x, at.y - 0.5f * high_}, end, with_alpha(p_.theme->ground, 200));
    }
    if (std::abs(at.y - label.end.y) > 0.5f * high_ || at.x - label.end.x > 3 * high_)
      canvas_.line(label.end, {at.x - 0.25f * p_.unit, at.y}, with_alpha(label.color, 160));
    canvas_.text_at(p_.font, {at.x, at.y - 0.5f * high_}, label.color, *label.text, room);
  }
}

}  // namespace hydra
