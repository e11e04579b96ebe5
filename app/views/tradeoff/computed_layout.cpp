#include "app/views/tradeoff/computed_layout.h"

#include <algorithm>
#include <cmath>

namespace hydra {

TimingLayout timing_layout(ImVec2 pos, ImVec2 size, float text, float unit, float key) {
  const float gap = 4 * unit, bar = std::round(2.2f * text), top = bar + (key > 0 ? key + 2 * unit : 0);
  const bool below = size.x < 42 * text;
  const float words = below ? size.x : std::clamp(0.33f * size.x, 15 * text, 30 * text);
  const float least = below ? 18 * text : 9 * text;
  const float row = std::floor(std::max(least, 0.5f * (size.y - top - gap)));
  const float under = below ? std::floor(0.4f * row) : 0;
  const float chart = std::floor(below ? 0.5f * (size.x - gap) : 0.5f * (size.x - words - 2.5f * gap));
  TimingLayout at;
  at.bar = {pos, {size.x, bar}};
  at.key = {{pos.x, pos.y + bar}, {size.x, key}};
  const auto place = [&](float y, TradeoffArea& first, TradeoffArea& second, TradeoffArea& text_area) {
    first = {{pos.x, y}, {chart, row - under}};
    second = {{pos.x + chart + gap, y}, {chart, row - under}};
    text_area = below ? TradeoffArea{{pos.x, y + row - under}, {words, under}}
                      : TradeoffArea{{pos.x + size.x - words, y}, {words, row}};
  };
  place(pos.y + top, at.time, at.memory, at.words);
  place(pos.y + top + row + gap, at.step_time, at.step_memory, at.step_words);
  at.bottom = pos.y + top + 2 * row + gap;
  return at;
}

TilesLayout tiles_layout(const TilesInput& in) {
  const float gap = 5 * in.unit, n = static_cast<float>(std::max(1, in.tokens));
  const float beside = std::min(in.labels, 7 * in.text) + 2 * in.unit,
              over = std::min(4.2f * in.text, 0.16f * in.size.y);
  const float bars = std::clamp(0.16f * in.size.y, 3.2f * in.text, 7 * in.text);  // at least
  const float right = std::clamp(0.45f * in.size.x, std::min(22 * in.text, 0.58f * in.size.x), 44 * in.text);
  const float caption = 1.8f * in.text, bottom = in.pos.y + in.size.y - caption;
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
  at.bars = {{at.grid.x, top}, {side, std::max(1.0f, std::min(bottom - top, std::max(bars, 0.7f * side)))}};
  // The first token's name reaches beyond the grid, turned; so does the last one's.
  const float x = at.grid.x + side + in.text + gap, width = std::min(in.pos.x + in.size.x - x, 52 * in.text);
  at.scale = in.size.y >= 26 * in.text && width < 40 * in.text;  // in wide rooms it stands beside the notes
  const float lines = static_cast<float>(in.notes - 1) + (at.scale ? 1.0f : 0.0f);
  const float controls = std::round((6.3f + 1.15f * lines) * in.text);
  at.controls = {{x, in.pos.y}, {width, controls}};
  at.numbers = {{x, in.pos.y + controls + gap}, {width, in.size.y - controls - gap}};
  return at;
}

}  // namespace hydra
