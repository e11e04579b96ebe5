#include "app/views/tradeoff/tradeoff_layout.h"

#include <algorithm>
#include <cmath>

#include "app/widgets/arrange.h"
#include "app/widgets/plot/label_steps.h"

namespace hydra {

namespace {

// So many across: the side of the squares in whole pixels where that loses little.
float side_for(int heads, int across, ImVec2 room, float gap, float strip) {
  const int lines = (heads + across - 1) / across;
  const auto a = real(across), l = real(lines);
  const float side = std::min((room.x - (a - 1) * gap) / a, (room.y - (l - 1) * gap) / l - strip);
  return side >= 8 ? std::floor(side) : side;
}

}  // namespace

float ThumbGrid::width(int heads) const { return real(std::min(heads, across) - 1) * step_x + side; }
float ThumbGrid::height(int heads) const {
  const int line = (heads - 1) / across;
  return real(line) * step_y + strip + side;
}

ThumbGrid thumb_grid(int heads, float width, float height, float unit) {
  // Small squares stand closer.
  for (const float part : {1.0f, 0.5f, 0.25f}) {
    const float gap = std::max(1.0f, std::round(1.25f * part * unit));
    const float strip = std::max(1.0f, std::round(0.6f * part * unit));
    float largest = 0;
    for (int across = 1; across <= heads; ++across)
      largest = std::max(largest, side_for(heads, across, {width, height}, gap, strip));
    if (largest <= 0 || (largest < 10 * part * unit && part > 0.25f)) continue;
    // Of those that are nearly as large, the one that leaves the least of the width, and of its last line.
    ThumbGrid best;
    float used = 0;
    for (int across = 1; across <= heads; ++across) {
      const float side = side_for(heads, across, {width, height}, gap, strip);
      const ThumbGrid grid{across, side, side + gap, side + gap + strip, strip};
      const int places = (heads + across - 1) / across * across;
      const float use = grid.width(heads) * real(heads) / real(places);
      if (side < 0.8f * largest || use <= used + 1) continue;
      best = grid;
      used = use;
    }
    return best;
  }
  ThumbGrid least;  // without bars and gaps
  least.across = std::max(1, static_cast<int>(std::ceil(std::sqrt(real(heads)))));
  least.side = std::max(0.1f, std::min(width, height) / real(least.across));
  least.step_x = least.step_y = least.side;
  return least;
}

TradeoffLayout tradeoff_layout(const TradeoffInput& in) {
  TradeoffLayout at;
  const auto count = real(in.heads.size());
  at.gap = 2.5f * in.unit;
  at.label = in.label + at.gap;
  at.left = in.pos.x + at.label;
  at.width = in.size.x - at.label;
  const float least = 3.9f * in.text, most = 16 * in.text;
  const float even = std::floor((at.width + at.gap) / count - at.gap);
  at.scrolls = even < least;
  at.column = std::clamp(even, least, most);
  const float bottom = in.bottom() - (at.scrolls ? in.scrollbar : 0);
  at.header = in.pos.y;
  at.header_height = std::round(in.large + 1.35f * in.small + 3 * in.unit);
  // The numbers take the room they like where the patterns keep enough, and what those leave.
  const float height = bottom - at.header - at.header_height - in.diagram - 3 * in.unit, rows = real(in.rows);
  const float liked = std::floor(std::clamp((height - 1.6f * at.column) / rows, 1.8f * in.text, 2.5f * in.text));
  at.diagram = at.header + at.header_height;
  at.patterns = at.diagram + in.diagram + in.unit;
  // A figure has all the height there is: few heads would be enormous, and many a long line.
  const float room = std::clamp(height - rows * liked, 2 * in.text, std::max(2 * in.text, 4 * at.column));
  for (const int heads : in.heads) at.grids.push_back(thumb_grid(heads, at.column, room, in.unit));
  for (std::size_t k = 0; k < at.grids.size(); ++k)
    at.patterns_height = std::max(at.patterns_height, at.grids[k].height(in.heads[k]));
  at.rows = at.patterns + at.patterns_height + 2 * in.unit;
  at.row = std::clamp(std::floor((bottom - at.rows) / rows), liked, 3 * in.text);
  at.bottom = at.rows + rows * at.row;
  return at;
}

float height_of(const TradeoffInput& in) {
  const float head = in.large + 1.35f * in.small + 6 * in.unit;
  return head + in.diagram + (4.6f + 1.8f * real(in.rows)) * in.text;
}

float cost_height(float text) { return 29 * text; }

CostLayout cost_layout(ImVec2 pos, ImVec2 size, float text, float unit) {
  const float gap = 5 * unit;
  CostLayout at;
  // Weights need the least room, the chart with the rank the most.
  const float above = std::floor(std::min(0.44f * (size.y - gap), 22 * text));
  const auto [upper, lower] = column({pos, size}, gap, {fixed(above), share(1)});
  std::tie(at.weights, at.products, at.memory, at.width) =
      row(upper, gap, {share(20), share(27), share(20), share(33)});
  for (Box* box : {&at.weights, &at.products, &at.memory, &at.width})
    *box = {{std::round(box->pos.x), box->pos.y}, {std::floor(box->size.x), above}};
  const float chart = std::floor(0.3f * (size.x - 2 * gap));
  std::tie(at.before, at.after, at.extremes) = row(lower, gap, {fixed(chart), fixed(chart), share(1)});
  return at;
}

TimingLayout timing_layout(ImVec2 pos, ImVec2 size, float text, float unit, float key) {
  const float gap = 4 * unit, bar = std::round(2.2f * text), top = bar + (key > 0 ? key + 2 * unit : 0);
  const bool below = size.x < 42 * text;
  const float words = below ? size.x : std::clamp(0.33f * size.x, 15 * text, 30 * text);
  const float least = below ? 18 * text : 9 * text;
  const float line = std::floor(std::max(least, 0.5f * (size.y - top - gap)));
  const float under = below ? std::floor(0.4f * line) : 0;
  const float chart = std::floor(below ? 0.5f * (size.x - gap) : 0.5f * (size.x - words - 2.5f * gap));
  TimingLayout at;
  Box upper, lower;
  std::tie(at.bar, at.key, upper, lower) =
      column({pos, size}, 0, {fixed(bar), fixed(key).then(2 * unit), fixed(line).then(gap), fixed(line)});
  const auto place = [&](const Box& box, Box& first, Box& second, Box& told) {
    std::tie(first, second) = row({box.pos, {box.size.x, line - under}}, gap, {fixed(chart), fixed(chart)});
    told =
        below ? Box{{pos.x, first.bottom()}, {words, under}} : Box{{pos.x + size.x - words, box.pos.y}, {words, line}};
  };
  place(upper, at.time, at.memory, at.words);
  place(lower, at.step_time, at.step_memory, at.step_words);
  at.bottom = lower.bottom();
  return at;
}

float timing_height(float width, float text, float unit, float key) {
  return timing_layout({0, 0}, {width, 0}, text, unit, key).bottom;
}

Box part_of(const Box& whole, int k, int count) {
  const auto edge = [&](int at) { return whole.pos.x + std::round(real(at) * whole.size.x / real(count)); };
  return {{edge(k), whole.pos.y}, {edge(k + 1) - edge(k), whole.size.y}};
}

ProductLayout product_layout(const ProductInput& in) {
  const float u = in.unit, between = 2.2f * in.text, over = in.title + 3 * u;
  const float between_rows = 3 * u + in.title, numbers = 1.3f * in.small + 3 * u;
  const float code = real(kCodeLines) * in.code + 2 * u;
  ProductLayout at;
  at.labels = std::min(in.labels, 7 * in.text) + 2 * u;
  // The two rows of pictures share what the lines leave.
  const float lines = over + between_rows + numbers + code + in.words + 4 * u;
  const float room = std::clamp(in.size.y - lines, 7.5f * in.text, 44 * in.text);
  const float first = std::floor(0.58f * room), second = std::floor(0.42f * room);
  const float left = std::round(in.pos.x + at.labels), wide = in.right() - left;
  // As wide as their columns are many, none a mere stripe.
  const float shared = wide - 2 * between, least = 0.18f * shared;
  const float part = shared / (in.d_model + 2 * in.concat);
  const float X = std::floor(std::clamp(part * in.d_model, least, shared - 2 * least));
  const float Q = std::floor(0.5f * (shared - X));
  const float top = std::round(in.pos.y + over);
  std::tie(at.X, at.W, at.Q) = row({{left, top}, {wide, first}}, between, {fixed(X), fixed(Q), fixed(Q)});
  const float middle = top + 0.5f * first;
  at.times = {at.X.right() + 0.5f * between, middle};
  at.equals = {at.W.right() + 0.5f * between, middle};
  at.title = top + first + 3 * u;
  at.numbers = top + first + between_rows;
  const float apart = at.numbers + numbers, h = real(in.heads);
  const float gap = std::floor(std::min(3 * u, 0.25f * wide / h));
  const float slice = std::min((wide - (h - 1) * gap) / h, 24 * in.text);
  const float start =
      in.heads > 1 && slice < 24 * in.text ? left : std::max(left, at.Q.right() - h * slice - (h - 1) * gap);
  for (int k = 0; k < in.heads; ++k) {
    const float x = std::floor(start + real(k) * (slice + gap));
    at.heads.push_back({{x, apart}, {std::max(1.0f, std::floor(start + real(k) * (slice + gap) + slice) - x), second}});
  }
  at.code = {{left, apart + second + 2 * u}, {wide, code}};
  at.words = {{left, at.code.bottom() + 2 * u}, {wide, in.words}};
  at.bottom = at.words.bottom();
  return at;
}

TilesLayout tiles_layout(const TilesInput& in) {
  const float gap = 5 * in.unit, n = real(std::max(1, in.tokens));
  const float beside = std::min(in.labels, 7 * in.text) + 2 * in.unit,
              over = std::min(4.2f * in.text, 0.16f * in.size.y);
  const float bars = std::clamp(0.16f * in.size.y, 3.2f * in.text, 7 * in.text);  // at least
  const float right = std::clamp(0.45f * in.size.x, std::min(22 * in.text, 0.58f * in.size.x), 44 * in.text);
  const float caption = 1.8f * in.text, bottom = in.bottom() - caption;
  const float room =
      std::min(in.size.x - right - gap - beside - in.text, in.size.y - over - bars - 3 * in.unit - caption);
  TilesLayout at;
  at.cell = std::min(room / n, 6 * in.text);
  if (at.cell >= 2) at.cell = std::floor(at.cell);
  at.cell = std::max(at.cell, 1 / n);
  const float side = n * at.cell;
  at.left = in.pos.x;
  at.tops = in.pos.y;
  at.grid = {std::round(in.pos.x + beside), std::round(in.pos.y + over)};
  const float top = at.grid.y + side + 3 * in.unit;
  // In a column of a page the numbers stand below, in all of its width.
  const float numbers = 24 * in.text, most = 0.7f * side;
  const bool below = in.size.x < 36 * in.text && bottom - top - bars >= numbers + caption;
  const float bars_room =
      below ? std::min(bottom - top - numbers - caption, most) : std::min(bottom - top, std::max(bars, most));
  at.bars = {{at.grid.x, top}, {side, std::max(1.0f, bars_room)}};
  // The first token's name reaches beyond the grid, turned; so does the last one's.
  const float x = at.grid.x + side + in.text + gap, width = std::min(in.right() - x, 52 * in.text);
  at.scale = in.size.y >= 26 * in.text && width < 40 * in.text;  // in wide rooms it stands beside the notes
  const float lines = real(in.notes - 1) + (at.scale ? 1.0f : 0.0f);
  const float controls = std::round((6.3f + 1.15f * lines) * in.text);
  at.controls = {{x, in.pos.y}, {width, controls}};
  at.caption = (below ? in.right() : x - 2 * in.unit) - in.pos.x;
  at.numbers = {{x, in.pos.y + controls + gap}, {width, in.size.y - controls - gap}};
  if (below) {
    const float y = at.bars.bottom() + caption + gap;
    at.numbers = {{in.pos.x, y}, {in.size.x, in.bottom() - y}};
  }
  return at;
}

float height_of(const ProductInput& in) {
  ProductInput low = in;
  low.size.y = 0;
  return product_layout(low).bottom - in.pos.y;
}

float height_of(const TilesInput& in) {
  return least_height(in, [](const TilesInput& one) {
    const TilesLayout at = tiles_layout(one);
    return std::array{real(int{at.scale}), std::min(at.cell, kLeastStep)};
  });
}

}  // namespace hydra
