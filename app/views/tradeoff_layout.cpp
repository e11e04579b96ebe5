#include "app/views/tradeoff_layout.h"

#include <algorithm>
#include <cmath>

namespace hydra {

namespace {

// So many across: the side of the squares in whole pixels where that loses little.
float side_for(int heads, int across, ImVec2 room, float gap, float strip) {
  const int lines = (heads + across - 1) / across;
  const auto a = static_cast<float>(across), l = static_cast<float>(lines);
  const float side = std::min((room.x - (a - 1) * gap) / a, (room.y - (l - 1) * gap) / l - strip);
  return side >= 8 ? std::floor(side) : side;
}

}  // namespace

float ThumbGrid::width(int heads) const { return static_cast<float>(std::min(heads, across) - 1) * step_x + side; }
float ThumbGrid::height(int heads) const { return static_cast<float>((heads - 1) / across) * step_y + strip + side; }

ThumbGrid thumb_grid(int heads, float width, float height, float unit) {
  ThumbGrid best;
  best.side = 0;
  // Small squares stand closer.
  for (const float part : {1.0f, 0.5f, 0.25f}) {
    const float gap = std::max(1.0f, std::round(1.25f * part * unit)),
                strip = std::max(1.0f, std::round(0.6f * part * unit));
    for (int across = 1; across <= heads; ++across) {
      const float side = side_for(heads, across, {width, height}, gap, strip);
      if (side > best.side) best = {across, side, side + gap, side + gap + strip, strip};
    }
    if (best.side >= 10 * part * unit) break;
  }
  if (best.side > 0) return best;
  best.across = std::max(1, static_cast<int>(std::ceil(std::sqrt(static_cast<float>(heads)))));
  best.side = std::max(0.1f, std::min(width, height) / static_cast<float>(best.across));
  best.step_x = best.step_y = best.side;
  best.strip = 0;
  return best;
}

TradeoffLayout tradeoff_layout(const TradeoffInput& in) {
  TradeoffLayout at;
  const auto count = static_cast<float>(in.heads.size());
  at.gap = 2.5f * in.unit;
  at.label = in.label + at.gap;
  at.left = in.pos.x + at.label;
  at.width = in.size.x - at.label;
  const float least = 3.9f * in.text, most = 16 * in.text;
  const float even = std::floor((at.width + at.gap) / count - at.gap);
  at.scrolls = even < least;
  at.column = std::clamp(even, least, most);
  const float bottom = in.pos.y + in.size.y - (at.scrolls ? in.scrollbar : 0);
  at.header = in.pos.y;
  at.header_height = std::round(in.large + 1.35f * in.small + 3 * in.unit);
  // The numbers take the room they like where the patterns keep enough.
  const float height = bottom - at.header - at.header_height - 3 * in.unit, rows = static_cast<float>(in.rows);
  at.row = std::floor(std::clamp((height - 1.6f * at.column) / rows, 1.45f * in.text, 2.5f * in.text));
  at.patterns = at.header + at.header_height + in.unit;
  const float room = std::max(2 * in.text, height - rows * at.row);
  for (const int heads : in.heads) at.grids.push_back(thumb_grid(heads, at.column, room, in.unit));
  for (std::size_t k = 0; k < at.grids.size(); ++k)
    at.patterns_height = std::max(at.patterns_height, at.grids[k].height(in.heads[k]));
  at.rows = at.patterns + at.patterns_height + 2 * in.unit;
  at.bottom = at.rows + rows * at.row;
  return at;
}

CostLayout cost_layout(ImVec2 pos, ImVec2 size, float text, float unit) {
  const float gap = 5 * unit;
  CostLayout at;
  // Weights need the least room, the chart with the rank the most.
  const float above = std::floor(std::min(0.44f * (size.y - gap), 22 * text)), shared = size.x - 3 * gap;
  float x = pos.x;
  const auto next = [&](float part) {
    const TradeoffArea area{{std::round(x), pos.y}, {std::floor(part * shared), above}};
    x += part * shared + gap;
    return area;
  };
  at.weights = next(0.2f);
  at.products = next(0.27f);
  at.memory = next(0.2f);
  at.width = next(0.33f);
  const float top = pos.y + above + gap, below = size.y - above - gap, half = size.x - 2 * gap;
  const float chart = std::floor(0.3f * half);
  at.before = {{pos.x, top}, {chart, below}};
  at.after = {{pos.x + chart + gap, top}, {chart, below}};
  at.extremes = {{pos.x + 2 * (chart + gap), top}, {half - 2 * chart, below}};
  return at;
}

}  // namespace hydra
