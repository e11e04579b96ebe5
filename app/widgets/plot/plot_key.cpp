#include "app/widgets/plot/plot_key.h"

#include <algorithm>
#include <cmath>

#include "app/draw/color_map.h"
#include "app/draw/nth.h"
#include "app/draw/probe.h"
#include "app/widgets/room.h"

namespace hydra {

namespace {
using Kind = PlotSeries::Kind;
}

float PlotKey::height() const {
  ImVec2 at{};
  for (const PlotSeries& series : plot_.series) place(series, at);
  for (const PlotSeries& series : plot_.others) place(series, at);
  return plot_.keyed ? std::max(plot_.head, at.y + 1.25f * plot_.font->FontSize) : plot_.head;
}

int PlotKey::draw(Canvas& canvas, const std::string& name, ImVec2 corner) const {
  ImVec2 at{};
  int found = -1;
  const float high = plot_.font->FontSize;
  const auto entry = [&](const PlotSeries& series) {  // whether it is pointed at
    if (series.label.empty()) return false;
    const float left = place(series, at);
    const ImVec2 pos{corner.x + left, corner.y + at.y};
    sample(canvas, series, pos);
    canvas.text_at(plot_.font, {pos.x + sample_width(), pos.y},
                   series.strong ? plot_.theme->ink : plot_.theme->ink_soft, series.label,
                   corner.x + wide_ - pos.x - sample_width());
    return canvas.over(pos, {corner.x + at.x, pos.y + high});
  };
  for (int k = 0; k < int_size(plot_.series); ++k)
    if (entry(nth(plot_.series, k))) found = k;
  for (const PlotSeries& series : plot_.others) entry(series);
  ui::probe(name + "/key", corner, {corner.x + wide_, corner.y + at.y + high});
  return found;
}

float PlotKey::place(const PlotSeries& series, ImVec2& at) const {
  if (series.label.empty()) return at.x;
  const float wide = sample_width() + text_width(plot_.font, series.label), gap = 2.5f * plot_.unit;
  float left = at.x > 0 ? at.x + gap : 0;
  if (left > 0 && left + wide > wide_) left = 0, at.y += 1.25f * plot_.font->FontSize;
  at.x = left + wide;
  return left;
}

void PlotKey::sample(Canvas& canvas, const PlotSeries& series, ImVec2 at) const {
  const float u = plot_.unit, high = plot_.font->FontSize, right = at.x + sample_width() - 1.25f * u;
  const ImVec2 middle{0.5f * (at.x + right), std::round(at.y + 0.52f * high)};
  if (series.kind == Kind::bars) {
    const float half = 0.36f * high;
    return canvas.fill({right - 2 * half, middle.y - half}, {right, middle.y + half}, series.color);
  }
  if (series.kind == Kind::rings) return canvas.ring(middle, 1.2f * u, series.color, 0.4f * u);
  if (series.kind == Kind::dots) return canvas.disc(middle, u, series.color);
  if (plot_.shows_band(series)) canvas.fill({at.x, at.y + 1}, {right, at.y + high - 1}, with_alpha(series.color, 46));
  const float half = (series.strong ? 0.6f : 0.3f) * u;
  canvas.fill({at.x, middle.y - half}, {right, middle.y + half}, series.color);
}

}  // namespace hydra
