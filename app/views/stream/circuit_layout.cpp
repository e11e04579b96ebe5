#include "app/views/stream/circuit_layout.h"

#include <algorithm>
#include <cmath>

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

float height_of(const CircuitInput& in) {
  return least_height(in, [](const CircuitInput& one) {
    const CircuitLayout at = circuit_layout(one);
    return std::array{std::min(at.node.y, one.small), static_cast<float>(at.listed), std::min(at.side, 1.0f)};
  });
}

}  // namespace hydra
