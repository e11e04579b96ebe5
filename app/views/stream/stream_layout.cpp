#include "app/views/stream/stream_layout.h"

#include <algorithm>
#include <cmath>

#include "app/widgets/arrange.h"

namespace hydra {

namespace {

// Of what names the rows left of the grid.
float numbers_width(const StreamInput& in) { return (in.next_word > 0 ? 2.6f : 2.0f) * in.small + in.unit; }

// What the grid takes of the width: as much as its cells need to be read, and no more than leaves the lines theirs.
float grid_width(const StreamInput& in, float numbers) {
  const float wanted = numbers + static_cast<float>(in.tokens) * 3.5f * in.small;
  return std::floor(std::clamp(wanted, 0.28f * in.size.x, 0.44f * in.size.x));
}

void lay_out_grid(const StreamInput& in, float width, StreamLayout& at) {
  const float u = in.unit, title = in.text + 2 * u, numbers = numbers_width(in);
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
  if (in.next_word > 0)
    at.next = std::floor(std::min({0.75f * in.next_word + 3 * in.small, 7 * in.small, 0.3f * height}));
  const float room_down = height - at.words - at.next, both = room_down / (layers + 0.4f);
  if (both >= 1.5f * in.small) {
    at.cell.y = std::min(std::floor(both), 48 * in.small);
    at.strip = std::floor(std::clamp(0.3f * at.cell.y, std::min(1.15f * in.small, 0.4f * at.cell.y), 1.7f * in.small));
  } else {
    const float strips = std::max(1.0f, room_down / (layers + 1));
    at.strip = at.cell.y = strips >= 4 ? std::floor(strips) : strips;
  }
  height = std::min(height, at.words + at.next + layers * at.cell.y + at.strip);
  at.numbers = {{in.pos.x, top}, {numbers, height}};
  at.grid = {{in.pos.x + numbers, top}, {room, height + (scrolls ? in.scrollbar : 0)}};
  at.legends = {{in.pos.x, at.grid.bottom() + 1.5f * u}, {width, legend - 1.5f * u}};
}

// How the lines of the ladder are told: names and pictures always; of the numbers as many as fit, sizes first, which
// are wider, for the bar before them.
struct LineParts {
  float name = 0, size = 0, number = 0;
  int numbers = 0;      // the size; the cosine; the share
  float rest = 0;       // for the picture, and for words beside it
  bool beside = false;  // words stand beside the picture, else under it
  float under = 0;      // the room for them there

  void leave_one_out(float gap) { rest += gap + (--numbers == 0 ? size : number); }
};

float least_line(const StreamInput& in) { return in.small + 1.5f * in.unit; }

// Beside the picture words are read more easily. Where that takes the room of numbers, they stand there only when the
// lines would not fit with words under pictures.
LineParts parts_of_lines(const StreamInput& in, ImVec2 size) {
  const float gap = 2 * in.unit, least = 8 * in.small;  // of the picture
  LineParts parts;
  parts.name = std::min(in.name, 0.4f * size.x);
  parts.number = in.number;
  parts.size = 2 * in.number;
  parts.numbers = 3;
  parts.rest = size.x - parts.name - parts.size - 2 * parts.number - 4 * gap;
  while (parts.numbers > 0 && parts.rest < least) parts.leave_one_out(gap);
  if (!in.features) return parts;
  parts.beside = parts.rest >= 44 * in.small;
  parts.under = in.small + 1.25f * in.unit;
  if (!parts.beside && static_cast<float>(in.lines) * (least_line(in) + parts.under) > size.y) {
    LineParts fewer = parts;
    while (fewer.numbers > 1 && fewer.rest < 20 * in.small) fewer.leave_one_out(gap);
    fewer.beside = fewer.rest >= 20 * in.small;
    if (fewer.beside) parts = fewer;
  }
  if (parts.beside) parts.under = 0;
  return parts;
}

// As high as the room allows; where they scroll, whole lines.
void lay_out_lines(const StreamInput& in, const LineParts& parts, StreamLayout& at) {
  const float least = least_line(in) + parts.under;
  const float fair = at.ladder.size.y / static_cast<float>(std::max(1, in.lines));
  at.line = std::floor(std::clamp(fair, least, 6 * in.small + parts.under));
  if (fair < least) at.ladder.size.y = std::max(1.0f, std::floor(at.ladder.size.y / at.line)) * at.line;
}

// Words under a picture are nearer to it than to the next line.
void lay_out_columns(const StreamInput& in, const LineParts& parts, StreamLayout& at) {
  const float gap = 2 * in.unit, high = at.line - parts.under;
  const float picture = parts.beside ? std::floor(0.42f * parts.rest) : parts.rest;
  const auto number = [&](int least, float width) { return fixed(parts.numbers > least ? width : 0); };
  std::tie(at.name, at.picture, at.size, at.share, at.cosine, at.features) =
      row({{0, 0}, {0, high}}, gap,
          {fixed(parts.name), fixed(picture), number(0, parts.size), number(2, parts.number), number(1, parts.number),
           fixed(parts.beside ? parts.rest - picture - gap : 0)});
  if (parts.under > 0)
    at.features = {{at.picture.pos.x, high}, {at.ladder.size.x - in.scrollbar - at.picture.pos.x, in.small}};
}

}  // namespace

StreamLayout stream_layout(const StreamInput& in) {
  StreamLayout at;
  const float u = in.unit;
  const auto [left, right] = row(in, 5 * u, {fixed(grid_width(in, numbers_width(in))), share(1)});
  lay_out_grid(in, left.size.x, at);
  std::tie(at.ladder_title, at.head, at.ladder) =
      column(right, 0, {fixed(in.text).then(1.5f * u), fixed(in.small).then(u), share(1)});
  const LineParts parts = parts_of_lines(in, {right.size.x - in.scrollbar, at.ladder.size.y});
  lay_out_lines(in, parts, at);
  lay_out_columns(in, parts, at);
  return at;
}

Box next_box(const StreamLayout& at, int token) {
  return {{static_cast<float>(token) * at.cell.x, at.words}, {at.cell.x, at.next}};
}

Box next_strip_box(const StreamLayout& at, int token) {
  const Box whole = next_box(at, token);
  const float gap = std::floor(0.08f * at.next), high = std::floor(0.25f * at.next);
  return {{whole.pos.x, whole.bottom() - gap - high}, {at.cell.x, high}};
}

Box strip_box(const StreamLayout& at, int layers, int layer, int token) {
  return {{static_cast<float>(token) * at.cell.x, at.words + at.next + static_cast<float>(layers - layer) * at.cell.y},
          {at.cell.x, at.strip}};
}

Box bars_box(const StreamLayout& at, int layers, int layer, int token) {
  const Box strip = strip_box(at, layers, layer, token);
  return {{strip.pos.x, strip.bottom()}, {at.cell.x, at.cell.y - at.strip}};
}

float height_of(const StreamInput& in) {
  return least_height(in, [](const StreamInput& one) {
    const StreamLayout at = stream_layout(one);
    const float lines = at.line * static_cast<float>(one.lines);
    return std::array{static_cast<float>(lines <= at.ladder.size.y + 0.5f), at.words, at.next,
                      static_cast<float>(at.cell.y > at.strip)};
  });
}

}  // namespace hydra
