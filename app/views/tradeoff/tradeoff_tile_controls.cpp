// How it is computed, tile by tile: where the walk stands, how it goes on, and what the looks of tiles mean.
#include <algorithm>
#include <cmath>

#include "app/views/controls.h"
#include "app/views/tradeoff/tradeoff_computed.h"
#include "app/widgets/nth.h"
#include "app/widgets/probe.h"
#include "app/widgets/token_axis.h"
#include "app/widgets/track_slider.h"

namespace hydra::tradeoff {

namespace {

class TileControls {
 public:
  TileControls(Frame& frame, const TileNumbers& t, Index done, const TradeoffArea& area, bool scale_line)
      : frame_(frame),
        t_(t),
        n_(t.scores->rows()),
        tiles_(std::ssize(t.walk.visited)),
        done_(done),
        em_(frame.fonts.text->FontSize),
        area_(area),
        scale_line_(scale_line) {}

  void draw() {
    ViewState& view = frame_.view;
    const TradeoffArea& area = area_;
    heading(area);
    ImGui::SetCursorScreenPos({area.pos.x, area.pos.y + 1.7f * em_});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {1.5f * frame_.unit, frame_.unit});
    if (ui::button(frame_, "tradeoff/tiles/back", "Back", "One tile back.", done_ > 0)) set_done(done_ - 1);
    ImGui::SameLine();
    if (ui::button(frame_, "tradeoff/tiles/play", view.tradeoff.tiles.playing ? "Pause" : "Play",
                   "Walks through the tiles, one after the other."))
      toggle_playing(view.tradeoff.tiles, done_, tiles_);
    ImGui::SameLine();
    if (ui::button(frame_, "tradeoff/tiles/step", "Step", "One tile more.", done_ < tiles_)) set_done(done_ + 1);
    sides(area);
    ImGui::PopStyleVar();
    const float y = area.pos.y + 1.7f * em_ + ImGui::GetFrameHeight() + frame_.unit;
    slider({area.pos.x, y}, area.size.x);
    notes({area.pos.x, y + 1.8f * em_});
  }

 private:
  void set_done(Index done) {
    frame_.view.tradeoff.tiles.playing = false;
    frame_.view.tradeoff.tiles.done = std::clamp<Index>(done, 0, tiles_);
  }

  // What the looks of a tile mean, and the colours of the scores: beside that where there is room, else below.
  void notes(ImVec2 at) const {
    ImFont* small = frame_.fonts.small;
    const float width = area_.size.x, step = 1.3f * small->FontSize;
    const auto line = [&](const std::string& text) {
      text_at(ImGui::GetWindowDrawList(), small, at, frame_.theme.ink_soft, clipped(small, text, width));
      at.y += step;
    };
    const std::string looks = "outlined: now; pale: used and forgotten; blank: to come";
    const float scale = 15 * small->FontSize;
    const bool beside = text_width(small, looks) + 4 * frame_.unit + scale <= width;
    if (beside) colors({at.x + width - scale, at.y}, scale);
    line(looks);
    if (const std::size_t skipped = t_.walk.skipped.size(); skipped > 0) {
      ui::probe("tradeoff/tiles/skipped", at, {at.x + width, at.y + small->FontSize});
      line("hatched: " + std::to_string(skipped) + " skipped, the mask hides all of " + (skipped == 1 ? "it" : "them"));
    }
    if (!beside && scale_line_) colors(at, std::min(width, 20 * small->FontSize));
  }
  void colors(ImVec2 at, float width) const {
    LegendOptions options;
    options.caption = "score";
    legend(scale_for(frame_, {Quantity::scores, frame_.view.layer, frame_.view.focused_head}), at, width,
           frame_.fonts.small, frame_.theme.ink_soft, options);
    ui::probe("tradeoff/tiles/scale", at, {at.x + width, at.y + frame_.fonts.small->FontSize});
  }

  void heading(const TradeoffArea& area) const {
    std::string text = "Before the first tile";
    if (done_ > 0) {
      const Tile& now = nth(t_.walk.visited, done_ - 1);
      const auto span = [](Index first, Index count) {
        return count == 1 ? std::to_string(first + 1) : std::to_string(first + 1) + "–" + std::to_string(first + count);
      };
      text = "Tile " + std::to_string(done_) + " of " + std::to_string(tiles_) +
             (now.rows == 1 ? ": query " : ": queries ") + span(now.row, now.rows) +
             (now.keys == 1 ? ", key " : ", keys ") + span(now.key, now.keys);
    }
    title(frame_, "tradeoff/tiles/title", area.pos, area.size.x, text,
          "A block of queries after the other, and for each its keys from left to right. Of what was visited only m, l "
          "and o of its queries are kept.");
  }

  void sides(const TradeoffArea& area) {
    const float middle = 0.5f * (ImGui::GetFrameHeight() - frame_.fonts.small->FontSize);
    float wide = text_width(frame_.fonts.small, "tile") + 2 * frame_.unit;
    for (const Index side : kTileSides)
      if (offered(side)) wide += ui::chip_width(std::to_string(side).c_str()) + frame_.unit;
    ImGui::SameLine();
    const float x = std::max(ImGui::GetCursorScreenPos().x + frame_.unit, area.pos.x + area.size.x - wide);
    const float y = ImGui::GetCursorScreenPos().y;
    text_at(ImGui::GetWindowDrawList(), frame_.fonts.small, {x, y + middle}, frame_.theme.ink_soft, "tile");
    ImGui::SetCursorScreenPos({x + text_width(frame_.fonts.small, "tile") + 2 * frame_.unit, y});
    for (const Index side : kTileSides) {
      if (!offered(side)) continue;
      const std::string label = std::to_string(side);
      const std::string tip = label + " queries by " + label +
                              " keys. Real programs take as many as their fast memory holds, such as " +
                              std::to_string(kTileQueries) + " by " + std::to_string(kTileKeys) + " here.";
      if (ui::chip(frame_, ("tradeoff/tiles/side/" + label).c_str(), label.c_str(), side == t_.side, tip.c_str())) {
        frame_.view.tradeoff.tiles.side = side;
        frame_.view.tradeoff.tiles.done.reset();
        frame_.view.tradeoff.tiles.playing = false;
      }
      ImGui::SameLine(0, frame_.unit);
    }
    ImGui::NewLine();
  }
  // Not too many tiles; and of the sides that hold all only the first.
  bool offered(Index side) const {
    return side >= least_side(n_, kMostAcross) && (side == kTileSides[0] || side / 2 < n_);
  }

  void slider(ImVec2 pos, float width) {
    TrackSlider s;
    s.pos = pos;
    s.size = {width, 1.6f * em_};
    s.value = static_cast<float>(done_);
    s.high = static_cast<float>(std::max<Index>(1, tiles_));
    s.rest = s.high;
    s.step = 1;
    s.color = frame_.theme.accent;
    s.theme = &frame_.theme;
    s.unit = frame_.unit;
    const TrackSliderResult moved = track_slider("tradeoff/tiles/scrub", s);
    ui::probe("tradeoff/tiles/scrub");
    if (moved.held) set_done(static_cast<Index>(std::lround(moved.value)));
  }

  Frame& frame_;
  const TileNumbers& t_;
  Index n_, tiles_, done_;
  float em_;
  TradeoffArea area_;
  bool scale_line_;
};

}  // namespace

void draw_tile_controls(Frame& frame, const TileNumbers& numbers, Index done, const TradeoffArea& area,
                        bool scale_line) {
  TileControls(frame, numbers, done, area, scale_line).draw();
}

}  // namespace hydra::tradeoff
