#include "app/views/stream/stream_layout.h"

#include <algorithm>
#include <cmath>

namespace hydra {

namespace {

// What the grid takes of the width: as much as its cells need to be read, and no more than leaves the lines theirs.
float grid_width(const StreamInput& in, float numbers) {
  const float wanted = numbers + static_cast<float>(in.tokens) * 3.5f * in.small;
  return std::floor(std::clamp(wanted, 0.28f * in.size.x, 0.44f * in.size.x));
}

void lay_out_grid(const StreamInput& in, float width, StreamLayout& at) {
  const float u = in.unit, title = in.text + 2 * u, numbers = 2 * in.small + u;
  at.grid_title = {in.pos, {width, in.text}};
  const float legend = 2 * in.small + 2.5f * u, top = in.pos.y + title;
  float height = in.size.y - title - legend;
  const float room = width - numbers, tokens = static_cast<float>(in.tokens), layers = static_cast<float>(in.layers);
  at.cell.x = std::min(std::max(std::floor(room / tokens), std::ceil(1.1f * in.small)), 6 * in.small);
  at.content = tokens * at.cell.x;
  const bool scrolls = at.content > room + 0.5f;
  if (scrolls) height -= in.scrollbar;
  at.words = std::floor(std::min({0.75f * in.word + in.small, 5.5f * in.small, 0.3f * height}));
  // A strip for X, and for each layer what it adds under what leaves; of many layers there is room for strips alone.
  const float room_down = height - at.words, both = room_down / (layers + 0.4f);
  if (both >= 1.5f * in.small) {
    at.cell.y = std::min(std::floor(both), 18 * in.small);
    at.strip = std::min(std::floor(0.4f * at.cell.y), std::floor(1.7f * in.small));
  } else {
    const float strips = std::max(1.0f, room_down / (layers + 1));
    at.strip = at.cell.y = strips >= 4 ? std::floor(strips) : strips;
  }
  height = std::min(height, at.words + layers * at.cell.y + at.strip);
  at.numbers = {{in.pos.x, top}, {numbers, height}};
  at.grid = {{in.pos.x + numbers, top}, {room, height + (scrolls ? in.scrollbar : 0)}};
  at.legends = {{in.pos.x, at.grid.bottom() + 1.5f * u}, {width, legend - 1.5f * u}};
}

// Names and pictures always; of the numbers as many as fit, sizes first; words where there are some and room for them.
void lay_out_columns(const StreamInput& in, StreamLayout& at) {
  const float gap = 2 * in.unit, width = at.ladder.size.x - in.scrollbar;
  float x = 0;
  const auto column = [&](float wide) {
    const Box box{{x, 0}, {std::max(0.0f, wide), at.line}};
    if (wide > 0) x += wide + gap;
    return box;
  };
  const float name = std::min(in.name, 0.4f * width), number = in.number;
  float rest = width - name - gap;
  const float least = 8 * in.small;  // for the picture
  int numbers = 0;
  while (numbers < 3 && rest - number - gap >= least) ++numbers, rest -= number + gap;
  const float under = in.features && at.line >= 2.2f * in.small ? in.small + 0.5f * in.unit : 0;
  const bool words = in.features && under == 0 && rest >= 24 * in.small;
  const float picture = words ? std::floor(0.45f * rest) : rest;
  at.name = column(name);
  at.picture = column(picture);
  at.size = column(numbers > 0 ? number : 0);
  at.share = column(numbers > 1 ? number : 0);
  at.cosine = column(numbers > 2 ? number : 0);
  at.features = column(words ? rest - picture - gap : 0);
  if (under == 0) return;
  for (Box* box : {&at.name, &at.picture, &at.size, &at.share, &at.cosine}) box->size.y = at.line - under;
  at.features = {{at.picture.pos.x, at.line - under}, {width - at.picture.pos.x, under}};
}

}  // namespace

StreamLayout stream_layout(const StreamInput& in) {
  StreamLayout at;
  const float u = in.unit, numbers = 2 * in.small + u, left = grid_width(in, numbers), apart = 5 * u;
  lay_out_grid(in, left, at);
  const float x = in.pos.x + left + apart, width = in.size.x - left - apart;
  at.ladder_title = {{x, in.pos.y}, {width, in.text}};
  at.head = {{x, at.ladder_title.bottom() + 1.5f * u}, {width, in.small}};
  const float top = at.head.bottom() + u;
  at.ladder = {{x, top}, {width, in.pos.y + in.size.y - top}};
  const float least = in.small + 1.5f * u, fair = at.ladder.size.y / static_cast<float>(std::max(1, in.lines));
  at.line = std::floor(std::clamp(fair, least, 3 * in.small));
  lay_out_columns(in, at);
  return at;
}

Box strip_box(const StreamLayout& at, int layers, int layer, int token) {
  return {{static_cast<float>(token) * at.cell.x, at.words + static_cast<float>(layers - layer) * at.cell.y},
          {at.cell.x, at.strip}};
}

Box bars_box(const StreamLayout& at, int layers, int layer, int token) {
  const Box strip = strip_box(at, layers, layer, token);
  return {{strip.pos.x, strip.bottom()}, {at.cell.x, at.cell.y - at.strip}};
}

}  // namespace hydra
