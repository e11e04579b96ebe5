// How it is computed: the tiles of the scores in the order of the algorithm, and the row of A that they make.
#include "app/views/tradeoff/computed_layout.h"
#include "app/views/tradeoff/tradeoff_computed.h"
#include "app/views/ui.h"

namespace hydra::tradeoff {

namespace {

class TilesPage {
 public:
  TilesPage(Frame& frame, ImVec2 pos, ImVec2 size)
      : frame_(frame),
        theme_(frame.theme),
        t_(tile_numbers(frame)),
        n_(t_.scores->rows()),
        tiles_(std::ssize(t_.walk.visited)),
        scores_{Quantity::scores, frame.view.layer, frame.view.focused_head},
        em_(frame.fonts.text->FontSize) {
    const Index start = t_.opening();  // without anybody's choice
    const auto steps_done = [&] {
      return std::clamp<Index>(frame.view.tradeoff.tiles.done.value_or(start), 0, tiles_);
    };
    done_ = steps_done();
    if (!frame.view.still && walk_on(frame.view.tradeoff.tiles, done_, tiles_, ImGui::GetIO().DeltaTime))
      frame.view.animating = true;
    done_ = steps_done();
    TilesInput in;
    in.pos = pos;
    in.size = size;
    in.tokens = static_cast<int>(n_);
    for (const std::string& token : frame.trace.tokens)
      in.labels = std::max(in.labels, text_width(frame.fonts.small, token));
    in.notes = t_.walk.skipped.empty() ? 1 : 2;
    in.text = em_;
    in.unit = frame.unit;
    at_ = tiles_layout(in);
  }

  void draw() {
    grid();
    bars();
    draw_tile_controls(frame_, t_, done_, at_.controls, at_.scale);
    draw_tile_numbers(frame_, t_, done_, at_.numbers);
  }

 private:
  std::string say(const std::string& text) const { return spelled(frame_, text); }
  std::string token(Index k) const { return quoted(frame_, nth(frame_.trace.tokens, k)); }
  ImVec2 corner(Index row, Index col) const {
    return {at_.grid.x + static_cast<float>(col) * at_.cell, at_.grid.y + static_cast<float>(row) * at_.cell};
  }

  // --- the scores and their tiles

  void grid() {
    const float side = static_cast<float>(n_) * at_.cell;
    PictureOptions options;
    options.clickable = false;
    const PictureResult picture =
        matrix_picture(frame_, "tradeoff/tiles/grid", scores_, at_.grid, {side + 0.5f, side + 0.5f}, options);
    if (picture.hit.clicked) {
      frame_.view.tradeoff.query = picture.hit.row;
      frame_.view.tradeoff.query_kept = true;
      frame_.view.tradeoff.tiles.done = after_first_of(picture.hit.row);
    }
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (Index k = 0; k < tiles_; ++k)
      if (k + 1 != done_) veil(list, nth(t_.walk.visited, k), k < done_);
    for (const Tile& tile : t_.walk.skipped) hatch(list, tile);
    draw_cell_outline(list, picture.tile, t_.query, t_.query + 1, 0, n_, theme_.hover,
                      std::max(1.0f, 0.3f * frame_.unit));
    if (done_ > 0) {
      const Tile& now = nth(t_.walk.visited, done_ - 1);
      draw_cell_outline(list, picture.tile, now.row, now.row + now.rows, now.key, now.key + now.keys, theme_.accent,
                        std::max(2.0f, 0.75f * frame_.unit));
    }
    labels(list);
  }

  // Where the first tile of a query's block has just been visited.
  Index after_first_of(Index query) const {
    Index k = 0;
    while (k + 1 < tiles_ && nth(t_.walk.visited, k).row != query / t_.side * t_.side) ++k;
    return k + 1;
  }

