// Flow: the patterns of all heads, small.
#include "app/views/flow/flow_parts.h"
#include "app/views/head_marks.h"
#include "app/views/ui.h"

namespace hydra {

using namespace flow;

namespace {

// Behind the head's number: whether it is painted, and its best role where it fits before the next.
void strip_marks(const FlowParts& p, int h, const HeatmapTile& tile, float y, float right) {
  ImFont* font = p.frame.fonts.small;
  const std::string number = std::to_string(h + 1);
  float x = tile.min.x + text_width(font, number) + 1.5f * p.frame.unit;
  if (painted_mark(p.frame, "flow/heads/painted/" + number, p.layer, h, {x, y}, 0.85f * font->FontSize))
    x += font->FontSize;
  x += gate_mark(p.frame, "flow/heads/gate/" + number, p.layer, h, {x, y}, font);
  role_mark(p.frame, "flow/role/", h, {x, y}, right);
}

// From one picture to the next in its row.
float step_across(const FlowParts& p, const Tiling& tiling, float gap) {
  const float down = tiling.side + gap;
  const float spread = (p.at.strip.size.x - tiling.side) / real(std::max(1, tiling.columns - 1));
  return std::min(std::max(down, spread), std::max(1.6f * down, 8 * p.frame.fonts.small->FontSize));
}

HeatmapTile thumbnail(FlowParts& p, int h, const Tiling& tiling, float gap, float lift) {
  const float down = tiling.side + gap;
  const float across = step_across(p, tiling, gap);
  const ImVec2 pos{std::floor(p.at.strip.pos.x + real(h % tiling.columns) * across),
                   p.at.strip.pos.y + lift + real(h / tiling.columns) * down};
  const std::string name = "flow/heads/" + std::to_string(h + 1);
  const PictureResult result =
      matrix_picture(p.frame, name.c_str(), {Quantity::attention, p.layer, h}, pos, {tiling.side, tiling.side},
                     {.square_cells = false,
                      .values = false,
                      .clickable = false,
                      .alpha = is_silent(p.frame, p.layer, h) ? 0.3f : 1.0f});
  if (result.hit.clicked) focus_head(p.frame.view, h);
  return result.tile;
}

}  // namespace

void draw_flow_strip(FlowParts& p) {
  const int heads = static_cast<int>(p.trace.input.heads);
  const float u = p.frame.unit, bar = 0.75f * u, number = p.frame.fonts.small->FontSize;
  title_over(
      p.frame, p.at.strip, p.at.strip.size.x,
      {p.trace.input.kv_heads == 0 ? "All heads: attention of each. Click one to follow it above."
                                   : "All heads: attention of each. A line joins those that share keys and values.",
       "All heads"});
  const bool numbered = heads <= 32;
  const float label = numbered ? number : 0;
  Tiling tiling = tile_squares({p.at.strip.size.x, p.at.strip.size.y - label - bar}, heads, 2 * u + label + bar);
  // Of few tokens there is little to see: small, too.
  const float most = std::max(7 * p.frame.fonts.small->FontSize, 4 * u * real(p.trace.input.n()));
  tiling.side = std::min(tiling.side, std::floor(most));
  std::vector<HeatmapTile> tiles;
  for (int h = 0; h < heads; ++h) tiles.push_back(thumbnail(p, h, tiling, 2 * u + label + bar, label + bar + 0.5f * u));
  group_lines(p.frame, "flow/group/", p.layer, tiles);
  for (int h = 0; h < heads; ++h) {
    const HeatmapTile& tile = nth(tiles, h);
    const ImU32 color = head_color(p.frame, h);
    pen::fill({tile.min.x, tile.min.y - bar}, {tile.max.x, tile.min.y}, color);
    if (numbered)
      text_at(p.frame.fonts.small, {tile.min.x, tile.min.y - bar - number - 0.5f * u}, ink_for(p.frame, h == p.head),
              std::to_string(h + 1));
    if (numbered)
      strip_marks(p, h, tile, tile.min.y - bar - number - 0.5f * u,
                  std::min(tile.min.x + step_across(p, tiling, 2 * u + label + bar) - 2 * u, p.at.strip.right()));
    if (h == p.head)
      pen::frame({tile.min.x - 2, tile.min.y - bar - 1}, {tile.max.x + 2, tile.max.y + 2}, p.frame.theme.accent, 2);
  }
}

}  // namespace hydra
