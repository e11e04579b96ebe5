#include "app/views/shared/pictured.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/draw/nth.h"
#include "app/views/change/change_marks.h"
#include "app/views/frame/look.h"
#include "app/views/frame/ui.h"
#include "app/views/shell/parts.h"

namespace hydra {

namespace {

Stamp stamp_of(const Backing& backing) {
  return (Key("block") << backing.matrix.stamp() << backing.row0 << backing.col0 << backing.rows << backing.cols)
      .stamp();
}

// What the last edit did, where there is such a matrix of both states.
const MatrixChange& change_of(Frame& frame, const Pictured& pictured) {
  static const MatrixChange none;
  if (!pictured.of || !frame.changes.marked()) return none;
  const std::optional<Source> before = frame.changes.before_source(), now = frame.changes.now_source();
  if (!before || !now) return none;
  const Backing was = pictured.of(*before), is = pictured.of(*now);
  if (!was.matrix || !is.matrix || was.rows != is.rows || was.cols != is.cols) return none;
  return frame.changes.of_made(pictured.name, stamp_of(was), stamp_of(is), [&] { return change_between(was, is); });
}

void outline(const Frame& frame, const Heatmap& heatmap, Index row, Index col, ImU32 color, float thick) {
  draw_cell_outline(frame.canvas, heatmap, row, row + 1, col, col + 1, color, thick);
}

// Of the finite numbers; none where none is.
std::optional<MadeCell> strongest(const Pictured& pictured) {
  const Backing& b = pictured.shown;
  std::optional<MadeCell> cell;
  float most = -1;
  const auto values = b.matrix.rows(b.row0, b.rows);  // no others need be there
  for (Index row = 0; row < b.rows; ++row)
    for (Index col = 0; col < b.cols; ++col) {
      const float size = std::abs(values(row, b.col0 + col));
      if (std::isfinite(size) && size > most) most = size, cell = MadeCell{pictured.name, row, col};
    }
  return cell;
}

// What is linked to the selected number and to the one that is pointed at, as far as it lies in the picture.
void draw_own_links(const Frame& frame, const Cell& first, const Heatmap& heatmap) {
  for (const bool selected : {true, false}) {
    const std::optional<Cell>& cell = selected ? frame.view.selection : frame.was.cell;
    if (!cell) continue;
    for (const Region& region : linked(frame.trace, *cell, first.site)) {
      const Index row0 = std::max(region.row0, first.row) - first.row,
                  col0 = std::max(region.col0, first.col) - first.col;
      const Index row1 = std::min(region.row1 - first.row, heatmap.rows),
                  col1 = std::min(region.col1 - first.col, heatmap.cols);
      const bool all = col1 - col0 == heatmap.cols && row1 - row0 == heatmap.rows;
      if (row0 >= row1 || col0 >= col1 || (all && region.role != Region::Role::self)) continue;
      draw_cell_outline(frame.canvas, heatmap, row0, row1, col0, col1, link_color(frame, region.role, selected),
                        (selected ? 0.5f : 0.375f) * frame.unit);
    }
  }
}

}  // namespace

PictureResult picture(Frame& frame, const std::string& item, const Pictured& pictured, ImVec2 pos, ImVec2 size,
                      const PicturedOptions& options) {
  const Canvas::Part part(frame.canvas, item);
  const Backing& values = pictured.shown;
  PictureResult result;
  Heatmap& heatmap = result.heatmap;
  heatmap = heatmap_of(values, pos, {pos.x + size.x, pos.y + size.y}, pictured.scale);
  heatmap.hidden = pictured.hidden;
  if (options.square_cells)
    fit_heatmap(heatmap, size, !options.row);
  else
    heatmap.max = {pos.x + std::floor(size.x), pos.y + std::floor(size.y)};
  Heatmap drawn = heatmap;
  if (values.matrix && !frame.canvas.shows_all() && !use_strongest(frame.derived, drawn)) drawn.matrix = nullptr;
  {
    const Canvas::Below below(frame.canvas);
    result.hit = draw_heatmap(frame.canvas, item.c_str(), drawn, pictured.title);
  }
  ui::probe(item, heatmap.min, heatmap.max);
  if (options.framed) frame_around(frame, heatmap);
  if (!values.matrix) return result;
  const MatrixChange& change = change_of(frame, pictured);
  draw_change(frame, item, change, heatmap);
  if (options.badge) draw_change_number(frame, item, change, *options.badge, frame.fonts.text);
  if (options.grid != 0) draw_cell_grid(frame.canvas, heatmap, options.grid);
  ImFont* font = options.value_font ? options.value_font : frame.fonts.mono_small;
  if (options.values && values_fit(heatmap, font)) draw_cell_values(frame.canvas, heatmap, font);

  if (pictured.first) {
    draw_own_links(frame, *pictured.first, heatmap);
    if (!result.hit.hovered) return result;
    const Cell cell{pictured.first->site, pictured.first->row + result.hit.row, pictured.first->col + result.hit.col};
    if (options.points) frame.next.cell = cell;
    if (options.clickable && result.hit.clicked) select(frame, cell);
    return result;
  }
  MadeNumbers& told = frame.made.of<MadeNumbers>();
  const auto tell = [&](Index row, Index col) {
    const std::string place =
        pictured.place ? pictured.place(row, col) : wording("panels:made.place", {{"row", row}, {"column", col}});
    return ToldMade{{pictured.name, row, col}, spelled(frame, pictured.title), spelled(frame, place), values};
  };
  const std::optional<MadeCell>& selected = frame.view.made;
  const auto is_in = [](Index at, Index count) { return at >= 0 && at < count; };
  if (selected && selected->name == pictured.name && is_in(selected->row, heatmap.rows) &&
      is_in(selected->col, heatmap.cols)) {
    outline(frame, heatmap, selected->row, selected->col, frame.theme.accent, 0.5f * frame.unit);
    told.selected = tell(selected->row, selected->col);
  }
  if (result.hit.chosen && options.clickable) {
    if (const std::optional<MadeCell> cell = strongest(pictured)) frame.out.act(act::SelectMade{*cell});
    frame.hands.of<Parts>().at = WindowPart::numbers;
  }
  if (!result.hit.hovered) return result;
  outline(frame, heatmap, result.hit.row, result.hit.col, frame.theme.hover, 0.375f * frame.unit);
  told.pointed = tell(result.hit.row, result.hit.col);
  if (options.clickable && result.hit.clicked) frame.out.act(act::SelectMade{told.pointed->cell});
  return result;
}

void begin_made_numbers(Frame& frame) {
  MadeNumbers& told = frame.made.of<MadeNumbers>();
  told.was_selected = told.selected.has_value();
  told.pointed.reset(), told.selected.reset();
}

const ToldMade* selected_made(const Frame& frame) {
  if (frame.view.selection || !frame.made.has<MadeNumbers>()) return nullptr;
  const std::optional<ToldMade>& selected = frame.made.of<MadeNumbers>().selected;
  return selected ? &*selected : nullptr;
}

bool has_selected_made(const Frame& frame) {
  return frame.view.made && (selected_made(frame) || frame.made.of<MadeNumbers>().was_selected);
}

const ToldMade* told_made(const Frame& frame) {
  if (frame.was.cell || !frame.made.has<MadeNumbers>()) return nullptr;
  const std::optional<ToldMade>& pointed = frame.made.of<MadeNumbers>().pointed;
  return pointed && !frame.hands.of<KeysSelect>().they ? &*pointed : selected_made(frame);
}

void move_made(Frame& frame, Index rows, Index cols) {
  const ToldMade* told = selected_made(frame);
  if (!told) return;
  MadeCell to = told->cell;
  to.row = std::clamp<Index>(to.row + rows, 0, told->values.rows - 1);
  to.col = std::clamp<Index>(to.col + cols, 0, told->values.cols - 1);
  frame.hands.of<KeysSelect>().they = true;
  if (to != told->cell) frame.out.act(act::SelectMade{to});
}

std::string place_of(const ToldMade& told) { return told.title + "[" + told.place + "] = "; }

}  // namespace hydra
