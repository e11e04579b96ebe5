// How it is computed, tile by tile: where the walk stands, how it goes on, and what the looks of tiles mean.
#include "app/views/frame/ui.h"
#include "app/views/tradeoff/computed/tiles_motion.h"
#include "app/views/tradeoff/computed/tradeoff_computed.h"
#include "app/widgets/track_slider.h"

namespace hydra::tradeoff {

namespace {

class TileControls : Drawing {
 public:
  TileControls(Frame& frame, const TileNumbers& t, Index done, const Box& area, bool scale_line)
      : Drawing(frame),
        t_(t),
        n_(t.scores->rows()),
        tiles_(std::ssize(t.walk.visited)),
        done_(done),
        area_(area),
        scale_line_(scale_line) {}

  void draw() {
    const Box& area = area_;
    heading(area);
    ImGui::SetCursorScreenPos({area.pos.x, area.pos.y + 1.7f * em_});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {1.5f * u_, u_});
    if (ui::button(frame_, "tradeoff/tiles/back", wording("tradeoff:tiles.back"), wording("tradeoff:tiles.back.tip"),
                   done_ > 0))
      set_done(done_ - 1);
    ImGui::SameLine();
    if (ui::button(frame_, "tradeoff/tiles/play",
                   wording(frame_.hands.of<TilesMotion>().playing ? "tradeoff:tiles.pause" : "tradeoff:tiles.play"),
                   wording("tradeoff:tiles.play.tip")))
      toggle_playing(frame_.hands.of<TilesMotion>(), done_, tiles_);
    ImGui::SameLine();
    if (ui::button(frame_, "tradeoff/tiles/step", wording("tradeoff:tiles.step"), wording("tradeoff:tiles.step.tip"),
                   done_ < tiles_))
      set_done(done_ + 1);
    sides(area);
    ImGui::PopStyleVar();
    const float y = area.pos.y + 1.7f * em_ + ImGui::GetFrameHeight() + u_;
    slider({area.pos.x, y}, area.size.x);
    notes({area.pos.x, y + 1.8f * em_});
  }

 private:
  void set_done(Index done) {
    frame_.hands.of<TilesMotion>().playing = false;
    frame_.hands.of<TilesMotion>().done = std::clamp<Index>(done, 0, tiles_);
  }

  // What the looks of a tile mean, and the colours of the scores: beside that where there is room, else below.
  void notes(ImVec2 at) const {
    ImFont* small = fonts_.small;
    const float width = area_.size.x, step = 1.3f * small->FontSize;
    const auto line = [&](const std::string& text) {
      canvas_.text_at(small, at, theme_.ink_soft, text, width);
      at.y += step;
    };
    const std::string& looks = wording("tradeoff:tiles.looks");
    const float scale = 15 * small->FontSize;
    const bool beside = text_width(small, looks) + 4 * u_ + scale <= width;
    if (beside) colors({at.x + width - scale, at.y}, scale);
    line(looks);
    if (const std::size_t skipped = t_.walk.skipped.size(); skipped > 0) {
      ui::probe("tradeoff/tiles/skipped", at, {at.x + width, at.y + small->FontSize});
      line(wording("tradeoff:tiles.skipped", {{"n", skipped}}));
    }
    if (!beside && scale_line_) colors(at, std::min(width, 20 * small->FontSize));
  }
  void colors(ImVec2 at, float width) const {
    const Site scores{Quantity::scores, view_.layer, view_.focused_head};
    legend(frame_, scale_for(frame_, scores), at, width, {.caption = wording("tradeoff:tiles.score").c_str()});
    ui::probe("tradeoff/tiles/scale", at, {at.x + width, at.y + small_});
  }

  void heading(const Box& area) const {
    std::string text = wording("tradeoff:tiles.before");
    if (done_ > 0) {
      const Tile& now = nth(t_.walk.visited, done_ - 1);
      const auto span = [](Index first, Index count) {
        return count == 1 ? std::to_string(first + 1) : ui::words(first + 1, "–", first + count);
      };
      text = wording("tradeoff:tiles.now", {{"tile", done_},
                                            {"tiles", tiles_},
                                            {"n_queries", now.rows},
                                            {"queries", span(now.row, now.rows)},
                                            {"n_keys", now.keys},
                                            {"keys", span(now.key, now.keys)}});
    }
    title(frame_, "tradeoff/tiles/title", area.pos, area.size.x, text, wording("tradeoff:tiles.now.tip"));
  }

  void sides(const Box& area) {
    const Canvas::Part part(canvas_, kWindowAlone);
    const float middle = 0.5f * (ImGui::GetFrameHeight() - small_);
    const std::string& caption = wording("tradeoff:tiles.side");
    const float words = text_width(fonts_.small, caption) + 2 * u_;
    float wide = words;
    for (const Index side : kTileSides)
      if (offered(side)) wide += ui::chip_width(std::to_string(side)) + u_;
    ImGui::SameLine();
    const float x = std::max(ImGui::GetCursorScreenPos().x + u_, area.right() - wide);
    const float y = ImGui::GetCursorScreenPos().y;
    canvas_.text_at(fonts_.small, {x, y + middle}, theme_.ink_soft, caption);
    ImGui::SetCursorScreenPos({x + words, y});
    auto chips = ui::Chips::in_line(frame_);
    for (const Index side : kTileSides) {
      if (!offered(side)) continue;
      const std::string label = std::to_string(side);
      if (!chips.chip(
              "tradeoff/tiles/side/" + label, label, side == t_.side,
              wording("tradeoff:tiles.side.tip", {{"side", side}, {"queries", kTileQueries}, {"keys", kTileKeys}})))
        continue;
      frame_.choose(view_.tradeoff.tile_side, side);
      frame_.hands.of<TilesMotion>().done.reset();
      frame_.hands.of<TilesMotion>().playing = false;
    }
  }
  // Not too many tiles; and of the sides that hold all only the first.
  bool offered(Index side) const {
    return side >= least_side(n_, kMostAcross) && (side == kTileSides[0] || side / 2 < n_);
  }

  void slider(ImVec2 pos, float width) {
    auto s = styled<TrackSlider>(frame_);
    s.pos = pos;
    s.size = {width, 1.6f * em_};
    s.value = real(done_);
    s.high = real(std::max<Index>(1, tiles_));
    s.rest = s.high;
    s.step = 1;
    s.color = theme_.accent;
    const Canvas::Part part(canvas_, kWindowAlone);
    const TrackSliderResult moved = track_slider(canvas_, "tradeoff/tiles/scrub", s);
    ui::probe("tradeoff/tiles/scrub");
    if (moved.held) set_done(static_cast<Index>(std::lround(moved.value)));
  }

  const TileNumbers& t_;
  Index n_, tiles_, done_;
  Box area_;
  bool scale_line_;
};

}  // namespace

void draw_tile_controls(Frame& frame, const TileNumbers& numbers, Index done, const Box& area, bool scale_line) {
  TileControls(frame, numbers, done, area, scale_line).draw();
}

}  // namespace hydra::tradeoff
