#include "app/views/design_layout.h"

#include <algorithm>
#include <cmath>

namespace hydra {

namespace {

constexpr float kSine = 0.82f, kCosine = 0.57f;  // of the turned labels, see token_axis

FormPlace place(const DesignInput& in, ImVec2 pos, ImVec2 size) {
  FormPlace out;
  const float title = in.text + in.small + 3 * in.unit, legend = in.small + 4 * in.unit;
  out.row_labels = std::min(in.longest, 0.24f * size.x) + 2 * in.unit;
  out.column_labels = std::min(in.longest * kSine + in.text, 0.24f * size.y);
  const float lean = std::min(in.longest, out.column_labels / kSine) * kCosine;
  out.title = pos;
  out.corner = {std::round(pos.x + out.row_labels), std::round(pos.y + title + out.column_labels)};
  out.side = std::max(1.0f, std::floor(std::min(size.x - out.row_labels - 0.5f * lean,
                                                size.y - title - out.column_labels - legend)));
  return out;
}

}  // namespace

DesignLayout design_layout(const DesignInput& in) {
  DesignLayout out;
  const float gap = 5 * in.unit;
  const float width = std::clamp(0.3f * in.size.x, 17 * in.text, 24 * in.text);
  out.designer = in.pos;
  out.designer_size = {std::min(width, in.size.x), in.size.y};
  const float x = in.pos.x + out.designer_size.x + gap, room = in.pos.x + in.size.x - x;
  out.both = room > 52 * in.text;
  const ImVec2 each{out.both ? 0.5f * (room - gap) : room, in.size.y};
  out.forms[0] = place(in, {x, in.pos.y}, each);
  if (out.both) out.forms[1] = place(in, {x + each.x + gap, in.pos.y}, each);
  return out;
}

}  // namespace hydra