  std::pair<ImVec2, ImVec2> rect(const Tile& tile) const {
    return {corner(tile.row, tile.key), corner(tile.row + tile.rows, tile.key + tile.keys)};
  }
  // What was visited is forgotten, what is to come is not there yet.
  void veil(ImDrawList* list, const Tile& tile, bool past) const {
    const auto [a, b] = rect(tile);
    list->AddRectFilled(a, b, with_alpha(theme_.ground, past ? 140 : 255));
    list->AddRect(a, {b.x + 1, b.y + 1}, past ? theme_.ink_faint : theme_.line);
  }
  void hatch(ImDrawList* list, const Tile& tile) const {
    const auto [a, b] = rect(tile);
    list->AddRectFilled(a, b, theme_.panel);
    list->PushClipRect(a, b, true);
    const float step = std::max(4.0f, 2 * frame_.unit), high = b.y - a.y;
    // In step from tile to tile.
    for (float x = std::floor((a.x - high + a.y) / step) * step - a.y; x < b.x; x += step)
      list->AddLine({x, b.y}, {x + high, a.y}, theme_.line);
    list->PopClipRect();
  }

  void labels(ImDrawList* list) const {
    TokenAxis axis;
    axis.tokens = &frame_.trace.tokens;
    axis.font = frame_.fonts.small;
    axis.ink = theme_.ink_soft;
    axis.strong = theme_.ink;
    axis.marked = static_cast<int>(t_.query);
    row_labels(list, axis, at_.grid.x - 1.5f * frame_.unit, at_.grid.x - at_.left - 1.5f * frame_.unit, at_.grid.y,
               at_.cell);
    axis.marked = -1;
    column_labels(list, axis, at_.grid.x, at_.cell, at_.grid.y, at_.grid.y - at_.tops);
  }

  // The row of A as the keys seen so far make it, over the marks of the whole row.
  void bars() {
    const TradeoffArea& area = at_.bars;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Index seen = t_.seen(done_);
    const float top = area.pos.y, bottom = area.pos.y + area.size.y;
    const float largest = std::max(1e-6f, t_.attention->row(t_.query).maxCoeff());
    float most = largest;
    for (const RowVec<float>& row : t_.weights) most = std::max(most, row.maxCoeff());
    const auto y_of = [&](float weight) { return bottom - weight / most * (bottom - top); };
    list->AddRectFilled({area.pos.x, bottom}, {area.pos.x + area.size.x, bottom + 1}, theme_.line);
    const float inset = at_.cell > 6 ? std::round(0.15f * at_.cell) : 0;
    for (Index k = 0; k < n_; ++k) {
      const float x = corner(0, k).x, left = x + inset, right = std::max(left + 1, x + at_.cell - inset);
      if (seen > 0) {
        const float weight = nth(t_.weights, seen - 1)(k);
        list->AddRectFilled({left, std::min(y_of(weight), bottom)}, {right, bottom}, theme_.accent);
      }
      if (!t_.painted) {
        const float y = std::round(y_of((*t_.attention)(t_.query, k)));
        list->AddRectFilled({left - 1, y - 1}, {right + 1, y + 1}, theme_.ink);
      }
    }
    ui::probe("tradeoff/tiles/row", area.pos, {area.pos.x + area.size.x, bottom});
    ImFont* small = frame_.fonts.small;
    const std::string text = "row of " + token(t_.query) + " so far; marks: its row of A";
    const float wide = at_.controls.pos.x - 2 * frame_.unit - at_.left;
    text_at(list, small, {at_.left, bottom + 1.25f * frame_.unit}, theme_.ink_soft, clipped(small, say(text), wide));
  }

  Frame& frame_;
  const Theme& theme_;
  const TileNumbers& t_;
  Index n_, tiles_, done_ = 0;
  Site scores_;
  float em_;
  TilesLayout at_;
};

}  // namespace

void draw_tiles(Frame& frame, ImVec2 pos, ImVec2 size) {
  ui::room("tradeoff/tiles", pos, size, false, [&](ImVec2 corner) {
    TilesPage(frame, corner, size).draw();
    return size.y;
  });
}

}  // namespace hydra::tradeoff
