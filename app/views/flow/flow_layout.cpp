#include "app/views/flow/flow_layout.h"

#include <algorithm>
#include <cmath>

namespace hydra {

namespace {

struct Widths {
  float X, P, gap, arrow, softmax;  // the last: the arrow with the longest word
  float total(float label, float side) const {
    return label + X + arrow + 3 * P + 2 * gap + arrow + side + softmax + side + arrow + P;
  }
};

Widths least_widths(const FlowInput& in, float side) {
  const float square_half = 0.5f * in.d_k * side / in.n;
  return {4.5f * in.small, std::max(2.5f * in.small, std::min(square_half, 0.22f * side)), 2 * in.unit, 3.4f * in.small,
          4.8f * in.small};
}

// For a square side of S and A, what is left of the width goes to the projections (up to square cells) and to X.
Widths band_widths(const FlowInput& in, float side) {
  Widths w = least_widths(in, side);
  const float row = side / in.n;
  const auto spare_of = [&] { return in.size.x - w.total(in.label_width, side); };
  // Of few columns every number should be read, first of the projections, then of X.
  if (in.d_k <= kFewColumns && spare_of() >= 4 * (in.d_k * in.digits - w.P)) w.P = std::max(w.P, in.d_k * in.digits);
  if (in.d_model <= 2 * kFewColumns && spare_of() >= in.d_model * in.digits - w.X)
    w.X = std::max(w.X, in.d_model * in.digits);
  const float spare = spare_of();
  if (spare <= 0) return w;
  const float square = std::max(w.P, std::min(in.d_k * row, 0.6f * side));
  const float grown = std::min(square, w.P + spare * 0.6f / 4);
  const float left = spare - 4 * (grown - w.P);
  w.P = grown;
  w.X += std::min(left, std::max(0.0f, std::min(in.d_model * row, 1.6f * side) - w.X));
  return w;
}

// The largest whole-pixel side of S and A that fits both ways.
float pattern_side(const FlowInput& in, float height) {
  float side = std::min(height, std::max(in.n * 10 * in.unit, 8 * in.small));  // a title stands over it
  while (side > 8 * in.unit && least_widths(in, side).total(in.label_width, side) > in.size.x) side -= in.unit;
  const float row = side / in.n;
  return row >= 4 ? std::floor(row) * in.n : std::floor(side);
}

}  // namespace

FlowLayout flow_layout(const FlowInput& in) {
  FlowLayout f{};
  const float u = in.unit, title = in.title, caption = in.small + u;
  const float fixed = 4 * title + 2 * caption + 8 * u;  // titles, captions, colour bar, gaps between the bands
  const float room = std::max(30 * u, in.size.y - fixed);
  const float side = pattern_side(in, 0.4f * room);
  const float rest = room - side;
  const float strip = 0.25f * rest, bottom = 0.41f * rest, top = rest - strip - bottom;
  const Widths w = band_widths(in, side);

  float x = in.pos.x, y = in.pos.y + title;
  const float top_y = y, main_y = top_y + top + title;
  x += in.label_width;
  f.header = {{in.pos.x, in.pos.y}, {in.label_width + w.X + w.arrow - 2 * u, top + title}};
  f.X = {{x, main_y}, {w.X, side}};
  x += w.X;
  const auto arrow = [&](int k) {
    const float width = k == 2 ? w.softmax : w.arrow;
    f.operators[static_cast<std::size_t>(k)] = {{x, main_y}, {width, side}};
    x += width;
  };
  arrow(0);
  for (std::size_t k = 0; k < 3; ++k) {
    f.W[k] = {{x, top_y}, {w.P, top - caption}};
    f.P[k] = {{x, main_y}, {w.P, side}};
    x += w.P + (k < 2 ? w.gap : 0);
  }
  arrow(1);
  f.S = {{x, main_y}, {side, side}};
  f.KT = {{x, top_y}, {side, top - caption}};
  x += side;
  arrow(2);
  f.A = {{x, main_y}, {side, side}};
  f.labels_A = {{x, top_y}, {side, top + title}};
  x += side;
  arrow(3);
  f.O = {{x, main_y}, {w.P, side}};
  f.V = {{x, top_y}, {w.P, top - caption}};

  const float strip_y = main_y + side + caption + 1.5f * u + title;
  f.strip = {{in.pos.x, strip_y}, {in.size.x, strip}};
  const float bottom_y = strip_y + strip + 3.5f * u + title + 3 * u;
  const float square = std::min(bottom, 0.4f * in.size.x);
  const float op = 2.5f * title;
  const float wide = (in.size.x - in.label_width - square - 2 * op - 5 * u) / 2;
  f.C = {{in.pos.x + in.label_width, bottom_y}, {wide, square}};
  f.times = {{f.C.right(), bottom_y}, {op, square}};
  f.W_O = {{f.times.right() + 5 * u, bottom_y}, {square, square}};
  f.equals = {{f.W_O.right(), bottom_y}, {op, square}};
  f.Y = {{f.equals.right(), bottom_y}, {wide, square}};
  return f;
}

Tiling tile_squares(ImVec2 size, int count, float gap) {
  Tiling best{0, 1};
  for (int columns = 1; columns <= count; ++columns) {
    const int rows = (count + columns - 1) / columns;
    const float side =
        std::min((size.x + gap) / static_cast<float>(columns) - gap, (size.y + gap) / static_cast<float>(rows) - gap);
    if (side > best.side) best = {side, columns};
  }
  best.side = std::floor(best.side);
  return best;
}

}  // namespace hydra
