// Flow: the patterns of all heads, small.
#include "app/views/flow/flow_parts.h"
#include "app/views/frame/ui.h"
#include "app/views/model_panel/model_switch.h"
#include "app/views/shared/head_marks.h"
#include "app/widgets/arrange.h"
#include "app/widgets/matrix/least_picture.h"

namespace hydra {

using namespace flow;

namespace {

// Behind the head's number: whether it is painted, and its best role where it fits before the next.
void strip_marks(const FlowParts& p, ImFont* font, int h, const Heatmap& heatmap, float y, float right) {
  const std::string number = std::to_string(h + 1);
  float x = heatmap.min.x + text_width(font, number) + 1.5f * p.frame.unit;
  if (painted_mark(p.frame, "flow/heads/painted/" + number, p.layer, h, {x, y}, 0.85f * font->FontSize))
    x += font->FontSize;
  x += gate_mark(p.frame, "flow/heads/gate/" + number, p.layer, h, {x, y}, font);
  role_mark(p.frame, "flow/role/", h, {x, y}, right, font);
}

// From one picture to the next in its row; the last one's name has room, too.
float step_across(const FlowParts& p, const Box& strip, const Grid& grid) {
  const float down = grid.side + grid.gap;
  const float last = std::max(grid.side, 5.5f * p.frame.fonts.small->FontSize);
  const float spread = (strip.size.x - last) / real(std::max(1, grid.columns - 1));
  return std::min(std::max(down, spread), std::max(1.6f * down, 8 * p.frame.fonts.small->FontSize));
}

Heatmap thumbnail(FlowParts& p, const Box& strip, int h, const Grid& grid, float lift) {
  const float down = grid.side + grid.gap;
  const float across = step_across(p, strip, grid);
  const ImVec2 pos{std::floor(strip.pos.x + real(h % grid.columns) * across),
                   strip.pos.y + lift + real(h / grid.columns) * down};
  const std::string name = "flow/heads/" + std::to_string(h + 1);
  const PictureResult result =
      matrix_picture(p.frame, name.c_str(), {Quantity::attention, p.layer, h}, pos, {grid.side, grid.side},
                     {.square_cells = false,
                      .values = false,
                      .clickable = false,
                      .alpha = is_silent(p.frame, p.layer, h) ? 0.3f : 1.0f});
  if (result.hit.clicked) focus_head(p.frame, h);
  return result.heatmap;
}

// Over the heads whose names change with it stands which model it is.
void title_and_switch(const FlowParts& p, const Box& strip) {
  ImFont* font = p.frame.fonts.strong;
  const float gap = 4 * p.frame.unit, end = strip.pos.x + p.at.strip_title;
  ImVec2 pos = strip.pos;
  if (p.at.parted) pos.x = gap + draw_flow_pages(p.frame, {pos.x, pos.y - font->FontSize - 1.5f * p.frame.unit});
  const float room = end - pos.x - small_model_switch_width(p.frame) - gap;
  const std::string title = fitting(font, room > 0 ? room : end - pos.x,
                                    {wording(p.frame.canvas.shows_all()             ? "flow:strip.all"
                                             : !p.trace.input.key_groups().shares() ? "flow:strip.click"
                                                                                    : "flow:strip.sharing"),
                                     wording("flow:strip")});
  title_over(p.frame, pos, end - pos.x, {title});
  small_model_switch(p.frame, "flow/", {pos.x + text_width(font, title) + gap, pos.y - font->FontSize - p.frame.unit},
                     end);
}

}  // namespace

void draw_flow_strip(FlowParts& p, const Box& strip) {
  const int heads = static_cast<int>(p.trace.input.heads);
  // In a presentation their names are read from afar.
  ImFont* font = p.frame.view.presentation && heads <= 16 ? p.frame.fonts.text : p.frame.fonts.small;
  const float u = p.frame.unit, bar = 0.75f * u, number = font->FontSize;
  title_and_switch(p, strip);
  bool numbered = heads <= 32;
  float label = numbered ? number : 0;
  const auto grid_of = [&] { return grid({strip.size.x, strip.size.y - label - bar}, heads, 2 * u + label + bar); };
  Grid grid = grid_of();
  if (numbered && grid.side < label) numbered = false, label = 0, grid = grid_of();
  if (grid.side < kLeastPicture)
    return p.frame.canvas.text_at(p.frame.fonts.small, strip.pos, p.frame.theme.ink_soft,
                                  wording("flow:strip.no_room", {{"n", heads}}), strip.size.x);
  // Of few tokens there is little to see: small, too.
  const float most = std::max(7 * p.frame.fonts.small->FontSize, 4 * u * real(p.trace.input.n()));
  grid.side = std::min(grid.side, std::floor(most));
  std::vector<Heatmap> heatmaps;
  for (int h = 0; h < heads; ++h) heatmaps.push_back(thumbnail(p, strip, h, grid, label + bar + 0.5f * u));
  group_lines(p.frame, "flow/group/", p.layer, heatmaps);
  for (int h = 0; h < heads; ++h) {
    const Heatmap& heatmap = nth(heatmaps, h);
    const ImU32 color = head_color(p.frame, h);
    p.frame.canvas.fill({heatmap.min.x, heatmap.min.y - bar}, {heatmap.max.x, heatmap.min.y}, color);
    if (numbered)
      p.frame.canvas.text_at(font, {heatmap.min.x, heatmap.min.y - bar - number - 0.5f * u},
                             ink_for(p.frame, h == p.head), std::to_string(h + 1));
    if (numbered)
      strip_marks(p, font, h, heatmap, heatmap.min.y - bar - number - 0.5f * u,
                  std::min(heatmap.min.x + step_across(p, strip, grid) - 2 * u, strip.right()));
    if (h == p.head)
      p.frame.canvas.frame({heatmap.min.x - 2, heatmap.min.y - bar - 1}, {heatmap.max.x + 2, heatmap.max.y + 2},
                           p.frame.theme.accent, 2);
  }
}

}  // namespace hydra
