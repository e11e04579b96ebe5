#include "app/views/heads/heads_layout.h"

#include <algorithm>
#include <cmath>

#include "app/draw/nth.h"
#include "app/widgets/arrange.h"
#include "app/widgets/plot/label_steps.h"

namespace hydra {

namespace {

constexpr float kWholeCell = 6;
constexpr float kSinkGap = 1.5f;  // units between the pattern and the sink's column, and its least width

// Thumbnails for a given size; as many to a row as fit into the width, but at most so many, rows filled evenly.
void arrange(const HeadsInput& in, HeadsLayout& out, float width, float thumb, int columns) {
  const float gap = 2 * in.unit;
  out.caption = in.small + 1.25f * in.unit;
  out.thumb = std::floor(thumb);
  out.step_x = out.thumb + gap;
  out.step_y = out.caption + out.thumb + gap;
  const int most = std::clamp(static_cast<int>((width - 2 * out.inset + gap) / out.step_x), 1, columns);
  const int rows = (in.heads + most - 1) / most;
  out.columns = (in.heads + rows - 1) / rows;
  out.grid_content = real(rows) * out.step_y;
}

// The largest thumbnails, from most down to least, with which all heads fit into the room; smaller when that keeps the
// heads of a group in rows of their own, or else a little smaller when it fills every row. Else the least, scrolling.
void place_grid(const HeadsInput& in, HeadsLayout& out, ImVec2 room, float most, float least) {
  out.inset = in.unit;  // for the mark of the focused head
  const auto largest = [&](float from, float to, int columns, auto accept) {
    for (float thumb = from; thumb >= to; thumb -= 1) {
      arrange(in, out, room.x, thumb, columns);
      if (out.grid_content <= room.y && accept()) return thumb;
    }
    return 0.0f;
  };
  const float fits = largest(most, least, in.heads, [] { return true; });
  const auto grouped = [&] {
    if (in.group == 1) return false;
    const float small = std::max(least, 0.6f * fits);
    if (largest(fits, small, in.heads, [&] { return out.columns % in.group == 0; }) > 0) return true;
    // Or each group fills some rows of its own.
    for (int columns = in.group / 2; columns > 1; --columns)
      if (in.group % columns == 0 && largest(fits, small, columns, [&] { return out.columns == columns; }) > 0)
        return true;
    return false;
  };
  const auto even = [&] { return in.heads % out.columns == 0; };
  if (fits > 0 && !grouped() && largest(fits, std::max(least, 0.75f * fits), in.heads, even) == 0)
    arrange(in, out, room.x, fits, in.heads);
  if (fits == 0) arrange(in, out, room.x - in.scrollbar, least, in.heads);
  out.grid_pos = {in.pos.x - out.inset, in.pos.y};
  const float scrollbar = out.grid_content > room.y ? in.scrollbar : 0;
  out.grid_size = {real(out.columns) * out.step_x + 2 * out.inset + scrollbar, std::min(out.grid_content, room.y)};
}

// The large pattern in a box, and beside it the arcs; aside: its title and legend, too.
void place_large(const HeadsInput& in, HeadsLayout& out, ImVec2 pos, ImVec2 size, bool aside) {
  const float gap = 4 * in.unit, head = in.text + in.small + 2 * in.unit;
  const float title = aside ? 0 : head, legend = aside ? 0 : in.small + 3 * in.unit;
  const float top = pos.y, height = size.y, n = real(in.tokens);
  const float label = std::min(in.longest, 7 * in.text);
  out.row_labels = std::min(label, 0.2f * size.x) + 2 * in.unit;
  const float arcs_least = std::max(15 * in.text, 0.28f * size.x);
  out.arcs_shown = size.x >= out.row_labels + 10 * in.text + gap + arcs_least;
  const float column = aside ? 10 * in.text : out.arcs_shown ? arcs_least : 0;  // right of the pattern
  // Turned labels rise above the columns and lean out to the right.
  const float turned = std::min(label * kLabelSine + in.text, 0.3f * height);
  const auto side_with = [&](float above, float beside) {
    float width = size.x - out.row_labels - beside - (column > 0 ? gap + column : 0);
    if (in.sink) width = (width - 2 * kSinkGap * in.unit) * n / (n + 1);
    return std::max(1.0f, std::min(width, height - title - above - legend));
  };
  const float level_above = in.text + in.unit;
  out.side = side_with(level_above, 0);
  out.level = in.longest + in.unit <= std::floor(out.side / n);
  out.column_labels = out.level ? level_above : turned;
  const float lean = out.level ? 0 : std::min(label, turned / kLabelSine) * kLabelCosine;
  if (!out.level) out.side = side_with(turned, column > 0 ? std::max(0.0f, lean - gap) : lean);
  // Whole-pixel cells where they are large enough for the difference to show; a matrix of a few tokens need not fill
  // the screen.
  const float cell = std::min(out.side / n, 7 * in.text);
  out.side = cell >= kWholeCell ? std::floor(cell) * n : std::floor(cell * n);

  if (in.sink) out.sink_width = std::max(std::floor(out.side / n), kSinkGap * in.unit);

  out.large = {std::round(pos.x + out.row_labels), std::round(top + title + out.column_labels)};
  out.sink_x = out.large.x + out.side + kSinkGap * in.unit;
  const float end = out.sink_width > 0 ? out.sink_x + out.sink_width : out.large.x + out.side;
  const float x = end + std::max(gap, lean), right = pos.x + size.x;
  out.title = {aside ? x : pos.x, top};
  out.role = {out.title.x, top + in.text + 0.5f * in.unit};
  out.title_right = out.arcs_shown && !aside ? x - 2 * in.unit : right;
  out.legend = aside ? ImVec2{x, top + head} : ImVec2{out.large.x, out.large.y + out.side + 1.5f * in.unit};
  out.legend_room = (out.arcs_shown && !aside ? x - 3 * in.unit : right) - out.legend.x;
  out.arcs_title = {x, aside ? out.legend.y + in.small + 3 * in.unit : top};
  const float readable = 1.2f * in.text, row = out.side / n;
  const float bottom = pos.y + size.y - legend;
  const float arcs_top = out.arcs_title.y + head + level_above, left = std::max(1.0f, bottom - arcs_top);
  if (row >= readable && !aside) {  // the rows of the arcs continue those of the pattern
    out.arcs_row = row;
    out.arcs = {x, out.large.y};
    out.arcs_size = {0, std::min(out.side, bottom - out.large.y)};
  } else {
    out.arcs_row = left >= in.text * n ? std::min(readable, left / n) : readable;  // closer, where that shows all
    out.arcs = {x, arcs_top};
    out.arcs_size = {0, std::min(left, out.arcs_row * n)};
  }
  out.arcs_size.x = std::clamp(right - x, 1.0f, 40 * in.text);
  if (aside) out.arcs_shown = right - x >= 15 * in.text && left >= 4 * readable;
}

// With its title over it, or where that leaves too little of the height for its words, beside it.
void place_large(const HeadsInput& in, HeadsLayout& out, ImVec2 pos, ImVec2 size) {
  HeadsLayout aside = out;
  place_large(in, out, pos, size, false);
  place_large(in, aside, pos, size, true);
  const float words = real(std::min(in.tokens, 16)) * kColumnStep / kLabelSine * in.small;
  if (aside.side > 1.2f * out.side && (out.side < words || !out.arcs_shown)) out = aside;
}

}  // namespace

HeadsLayout heads_layout(const HeadsInput& in) {
  HeadsLayout out;
  // All heads stand above the large pattern, or left of it where the view is wide and low.
  const bool beside = in.size.x > 1.55f * in.size.y;
  const float least = (in.heads > 48 ? 1.5f : 2.5f) * in.text;
  ImVec2 pos = in.pos, size = in.size;
  if (beside) {
    place_grid(in, out, {0.26f * in.size.x, in.size.y}, 7 * in.text, least);
    pos.x += out.grid_size.x + 3 * in.unit;
  } else {
    const float share = in.heads > 32 ? 0.4f : in.heads > 8 ? 0.3f : 0.22f;
    place_grid(in, out, {in.size.x, share * in.size.y}, std::min(7 * in.text, 0.15f * in.size.y), least);
    pos.y += out.grid_size.y + 2 * in.unit;
  }
  size = {in.right() - pos.x, in.bottom() - pos.y};
  out.main = {pos, size};
  place_large(in, out, pos, size);
  return out;
}

float height_of(const HeadsInput& in) {
  return least_height(in, [](const HeadsInput& one) {
    const HeadsLayout at = heads_layout(one);
    const float n = real(one.tokens);
    return std::array{real(int{at.grid_content <= at.grid_size.y + 0.5f}), real(int{at.arcs_shown}),
                      real(int{n * at.arcs_row <= at.arcs_size.y + 0.5f}), std::min(at.side, n * kLeastStep)};
  });
}

}  // namespace hydra
