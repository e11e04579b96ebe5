#include "app/views/heads_layout.h"

#include <algorithm>
#include <cmath>

namespace hydra {

namespace {

constexpr float kSine = 0.82f, kCosine = 0.57f;  // of the turned labels, see token_axis

// The largest thumbnails with which all heads fit into the height, between a readable least and a modest most.
void place_grid(const HeadsInput& in, HeadsLayout& out) {
  const float gap = 2 * in.unit, most = std::min(7 * in.text, 0.15f * in.size.y),
              least = std::min(2.2f * in.text, most);
  out.caption = in.small + 0.5f * in.unit;
  out.inset = in.unit;  // for the mark of the focused head
  const auto arrange = [&](float width, float thumb) {
    width -= 2 * out.inset;
    out.thumb = std::floor(thumb);
    out.step_x = out.thumb + gap;
    out.step_y = out.caption + out.thumb + gap;
    out.columns = std::clamp(static_cast<int>((width + gap) / out.step_x), 1, in.heads);
    out.grid_content = static_cast<float>((in.heads + out.columns - 1) / out.columns) * out.step_y;
  };
  const float room = std::max(0.36f * in.size.y, out.caption + most + gap);
  for (float thumb = most; thumb >= least; thumb -= 1) {
    arrange(in.size.x, thumb);
    if (out.grid_content <= room || thumb - 1 < least) break;
    // One row is worth a little: eight heads in line compare better than five and three.
    if (in.heads <= 16 && out.columns == in.heads) break;
  }
  if (in.heads <= 16 && out.columns < in.heads) {
    const float in_line = (in.size.x - 2 * out.inset + gap) / static_cast<float>(in.heads) - gap;
    if (in_line >= 3.2f * in.text) arrange(in.size.x, std::min(most, in_line));
  }
  if (out.grid_content > room) arrange(in.size.x - in.scrollbar, least);
  out.grid_pos = {in.pos.x - out.inset, in.pos.y};
  out.grid_size = {in.size.x + out.inset, std::min(out.grid_content, std::floor(room))};
}

}  // namespace

HeadsLayout heads_layout(const HeadsInput& in) {
  HeadsLayout out;
  place_grid(in, out);
  const float gap = 4 * in.unit, title = in.text + 1.5f * in.unit, legend = in.small + 3 * in.unit;
  const float top = out.grid_pos.y + out.grid_size.y + 2 * in.unit;
  const float height = in.pos.y + in.size.y - top, n = static_cast<float>(in.tokens);
  const float label = std::min(in.longest, 7 * in.text);

  out.row_labels = std::min(label, 0.2f * in.size.x) + 2 * in.unit;
  const float arcs_least = std::max(15 * in.text, 0.28f * in.size.x);
  out.arcs_shown = in.size.x >= out.row_labels + 10 * in.text + gap + arcs_least;
  // Turned labels rise above the columns and lean out to the right.
  const float turned = std::min(label * kSine + in.text, 0.3f * height);
  const auto side_with = [&](float above, float beside) {
    const float width = in.size.x - out.row_labels - beside - (out.arcs_shown ? gap + arcs_least : 0);
    return std::max(1.0f, std::min(width, height - title - above - legend));
  };
  const float level_above = in.text + in.unit;
  out.side = side_with(level_above, 0);
  out.level = in.longest + in.unit <= std::floor(out.side / n);
  out.column_labels = out.level ? level_above : turned;
  const float lean = out.level ? 0 : std::min(label, turned / kSine) * kCosine;
  if (!out.level) out.side = side_with(turned, out.arcs_shown ? std::max(0.0f, lean - gap) : lean);
  // Whole-pixel cells, as fit_tile makes them; a matrix of a few tokens need not fill the screen.
  const float cell = std::min(out.side / n, 7 * in.text);
  out.side = cell >= 1 ? std::floor(cell) * n : cell * n;

  out.title = {in.pos.x, top};
  out.large = {std::round(in.pos.x + out.row_labels), std::round(top + title + out.column_labels)};
  out.legend = {out.large.x, out.large.y + out.side + 1.5f * in.unit};
  const float x = out.large.x + out.side + std::max(gap, lean);
  out.arcs_title = {x, top};
  const float readable = 1.2f * in.text, row = out.side / n;
  const float bottom = in.pos.y + in.size.y - legend;
  if (row >= readable) {  // the rows of the arcs continue those of the pattern
    out.arcs_row = row;
    out.arcs = {x, out.large.y};
    out.arcs_size = {0, std::min(out.side, bottom - out.large.y)};
  } else {
    out.arcs_row = readable;
    const float arcs_top = top + title + level_above;
    out.arcs = {x, arcs_top};
    out.arcs_size = {0, std::min(std::max(1.0f, bottom - arcs_top), readable * n)};
  }
  out.arcs_size.x = std::clamp(in.pos.x + in.size.x - x, 1.0f, 40 * in.text);
  return out;
}

}  // namespace hydra
