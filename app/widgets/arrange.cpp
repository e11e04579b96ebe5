#include "app/widgets/arrange.h"

#include <algorithm>
#include <cmath>

namespace hydra {

namespace {

using Along = float ImVec2::*;

float positive(float size) { return size > 0 ? size : 0; }
bool is_left_out(const Length& part) { return !(part.most > 0); }
bool is_shared(const Length& part) { return part.parts > 0 && part.most > positive(part.least); }
float within(const Length& part, float size) {
  const float least = positive(part.least);
  return std::clamp(size, least, std::max(least, part.most));
}

// Where shares go beyond their bounds, those have them that are below their least, or those that are above their most,
// whichever is more in all; the others share what that leaves, until nobody goes beyond.
void divide(float room, std::span<const Length> parts, std::span<Box> boxes, Along along) {
  constexpr float kUnknown = -1;
  const auto size = [&](std::size_t k) -> float& { return boxes[k].size.*along; };
  for (std::size_t k = 0; k < parts.size(); ++k)
    size(k) = is_left_out(parts[k]) ? 0 : is_shared(parts[k]) ? kUnknown : within(parts[k], 0);
  for (float beyond = 1; beyond != 0;) {
    float left = room, total = 0;
    for (std::size_t k = 0; k < parts.size(); ++k) size(k) < 0 ? total += parts[k].parts : left -= size(k);
    const auto shared = [&](std::size_t k) { return positive(left) * parts[k].parts / total; };
    const auto excess = [&](std::size_t k) { return within(parts[k], shared(k)) - shared(k); };
    beyond = 0;
    for (std::size_t k = 0; k < parts.size(); ++k)
      if (size(k) < 0) beyond += excess(k);
    for (std::size_t k = 0; k < parts.size(); ++k)
      if (size(k) < 0 && (beyond == 0 || excess(k) * beyond > 0)) size(k) = within(parts[k], shared(k));
  }
}

void place(const Box& box, float gap, std::span<const Length> parts, std::span<Box> boxes, Along along) {
  const ImVec2 room{positive(box.size.x), positive(box.size.y)};
  float left = room.*along + gap;
  for (const Length& part : parts)
    if (!is_left_out(part)) left -= gap + part.after;
  for (Box& each : boxes) each = {box.pos, room};
  divide(left, parts, boxes, along);
  float at = box.pos.*along;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    boxes[k].pos.*along = at;
    if (!is_left_out(parts[k])) at += boxes[k].size.*along + parts[k].after + gap;
  }
}

}  // namespace

void place_row(const Box& box, float gap, std::span<const Length> parts, std::span<Box> boxes) {
  place(box, gap, parts, boxes, &ImVec2::x);
}
void place_column(const Box& box, float gap, std::span<const Length> parts, std::span<Box> boxes) {
  place(box, gap, parts, boxes, &ImVec2::y);
}

Grid grid(ImVec2 room, int count, float gap, float least_side) {
  Grid best{0, 1, gap};
  for (int columns = 1; columns <= count; ++columns) {
    const int rows = (count + columns - 1) / columns;
    const float side = std::min((room.x + gap) / real(columns) - gap, (room.y + gap) / real(rows) - gap);
    if (side > best.side) best = {side, columns, gap};
  }
  best.side = std::floor(best.side);
  if (best.side >= least_side) return best;
  const float fit = (room.x + gap) / std::max(1.0f, least_side + gap);
  return {least_side, static_cast<int>(std::clamp(fit, 1.0f, real(std::max(1, count)))), gap};
}

}  // namespace hydra
