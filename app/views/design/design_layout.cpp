#include "app/views/design/design_layout.h"

#include <algorithm>
#include <cmath>

namespace hydra {

namespace {

constexpr float kLeastRow = 0.84f;               // of a row, in heights of its name
constexpr float kLeastToken = 0.55f;             // of a row of the pattern, whose names shrink
constexpr float kSine = 0.82f, kCosine = 0.57f;  // of the turned labels, see token_axis

// A square with names at its left and turned names above it, as large as it fits. whole: with a line under its title,
// and a legend.
FormPlace place(const DesignInput& in, ImVec2 pos, ImVec2 size, float longest, bool whole) {
  FormPlace out;
  const float title = in.text + (whole ? in.small + 3 * in.unit : in.unit), legend = whole ? in.small + 4 * in.unit : 0;
  out.row_labels = std::min(longest, 0.24f * size.x) + 2 * in.unit;
  out.column_labels = std::min(longest * kSine + in.text, 0.24f * size.y);
  const float lean = std::min(longest, out.column_labels / kSine) * kCosine;
  out.title = pos;
  out.corner = {std::round(pos.x + out.row_labels), std::round(pos.y + title + out.column_labels)};
  out.side = std::max(
      1.0f, std::floor(std::min(size.x - out.row_labels - 0.5f * lean, size.y - title - out.column_labels - legend)));
  return out;
}

}  // namespace

DesignLayout design_layout(const DesignInput& in) {
  DesignLayout out;
  const float gap = 5 * in.unit;
  const float width = std::clamp(0.3f * in.size.x, 17 * in.text, 24 * in.text);
  out.designer = in.pos;
  out.designer_size = {std::min(width, in.size.x), in.size.y};
  const float longest = in.longest;
  const float x = in.pos.x + out.designer_size.x + gap, room = in.pos.x + in.size.x - x;
  out.both = room > 52 * in.text;
  // The forms come first; the pattern takes what they leave, below them or beside.
  const float wide = out.both ? 0.5f * (room - gap) : room, least = 6.5f * in.text;
  const float names = std::min(longest * kSine + in.text, 0.24f * in.size.y) + in.text + 2 * in.small + 7 * in.unit;
  // Every column's name should fit beside its row, and the pattern still be seen.
  const float wanted = names + kLeastRow * in.small * static_cast<float>(in.columns);
  // Of many tokens as much as their labels need where it can be had; the names of the forms shrink before.
  const float of_pattern = std::min(in.longest_token * kSine + in.text, 0.24f * in.size.y) + in.text + 2 * in.small +
                           7 * in.unit + kLeastToken * in.small * static_cast<float>(in.tokens);
  const float most = std::max(12 * in.text, std::min(0.5f * in.size.y, in.size.y - names - 18 * in.text));
  const float below = std::clamp(in.size.y - wanted - gap, std::clamp(of_pattern, 12 * in.text, most), most);
  const bool stacked = in.size.y - below >= names + 18 * in.text;
  const ImVec2 each{wide, stacked ? in.size.y - below - gap : in.size.y};
  out.forms[0] = place(in, {x, in.pos.y}, each, longest, true);
  if (out.both) out.forms[1] = place(in, {x + wide + gap, in.pos.y}, each, longest, true);
  const FormPlace& last = out.forms[out.both ? 1 : 0];
  ImVec2 rest{x, in.pos.y + in.size.y - below}, rest_size{room, below};
  if (!stacked) {
    const float lean = in.longest * kCosine;
    rest = {last.corner.x + last.side + lean, in.pos.y};
    rest_size = {x + room - rest.x, in.size.y};
  }
  out.legend_of_pattern = out.both || below > 22 * in.text;
  out.pattern = place(in, rest, rest_size, in.longest_token, out.legend_of_pattern);
  out.pattern.side = std::min(out.pattern.side, 2.2f * in.text * static_cast<float>(in.tokens));
  if (out.pattern.side < least) out.pattern.side = 0;
  return out;
}

}  // namespace hydra
