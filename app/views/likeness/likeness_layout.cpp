#include "app/views/likeness/likeness_layout.h"

#include <algorithm>
#include <cmath>

namespace hydra {

namespace {

constexpr float kWholeCell = 12;
constexpr float kSine = 0.82f;  // of the turned labels, see token_axis

// Whole pixels where cells are large enough for the difference to show; few cells need not fill the screen.
float whole_side(float side, int count, float most) {
  const auto n = static_cast<float>(count);
  const float cell = std::min(std::max(1.0f, side) / n, most);
  return cell >= kWholeCell ? std::floor(cell) * n : std::max(1.0f, std::floor(cell * n));
}

float gap(const LikenessInput& in) { return 4 * in.unit; }
float title_height(const LikenessInput& in) { return in.text + 1.5f * in.unit; }
float legend_height(const LikenessInput& in) { return 1.5f * in.unit + in.small; }
float tools_width(const LikenessInput& in) { return 15 * in.text; }

// Matrix and tree, from the left; what they take is at.tree + at.tree_width.
void place_matrix(const LikenessInput& in, ImVec2 pos, ImVec2 size, float right, LikenessLayout& at) {
  at.row_labels = in.number + 4.5f * in.unit;
  at.column_labels = in.small + 2.5f * in.unit;
  const float high = size.y - title_height(in) - at.column_labels - legend_height(in) - in.small;
  const float least_tree = 6.2f * in.text;
  const float wide = size.x - at.row_labels - least_tree - right;
  at.side = whole_side(std::min(high, wide), in.heads, 8 * in.text);
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

LikenessComparison place_comparison(const LikenessInput& in, ImVec2 pos, ImVec2 size) {
  LikenessComparison at;
  at.pos = pos;
  at.size = size;
  at.header = pos;
  at.values_below = size.x < 44 * in.text;
  const float header = (at.values_below ? 2.4f : 1.0f) * in.text + 2.5f * in.unit, title = in.text + in.unit,
              legend = legend_height(in);
  const auto n = static_cast<float>(in.tokens);
  const float label = std::min(in.longest, 5 * in.text);
  const auto side_with = [&](float rows, float columns) {
    const float wide = (size.x - 2 * gap(in)) / 3 - rows, high = size.y - header - title - columns - legend;
    return std::min(wide, high);
  };
  at.row_labels = label + in.unit;
  at.column_labels = label * kSine + in.small;
  float side = side_with(at.row_labels, at.column_labels);
  // Labels shrink and then leave some out, see token_axis; only without a picture beside them they go.
  if (side < std::min(7 * in.text, 0.5f * side_with(0, 0)) || n > 128) {
    at.row_labels = at.column_labels = 0;
    side = side_with(0, 0);
  }
  at.side = whole_side(side, in.tokens, 5 * in.text);
  at.title = pos.y + header;
  const float top = std::round(at.title + title + at.column_labels);
  const float step =
      std::min((size.x - 2 * gap(in)) / 3 + gap(in), std::max(at.side, 12 * in.text) + at.row_labels + gap(in));
  for (int k = 0; k < 3; ++k)
    at.pictures[static_cast<std::size_t>(k)] = {std::round(pos.x + at.row_labels + static_cast<float>(k) * step), top};
  at.legend = top + at.side + 1.5f * in.unit;
  return at;
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
  const float left =
      in.pos.y + in.size.y - std::max(whole.legend + 2.5f * in.small, whole.tools.y + whole.tools_size.y);
  const float high = std::round(left >= 0.4f * in.size.y ? left : 0.46f * in.size.y);
  LikenessLayout at = plain(in, {in.size.x, in.size.y - high - gap(in)});
  at.comparison = place_comparison(in, {in.pos.x, in.pos.y + in.size.y - high}, {in.size.x, high});
  return at;
}

LikenessLayout compared_beside(const LikenessInput& in) {
  LikenessLayout at;
  place_matrix(in, in.pos, in.size, 0.55f * in.size.x, at);
  const float x = at.tree + at.tree_width + gap(in), width = in.pos.x + in.size.x - x;
  at.map_shown = false;
  at.comparison = place_comparison(in, {x, in.pos.y}, {width, in.size.y - in.tools - gap(in)});
  at.tools = {x, in.pos.y + in.size.y - in.tools};
  at.tools_size = {std::min(width, 26 * in.text), in.tools};
  return at;
}

}  // namespace

LikenessLayout likeness_layout(const LikenessInput& in) {
  if (!in.compared) return plain(in, in.size);
  const LikenessLayout below = compared_below(in), beside = compared_beside(in);
  const auto worth = [](const LikenessLayout& at) { return at.side + at.comparison.side; };
  return worth(beside) > worth(below) ? beside : below;
}

}  // namespace hydra
