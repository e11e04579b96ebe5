// How it is computed: the tiles of the scores in the order of the algorithm, and the row of A that they make.
#include "app/views/frame/ui.h"
#include "app/views/tradeoff/computed/tiles_motion.h"
#include "app/views/tradeoff/computed/tradeoff_computed.h"
#include "app/views/tradeoff/tradeoff_layout.h"

namespace hydra::tradeoff {

namespace {

class TilesPage : Drawing {
 public:
  TilesPage(Frame& frame, ImVec2 pos, ImVec2 size)
      : Drawing(frame),
        t_(tile_numbers(frame)),
        n_(t_.scores->rows()),
        tiles_(std::ssize(t_.walk.visited)),
        scores_{Quantity::scores, frame.view.layer, frame.view.focused_head} {
    const Index start = t_.opening();  // without anybody's choice
    const auto steps_done = [&] {
      return std::clamp<Index>(frame.hands.of<TilesMotion>().done.value_or(start), 0, tiles_);
    };
    done_ = steps_done();
    if (!frame.view.still && walk_on(frame.hands.of<TilesMotion>(), done_, tiles_, ImGui::GetIO().DeltaTime))
      frame.next.moving = true;
    done_ = steps_done();
    auto in = room_for<TilesInput>(frame, pos, size);
    in.tokens = static_cast<int>(n_);
    in.labels = std::max(in.labels, widest(fonts_.small, frame.trace.tokens));
    in.notes = t_.walk.skipped.empty() ? 1 : 2;
    at_ = tiles_layout(in);
  }

  void draw() {
    grid();
    bars();
    draw_tile_controls(frame_, t_, done_, at_.controls, at_.scale);
    draw_tile_numbers(frame_, t_, done_, at_.numbers);
  }

 private:
  std::string token(Index k) const { return quoted(frame_, nth(frame_.trace.tokens, k)); }
  ImVec2 corner(Index row, Index col) const {
    return {at_.grid.x + real(col) * at_.cell, at_.grid.y + real(row) * at_.cell};
  }

  // --- the scores and their tiles

  void grid() {
    const float side = real(n_) * at_.cell;
    const PictureResult picture = matrix_picture(frame_, "tradeoff/tiles/grid", scores_, at_.grid,
                                                 {side + 0.5f, side + 0.5f}, {.clickable = false});
    if (picture.hit.clicked) {
      frame_.choose(view_.tradeoff.query, picture.hit.row);
      frame_.hands.of<TilesMotion>().done = after_first_of(picture.hit.row);
    }
    for (Index k = 0; k < tiles_; ++k)
      if (k + 1 != done_) veil(nth(t_.walk.visited, k), k < done_);
    for (const Tile& tile : t_.walk.skipped) hatch(tile);
    draw_cell_outline(canvas_, picture.heatmap, t_.query, t_.query + 1, 0, n_, theme_.hover, std::max(1.0f, 0.3f * u_));
    if (done_ > 0) {
      const Tile& now = nth(t_.walk.visited, done_ - 1);
      draw_cell_outline(canvas_, picture.heatmap, now.row, now.row + now.rows, now.key, now.key + now.keys,
                        theme_.accent, std::max(2.0f, 0.75f * u_));
    }
    labels();
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
  void veil(const Tile& tile, bool past) const {
    const auto [a, b] = rect(tile);
    canvas_.fill(a, b, with_alpha(theme_.ground, past ? 140 : 255));
    canvas_.frame(a, {b.x + 1, b.y + 1}, past ? theme_.ink_faint : theme_.line);
  }
  void hatch(const Tile& tile) const {
    const auto [a, b] = rect(tile);
    canvas_.fill(a, b, theme_.panel);
    const Canvas::Clip clip(canvas_, a, b);
    const float step = std::max(4.0f, 2 * u_), high = b.y - a.y;
    // In step from tile to tile.
    for (float x = std::floor((a.x - high + a.y) / step) * step - a.y; x < b.x; x += step)
      canvas_.line({x, b.y}, {x + high, a.y}, theme_.line);
  }

  void labels() const {
    TokenAxis axis{&frame_.trace.tokens,       fonts_.small,       theme_.ink_soft, theme_.ink,
                   static_cast<int>(t_.query), token_marks(frame_)};
    row_labels(canvas_, axis, at_.grid.x - 1.5f * u_, at_.grid.x - at_.left - 1.5f * u_, at_.grid.y, at_.cell);
    axis.marked = -1;
    column_labels(canvas_, axis, at_.grid.x, at_.cell, at_.grid.y, at_.grid.y - at_.tops);
  }

  // The row of A as the keys seen so far make it, over the marks of the whole row.
  void bars() {
    const Box& area = at_.bars;
    const Index seen = t_.seen(done_);
    const float top = area.pos.y, bottom = area.bottom();
    const float largest = std::max(1e-6f, t_.attention->row(t_.query).maxCoeff());
    float most = largest;
    for (const RowVec<float>& row : t_.weights) most = std::max(most, row.maxCoeff());
    const auto y_of = [&](float weight) { return bottom - weight / most * (bottom - top); };
    canvas_.fill({area.pos.x, bottom}, {area.right(), bottom + 1}, theme_.line);
    const float inset = at_.cell > 6 ? std::round(0.15f * at_.cell) : 0;
    for (Index k = 0; k < n_; ++k) {
      const float x = corner(0, k).x, left = x + inset, right = std::max(left + 1, x + at_.cell - inset);
      if (seen > 0) {
        const float weight = nth(t_.weights, seen - 1)(k);
        canvas_.fill({left, std::min(y_of(weight), bottom)}, {right, bottom}, theme_.accent);
      }
      if (!t_.painted) {
        const float y = std::round(y_of((*t_.attention)(t_.query, k)));
        canvas_.fill({left - 1, y - 1}, {right + 1, y + 1}, theme_.ink);
      }
    }
    ui::probe("tradeoff/tiles/row", area.pos, {area.right(), bottom});
    ImFont* small = fonts_.small;
    const auto text = [&](const std::string& row) {
      return say(t_.painted ? wording("tradeoff:tiles.bars.painted", {{"token", row}})
                            : wording("tradeoff:tiles.bars", {{"token", row}, {"pattern", t_.alone ? "A°" : "A"}}));
    };
    // A long token is cut rather than what follows it.
    const float wide = at_.caption, rest = text_width(small, text(""));
    canvas_.text_at(small, {at_.left, bottom + 1.25f * u_}, theme_.ink_soft,
                    text(clipped(small, token(t_.query), std::max(2 * em_, wide - rest))), wide);
  }

  const TileNumbers& t_;
  Index n_, tiles_, done_ = 0;
  Site scores_;
  TilesLayout at_;
};

}  // namespace

void draw_tiles(Frame& frame, ImVec2 pos, ImVec2 size) {
  const Canvas::Part part(frame.canvas, "tradeoff.tiles");
  ui::room(frame.canvas, "tradeoff/tiles", pos, size, false, [&](ImVec2 corner) {
    TilesPage(frame, corner, size).draw();
    return size.y;
  });
}

}  // namespace hydra::tradeoff
