#include "app/views/design/design_layout.h"

#include <algorithm>
#include <cmath>

#include "app/draw/nth.h"
#include "app/widgets/label_steps.h"

namespace hydra {

namespace {

// What stands in a square: so many rows, the longest of their names, a line under the title, a legend.
struct Content {
  int rows = 1;
  float longest = 0;
  bool line = false, legend = false;
  bool whole = false;  // the names do not shrink
};

// With names at its left and turned names above it, as large as it fits. The names shrink with the rows, and make room.
FormPlace place(const DesignInput& in, ImVec2 pos, ImVec2 size, const Content& of) {
  FormPlace out;
  const float title = in.text + (of.line ? in.small + in.unit : in.unit), under = in.small + 4 * in.unit;
  const float beside = 17 * in.small;  // the line under the title
  const bool in_line = of.line && size.x - beside >= 9 * in.small;
  const float legend = of.legend && !in_line ? under : 0, least = std::min(kLeastLabel, in.small);
  for (float label = in.small;; label = std::max(least, label - 0.5f)) {
    const float longest = of.longest * label / in.small;
    out.row_labels = std::min(longest, 0.3f * size.x) + 2 * in.unit;
    out.column_labels = std::min(longest * kLabelSine + label + 0.5f * in.unit, 0.3f * size.y);
    const float lean = std::min(longest, out.column_labels / kLabelSine) * kLabelCosine;
    out.side = std::max(
        1.0f, std::floor(std::min(size.x - out.row_labels - 0.5f * lean, size.y - title - out.column_labels - legend)));
    if (of.whole || label <= least || out.side / real(of.rows) >= label * kColumnStep / kLabelSine) break;
  }
  out.title = pos;
  out.width = size.x;
  out.corner = {std::round(pos.x + out.row_labels), std::round(pos.y + title + out.column_labels)};
  if (!of.legend) return out;
  out.legend = {out.corner.x, out.corner.y + out.side + 2 * in.unit};
  out.legend_width = std::min(out.side, 22 * in.small);
  if (!in_line) return out;
  out.legend = {pos.x + beside, pos.y + in.text + in.unit};
  out.legend_width = std::min(size.x - beside, 16 * in.small);
  return out;
}

// From 0 to 1: how much of what a row's name needs it has; and whether it has a name at all.
float read(const FormPlace& at, int rows, float wanted, bool whole = false) {
  if (whole) return 2;
  const float row = at.side / real(rows);
  return std::min(1.0f, row / wanted) + (row >= kLeastStep ? 1 : 0);
}

struct Split {
  bool below = true;   // the pattern
  float share = 0.5f;  // of the room for the forms
};

void arrange(const DesignInput& in, ImVec2 pos, ImVec2 room, const Split& split, DesignLayout& out) {
  const float gap = (out.both ? 5 : 2) * in.unit, forms = out.both ? 2.0f : 1.0f;
  const float high = split.below ? split.share * (room.y - gap) : room.y;
  const float wide = split.below ? room.x : split.share * (room.x - gap);
  const float each = (wide - (forms - 1) * gap) / forms;
  const Content form{in.columns, in.longest, true, true, in.whole};
  out.forms[0] = place(in, pos, {each, high}, form);
  if (out.both) out.forms[1] = place(in, {pos.x + each + gap, pos.y}, {each, high}, form);
  const ImVec2 at = split.below ? ImVec2{pos.x, pos.y + high + gap} : ImVec2{pos.x + wide + gap, pos.y};
  const ImVec2 rest{pos.x + room.x - at.x, pos.y + room.y - at.y};
  out.pattern = place(in, at, rest, {in.tokens, in.longest_token, false, out.both || rest.y > 26 * in.text});
  out.pattern.side = std::min(out.pattern.side, 2.2f * in.text * real(in.tokens));
  if (out.pattern.legend_width > 0) {
    out.pattern.legend.y = out.pattern.corner.y + out.pattern.side + 2 * in.unit;
    out.pattern.legend_width = std::min(out.pattern.side, 22 * in.small);
  }
}

float designer_width(const DesignInput& in) {
  return std::min(std::clamp(0.3f * in.size.x, 17 * in.text, 24 * in.text), in.size.x);
}
Box beside_designer(const DesignInput& in) {
  const float left = in.pos.x + designer_width(in) + 5 * in.unit;
  return {{left, in.pos.y}, {in.right() - left, in.size.y}};
}

}  // namespace

bool both_forms_fit(const DesignInput& in) { return in.columns > 0 && beside_designer(in).size.x > 52 * in.text; }

DesignLayout design_layout(const DesignInput& in) {
  DesignLayout out;
  out.designer = in.pos;
  out.designer_size = {designer_width(in), in.size.y};
  const auto [pos, room] = beside_designer(in);
  if (in.columns == 0) {
    out.both = false;
    const ImVec2 below{pos.x, pos.y + in.instead};
    out.forms[0].title = pos, out.forms[0].width = room.x;
    out.pattern = place(in, below, {room.x, in.right() > 0 ? room.y - in.instead : 0},
                        {in.tokens, in.longest_token, false, true});
    out.pattern.side = std::min(out.pattern.side, 2.2f * in.text * real(in.tokens));
    out.pattern.legend_width = std::min(out.pattern.side, 22 * in.small);
    out.pattern.legend.y = out.pattern.corner.y + out.pattern.side + 2 * in.unit;
    return out;
  }
  out.both = both_forms_fit(in);
  // Both are read, the forms first, and then large.
  const auto worth = [&](const DesignLayout& at) {
    return 1.5f * read(at.forms[0], in.columns, in.small, in.whole) + read(at.pattern, in.tokens, in.small) +
           0.5f * ((in.whole ? 2 : 1) * at.forms[0].side + at.pattern.side) / in.size.y +
           (at.pattern.side < 6.5f * in.text ? -1 : 0);
  };
  float best = -1e9f;
  DesignLayout tried = out;
  for (const bool below : {true, false})
    for (float share = 0.35f; share <= 0.76f; share += 0.0025f) {
      arrange(in, pos, room, {below, share}, tried);
      const float value = worth(tried);
      if (value <= best) continue;
      best = value;
      out = tried;
    }
  if (out.pattern.side < 6.5f * in.text) {
    arrange(in, pos, room, {true, 1.0f}, out);
    out.pattern.side = 0;
  }
  return out;
}

}  // namespace hydra
