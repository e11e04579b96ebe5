#include "app/views/stream/circuit_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/widgets/arrange.h"
#include "app/widgets/plot/label_steps.h"

namespace hydra {

namespace {

void lay_out_graph(const CircuitInput& in, float width, CircuitLayout& at) {
  const float u = in.unit, top = in.pos.y + in.text + 2 * u, numbers = 2 * in.small + u, key = in.small + 2 * u;
  const float height = std::max(1.0f, in.bottom() - key - top);
  at.graph_title = {in.pos, {width, in.text}};
  at.numbers = {{in.pos.x, top}, {numbers, height}};
  at.graph = {{in.pos.x + numbers, top}, {width - numbers, height}};
  at.key = {{at.graph.pos.x, at.graph.bottom() + 1.5f * u}, {at.graph.size.x, in.small}};
  const auto steps = static_cast<float>(std::max(1, in.layers - 1));
  at.margin = std::min(in.small + u, 0.5f * height / (steps + 1));
  at.step = (height - 2 * at.margin) / steps;
  const float across = at.graph.size.x / static_cast<float>(in.heads);
  at.node = {std::clamp(0.6f * across, 1.5f, 2.4f * in.small), std::clamp(0.35f * at.step, 2.0f, 1.5f * in.small)};
  if (at.node.y < in.small) at.node.x = std::min(at.node.x, 3 * at.node.y);  // no number stands in it
}

// The list takes what a few lines need, the product a square of what is left.
constexpr float kLeastCell = 4;  // small ones have few names
void lay_out_lines(const CircuitInput& in, const Box& box, CircuitLayout& at) {
  const float u = in.unit, title = in.text + 2 * u, width = box.size.x;
  at.line = in.small + 1.5f * u;
  const auto fit = static_cast<int>((0.32f * in.size.y - title) / at.line);
  at.listed = std::clamp(std::min(fit, in.lines), 0, 8);
  const float rows = static_cast<float>(std::max(1, at.listed)) * at.line;
  std::tie(at.list_title, at.list, at.product_title, at.product_words) = column(
      box, 0, {fixed(in.text).then(2 * u), fixed(rows).then(2 * u), fixed(in.text).then(u), fixed(2 * (in.small + u))});
  const float corner = at.product_words.bottom() + u, label = std::min(in.column + 2 * u, 0.25f * width);
  const bool part = in.rows > 0;
  at.row_labels = label;
  at.column_labels =
      part ? std::min(in.column * kLabelSine + in.small, 0.3f * in.size.y) : std::min(label, 0.2f * in.size.y);
  const float legend = in.small + 2.5f * u;
  const ImVec2 room{width - label, in.bottom() - corner - at.column_labels - legend};
  if (part) {  // beside it stands what is left out
    const auto high = static_cast<float>(in.rows), wide = static_cast<float>(in.cols);
    const float cell = std::floor(std::min({(room.x - 12 * in.small) / wide, room.y / high, 4 * in.text}));
    if (cell >= kLeastCell) at.product_size = {cell * wide, cell * high};
    at.side = std::max(at.product_size.x, at.product_size.y);
  } else {
    const float square = std::min(room.x, room.y);
    at.side = square >= 5 * in.text ? std::floor(std::min(square, 40 * in.text)) : 0;
    at.product_size = {at.side, at.side};
  }
  at.product = {std::round(box.pos.x + label), std::round(corner + at.column_labels)};
}

}  // namespace

CircuitLayout circuit_layout(const CircuitInput& in) {
  CircuitLayout at;
  const float gap = 5 * in.unit;
  const auto [left, right] = row(in, gap, {fixed(std::floor(0.54f * (in.size.x - gap))), share(1)});
  lay_out_graph(in, left.size.x, at);
  lay_out_lines(in, right, at);
  return at;
}

ImVec2 head_middle(const CircuitLayout& at, int layer, int head, int heads) {
  return {at.graph.pos.x + (static_cast<float>(head) + 0.5f) * at.graph.size.x / static_cast<float>(heads),
          at.graph.bottom() - at.margin - static_cast<float>(layer) * at.step};
}

namespace {

// From one place to a higher one, upright at both.
void rise(std::vector<ImVec2>& points, ImVec2 from, ImVec2 to, int pieces) {
  const float up = 0.45f * (from.y - to.y);
  for (int k = 0; k <= pieces; ++k) {
    const float t = static_cast<float>(k) / static_cast<float>(pieces), s = 1 - t;
    const float a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
    points.emplace_back((a + b) * from.x + (c + d) * to.x, a * from.y + b * (from.y - up) + c * (to.y + up) + d * to.y);
  }
}

}  // namespace

std::vector<ImVec2> circuit_curve(const CircuitLayout& at, std::span<const int> heads, CircuitHead from, CircuitHead to,
                                  float port) {
  const auto in_layer = [&](int layer) { return heads[static_cast<std::size_t>(layer)]; };
  const ImVec2 low = head_middle(at, from.layer, from.head, in_layer(from.layer)),
               high = head_middle(at, to.layer, to.head, in_layer(to.layer));
  const ImVec2 a{low.x, low.y - 0.5f * at.node.y}, b{high.x + port, high.y + 0.5f * at.node.y};
  std::vector<ImVec2> points;
  if (to.layer - from.layer == 1) {
    rise(points, a, b, 24);
    return points;
  }
  // Through the layers between it goes upright where no head of theirs is, as near as that is to its way.
  std::vector<int> counts;  // of heads, that differ
  for (int layer = from.layer + 1; layer < to.layer; ++layer)
    if (std::ranges::find(counts, in_layer(layer)) == counts.end()) counts.push_back(in_layer(layer));
  const auto room_at = [&](float x) {
    float least = 0.25f * at.node.x;  // more is not better
    for (const int count : counts) {
      const float across = at.graph.size.x / static_cast<float>(count);
      const int head = std::clamp(static_cast<int>((x - at.graph.pos.x) / across), 0, count - 1);
      least = std::min(least, std::abs(x - head_middle(at, 0, head, count).x) - 0.5f * at.node.x);
    }
    return least;
  };
  const auto off = [&](float x) { return std::abs(x - a.x) + std::abs(x - b.x); };
  float room = -std::numeric_limits<float>::infinity(), through = a.x;
  for (const int count : counts)
    for (int head = 0; head < count; ++head) {
      const float across = at.graph.size.x / static_cast<float>(count);
      const float beside = std::min(0.5f * across, 1.2f * at.node.x);  // a wide gap is passed near to a head
      for (const float x : {head_middle(at, 0, head, count).x - beside, head_middle(at, 0, head, count).x + beside}) {
        const float there = room_at(x);
        if (there < room || (there == room && off(x) >= off(through))) continue;
        room = there, through = x;
      }
    }
  const float aside = 0.3f * port, beyond = 0.5f * at.node.y + 0.15f * (at.step - at.node.y);
  const float above = head_middle(at, from.layer + 1, 0, 1).y + beyond;
  const float below = head_middle(at, to.layer - 1, 0, 1).y - beyond;
  rise(points, a, {through + aside, above}, 12);
  rise(points, {through + aside, below}, b, 12);
  return points;
}

float height_of(const CircuitInput& in) {
  return least_height(in, [](const CircuitInput& one) {
    const CircuitLayout at = circuit_layout(one);
    return std::array{std::min(at.node.y, one.small), static_cast<float>(at.listed), std::min(at.side, 1.0f)};
  });
}

}  // namespace hydra
