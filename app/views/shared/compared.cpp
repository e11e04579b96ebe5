#include "app/views/shared/compared.h"

#include <algorithm>
#include <cmath>

#include "app/draw/color_map.h"
#include "app/draw/nth.h"
#include "app/views/change/changes.h"
#include "core/text/wording.h"

namespace hydra {

std::optional<Source> other_state(Frame& frame) {
  if (!frame.changes.marked()) return std::nullopt;
  return frame.changes.peeking() ? frame.changes.now_source() : frame.changes.before_source();
}

void changed_corner(Frame& frame, ImVec2 at, float side) {
  draw_changed_corner(frame.canvas, at, side, frame.theme.change);
  frame.changes.note_drawn();
}

namespace {

bool same(const PlotValues& a, const PlotValues& b) {
  if (a.size() != b.size()) return false;
  for (int k = 0; k < a.size(); ++k)
    if (a.at(k) != b.at(k) && (std::isfinite(a.at(k)) || std::isfinite(b.at(k)))) return false;
  return true;
}

}  // namespace

void compare(Frame& frame, Table& table, const std::function<CellTexts(const Source&)>& texts_of) {
  const std::optional<Source> other = other_state(frame);
  if (!other) return;
  const CellTexts then = texts_of(*other), now = texts_of(frame.now);
  if (!then || !now) return;
  table.other = [then, now](Index row, int column) {
    std::string text = then(row, column);
    return text == now(row, column) ? std::string() : text;
  };
  frame.changes.note_drawn();
}

std::string told_other(const Frame& frame, const std::string& value) {
  return wording(frame.changes.peeking() ? "change:cell_is" : "change:cell_was", {{"value", value}});
}

std::string told_other(const Frame& frame, const TableResult& at) {
  return at.other.empty() ? std::string() : told_other(frame, at.other);
}

void compare(Frame& frame, Plot& plot, const std::function<std::vector<PlotSeries>(const Source&)>& series_of) {
  const std::optional<Source> other = other_state(frame);
  if (!other) return;
  std::vector<PlotSeries> then = series_of(*other);
  for (int k = 0; k < std::min(int_size(then), int_size(plot.series)); ++k) {
    PlotSeries& series = nth(then, k);
    if (same(series.y, nth(plot.series, k).y)) continue;
    series.color = with_alpha(frame.theme.change, 170);
    series.strong = false;
    series.label = plot.keyed && plot.others.empty()
                       ? wording(frame.changes.peeking() ? "change:after" : "change:before_it")
                       : std::string();
    plot.others.push_back(std::move(series));
    frame.changes.note_drawn();
  }
}

}  // namespace hydra
