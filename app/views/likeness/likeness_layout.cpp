#include "app/views/likeness/likeness_layout.h"

#include <algorithm>
#include <cmath>

#include "app/draw/nth.h"
#include "app/widgets/arrange.h"
#include "app/widgets/plot/label_steps.h"

namespace hydra {

namespace {

constexpr float kWholeCell = 12;
constexpr float kNamedCell = 5;  // in heights of text: so large cells give the names of rows room

// Whole pixels where cells are large enough for the difference to show; few cells need not fill the screen.
float whole_side(float side, int count, float most) {
  const auto n = real(count);
  const float cell = std::min(std::max(1.0f, side) / n, most);
  return cell >= kWholeCell ? std::floor(cell) * n : std::max(1.0f, std::floor(cell * n));
}

float gap(const LikenessInput& in) { return 4 * in.unit; }
float title_height(const LikenessInput& in) { return in.text + 1.5f * in.unit; }
float legend_height(const LikenessInput& in) { return 1.5f * in.unit + in.small; }
float tools_width(const LikenessInput& in) { return 15 * in.text; }

// Matrix and tree, from the left; what they take is at.tree + at.tree_width.
void place_matrix(const LikenessInput& in, ImVec2 pos, ImVec2 size, float right, LikenessLayout& at) {
  at.column_labels = in.small + 2.5f * in.unit;
  const float high = size.y - title_height(in) - at.column_labels - legend_height(in) - in.small;
  const float least_tree = 6.2f * in.text;
  const auto side_with = [&](float label) {
    at.row_labels = label + 4.5f * in.unit;
    return whole_side(std::min(high, size.x - at.row_labels - least_tree - right), in.heads, 8 * in.text);
  };
  at.side = side_with(in.number);
  const float named = side_with(in.named);
  at.named = in.named > 0 && (named >= at.side || named >= kNamedCell * in.text * real(in.heads));
  if (at.named)
    at.side = named;
  else
    side_with(in.number);
  at.title = pos;
  at.matrix = {std::round(pos.x + at.row_labels), std::round(pos.y + title_height(in) + at.column_labels)};
  at.legend = at.matrix.y + at.side + 1.5f * in.unit;
  at.tree = at.matrix.x + at.side + 2 * in.unit;
  const float spare = pos.x + size.x - right - at.tree;
  at.tree_width = std::clamp(0.4f * spare, least_tree - 2 * in.unit, 14 * in.text);
}

// The map in the rest, with the tools below or beside it, whichever leaves more.
void place_map(const LikenessInput& in, ImVec2 pos, ImVec2 size, LikenessLayout& at) {
  const float title = title_height(in);
  const float below = std::min(size.x, size.y - title - gap(in) - in.tools);
  const float beside = std::min(size.x - gap(in) - tools_width(in), size.y - title);
  const float most = 30 * in.text;
  at.map_title = pos;
  at.map = {std::round(pos.x), std::round(pos.y + title)};
  at.map_side = std::floor(std::clamp(std::max(below, beside), 1.0f, most));
  if (below >= beside) {
    at.tools = {pos.x, at.map.y + at.map_side + gap(in)};
    at.tools_size = {std::min(size.x, 26 * in.text), in.tools};
  } else {
    at.tools = {at.map.x + at.map_side + gap(in), pos.y};
    at.tools_size = {std::min(pos.x + size.x - at.tools.x, 26 * in.text), in.tools};
  }
}

// The least side at which every token has its label.
float labelled_side(const LikenessInput& in) { return std::ceil(real(in.tokens) * kLeastStep) + 1; }

// The parts of a comparison above and below its pictures.
struct Around {
  bool values_below;
  float header, title, rows, columns, legend;
  float high(float height) const { return height - header - title - columns - legend; }
};

// scale: of the labels against the font.
Around around(const LikenessInput& in, float width, float scale = 1) {
  const bool values_below = width < 44 * in.text;
  const float label = scale * std::min(in.longest, 5 * in.text);
  return {values_below,
          (values_below ? 2.4f : 1.0f) * in.text + 2.5f * in.unit,
          in.text + in.unit,
          label + in.unit,
          label * kLabelSine + scale * in.small,
          legend_height(in)};
}

LikenessComparison put_pictures(const LikenessInput& in, const Around& a, LikenessComparison at, float side) {
  at.header = at.pos;
  at.values_below = a.values_below;
  at.side = whole_side(side, in.tokens, 5 * in.text);
  at.title = at.pos.y + a.header;
  const float top = std::round(at.title + a.title + at.column_labels);
  const float beside = at.shared_rows ? 0 : at.row_labels, room = at.size.x - (at.row_labels - beside);
  const float wide = std::max(at.side, 12 * in.text) + beside + gap(in);
  const float step = at.scrolls ? at.side + beside + gap(in) : std::min((room - 2 * gap(in)) / 3 + gap(in), wide);
  for (int k = 0; k < 3; ++k) nth(at.pictures, k) = {std::round(at.pos.x + at.row_labels + real(k) * step), top};
  at.legend = top + at.side + 1.5f * in.unit;
  at.content = at.pictures[2].x + at.side + 2 - at.pos.x;
  return at;
}

LikenessComparison place_comparison(const LikenessInput& in, ImVec2 pos, ImVec2 size) {
  const Around a = around(in, size.x);
  LikenessComparison at;
  at.pos = pos;
  at.size = size;
  const auto third = [&](float labels) { return (size.x - labels - 2 * gap(in)) / 3; };
  const auto side_with = [&](float each, float once, float columns) {
    return std::min(third(once) - each, a.high(size.y) + a.columns - columns);
  };
  const float least = labelled_side(in), bare = side_with(0, 0, 0);
  at.row_labels = a.rows;
  at.column_labels = a.columns;
  float side = side_with(a.rows, 0, a.columns);
  if (side < least) {
    at.shared_rows = true;
    side = side_with(0, a.rows, a.columns);
  }
  // Labels shrink and then leave some out, see token_axis; only without a picture beside them they go.
  if (side < std::min(7 * in.text, 0.5f * bare) || in.tokens > 128) {
    at.row_labels = at.column_labels = 0;
    side = bare;
  }
  return put_pictures(in, a, at, side);
}

// All of the room, for pictures with every label; side 0 where there is none for them.
LikenessComparison place_alone(const LikenessInput& in, ImVec2 pos, ImVec2 size) {
  const float step = (size.x - 2 * gap(in)) / 3 / real(in.tokens);  // none is larger
  const float label =
      std::clamp(std::floor(step * kLabelSine / kColumnStep), std::min(kLeastLabel, in.small), in.small);
  const Around a = around(in, size.x, label / in.small);
  LikenessComparison at;
  at.pos = pos;
  at.size = size;
  at.row_labels = a.rows;
  at.column_labels = a.columns;
  const float least = labelled_side(in), wide = (size.x - 2 * gap(in)) / 3;
  if (a.high(size.y) < least || in.tokens > 128) return at;
  if (wide - a.rows >= least) return put_pictures(in, a, at, std::min(wide - a.rows, a.high(size.y)));
  at.shared_rows = true;
  const float shared = wide - a.rows / 3;
  if (shared >= least) return put_pictures(in, a, at, std::min(shared, a.high(size.y)));
  // Two heads are seen at once where they can be; the difference is a scroll away, with labels of its own.
  at.shared_rows = false;
  at.scrolls = true;
  const float high = a.high(size.y) - in.scrollbar - in.unit;
  if (high < least) return at;
  const float two = 0.5f * (size.x - gap(in)) - a.rows - in.unit;
  return put_pictures(in, a, at, std::min(std::max(two, least), high));
}

LikenessLayout plain(const LikenessInput& in, ImVec2 size) {
  LikenessLayout at;
  const float right = std::clamp(0.33f * size.x, 13 * in.text, 30 * in.text) + gap(in);
  place_matrix(in, in.pos, size, right, at);
  const float x = at.tree + at.tree_width + gap(in);
  place_map(in, {x, in.pos.y}, {in.pos.x + size.x - x, size.y}, at);
  return at;
}

LikenessLayout compared_below(const LikenessInput& in) {
  // What the matrix leaves is enough, or else it shrinks.
  const LikenessLayout whole = plain(in, in.size);
  const float left = in.bottom() - std::max(whole.legend + 2.5f * in.small, whole.tools.y + whole.tools_size.y);
  const Around a = around(in, in.size.x);
  const float wanted = labelled_side(in) + in.size.y - a.high(in.size.y);  // every label, and what stands around
  const float high =
      std::round(std::max(left >= 0.4f * in.size.y ? left : 0.46f * in.size.y, std::min(wanted, 0.54f * in.size.y)));
  LikenessLayout at = plain(in, {in.size.x, in.size.y - high - gap(in)});
  at.comparison = place_comparison(in, {in.pos.x, in.bottom() - high}, {in.size.x, high});
  return at;
}

LikenessLayout compared_beside(const LikenessInput& in) {
  LikenessLayout at;
  place_matrix(in, in.pos, in.size, 0.55f * in.size.x, at);
  const float x = at.tree + at.tree_width + gap(in), width = in.right() - x;
  at.map_shown = false;
  at.comparison = place_comparison(in, {x, in.pos.y}, {width, in.size.y - in.tools - gap(in)});
  at.tools = {x, in.bottom() - in.tools};
  at.tools_size = {std::min(width, 26 * in.text), in.tools};
  return at;
}

// Nothing but the comparison, and the tools where they leave it its labels and most of its size; side 0 where it has
// none even so.
LikenessLayout compared_alone(const LikenessInput& in) {
  LikenessLayout at;
  at.alone = true;
  at.map_shown = false;
  at.comparison = place_alone(in, in.pos, {in.size.x, in.size.y - in.tools - gap(in)});
  const LikenessComparison whole = place_alone(in, in.pos, in.size);
  at.tools_shown = at.comparison.side > 0.7f * whole.side;
  if (!at.tools_shown) at.comparison = whole;
  at.tools = {in.pos.x, in.bottom() - in.tools};
  at.tools_size = {std::min(in.size.x, 26 * in.text), in.tools};
  return at;
}

bool all_labelled(const LikenessInput& in, const LikenessComparison& at) {
  return at.row_labels > 0 && at.side >= real(in.tokens) * kLeastStep;
}

}  // namespace

LikenessLayout likeness_layout(const LikenessInput& in) {
  if (!in.compared) return plain(in, in.size);
  const LikenessLayout below = compared_below(in), beside = compared_beside(in);
  const bool of_below = all_labelled(in, below.comparison), of_beside = all_labelled(in, beside.comparison);
  const auto worth = [](const LikenessLayout& at) { return at.side + at.comparison.side; };
  const bool side_by_side = of_below == of_beside ? worth(beside) > worth(below) : of_beside;
  const LikenessLayout &shared = side_by_side ? beside : below, alone = compared_alone(in);
  // Two small pictures of which neither is read are less than one that is.
  const bool small = std::min(shared.side, shared.comparison.side) < 7 * in.text &&
                     alone.comparison.side > 1.5f * shared.comparison.side;
  return alone.comparison.side > 0 && (small || !(of_below || of_beside)) ? alone : shared;
}

float height_of(const LikenessInput& in) {
  return least_height(in, [](const LikenessInput& one) {
    const LikenessLayout at = likeness_layout(one);
    return std::array{real(int{!at.alone}),
                      real(int{at.map_shown}),
                      real(int{at.tools_shown}),
                      real(int{at.named}),
                      real(int{all_labelled(one, at.comparison) && !at.comparison.scrolls}),
                      std::min(at.side, 7 * one.text),
                      std::min(at.map_side, 7 * one.text),
                      one.compared ? std::min(at.comparison.side, real(one.tokens) * kLeastStep) : 0};
  });
}

}  // namespace hydra
