#include "app/views/design/design_layout.h"

#include <algorithm>
#include <cmath>

#include "app/draw/nth.h"
#include "app/widgets/arrange.h"
#include "app/widgets/plot/label_steps.h"

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
FormPlace place(const DesignInput& in, const Box& box, const Content& of) {
  FormPlace out;
  const auto& [pos, size] = box;
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

// Few tokens need not fill it.
FormPlace place_pattern(const DesignInput& in, const Box& box, bool legend) {
  FormPlace out = place(in, box, {in.tokens, in.longest_token, false, legend});
  out.side = std::min(out.side, 2.2f * in.text * real(in.tokens));
  if (!legend) return out;
  out.legend.y = out.corner.y + out.side + 2 * in.unit;
  out.legend_width = std::min(out.side, 22 * in.small);
  return out;
}

// From 0 to 1: how much of what a row's name needs it has; and whether it has a name at all.
float read(const FormPlace& at, int rows, float wanted, bool whole = false) {
  if (whole) return 2;
  const float row = at.side / real(rows);
  return std::min(1.0f, row / wanted) + (row >= kLeastStep ? 1 : 0);
}

// The forms take that part of the room, and the pattern stands below or beside.
void arrange(const DesignInput& in, const Box& room, bool below, float part, DesignLayout& out) {
  const float gap = (out.both ? 5 : 2) * in.unit;
  const Length parts[] = {share(part), share(1 - part)};
  const auto [forms, rest] = below ? column(room, gap, parts) : row(room, gap, parts);
  const auto [first, second] = row(forms, gap, {share(1), out.both ? share(1) : fixed(0)});
  const Content form{in.columns, in.longest, true, true, in.whole};
  out.forms[0] = place(in, first, form);
  if (out.both) out.forms[1] = place(in, second, form);
  out.pattern = place_pattern(in, rest, out.both || rest.size.y > 26 * in.text);
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
  const Box room = beside_designer(in);
  if (in.columns == 0) {
    out.both = false;
    const auto [instead, below] = column(room, 0, {fixed(in.instead), share(1)});
    out.forms[0].title = room.pos, out.forms[0].width = room.size.x;
    out.pattern = place_pattern(in, below, true);
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
    for (float part = 0.35f; part <= 0.76f; part += 0.0025f) {
      arrange(in, room, below, part, tried);
      const float value = worth(tried);
      if (value <= best) continue;
      best = value;
      out = tried;
    }
  if (out.pattern.side < 6.5f * in.text) {
    arrange(in, room, true, 1, out);
    out.pattern.side = 0;
  }
  return out;
}

float height_of(const DesignInput& in) {
  return least_height(in, [](const DesignInput& one) {
    const DesignLayout at = design_layout(one);
    return std::array{real(int{at.pattern.side > 0}), std::min(at.forms[0].side, real(one.columns) * kLeastStep),
                      std::min(at.pattern.side, real(one.tokens) * kLeastStep)};
  });
}

}  // namespace hydra
