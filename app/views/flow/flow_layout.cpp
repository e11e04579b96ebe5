#include "app/views/flow/flow_layout.h"

#include <algorithm>
#include <cmath>

#include "app/widgets/label_steps.h"
#include "app/widgets/nth.h"

namespace hydra {

namespace {

enum class Rows { all, no_operands, head_only };

struct Widths {
  float X, P, gap, arrow, softmax;  // the last: the arrow with the longest word
  float total(float label, float side) const {
    return label + X + arrow + 3 * P + 2 * gap + arrow + side + softmax + side + arrow + P;
  }
};

// Without operands the titles say what the arrows do.
Widths least_widths(const FlowInput& in, Rows rows, float side) {
  const float square_half = 0.5f * in.d_k * side / in.n;
  const bool words = rows == Rows::all;
  return {4.5f * in.small, std::max(2.5f * in.small, std::min(square_half, 0.22f * side)), 2 * in.unit,
          (words ? 3.4f : 2.2f) * in.small, (words ? 4.8f : 2.2f) * in.small};
}

// For a square side of S and A, what is left of the width goes to the projections (up to square cells) and to X.
Widths band_widths(const FlowInput& in, Rows rows, float side) {
  Widths w = least_widths(in, rows, side);
  const float row = side / in.n;
  const auto spare_of = [&] { return in.size.x - w.total(in.label_width, side); };
  const auto widen = [&](float& width, float wanted, float count) {
    if (wanted > width && spare_of() >= count * (wanted - width)) width = wanted;
  };
  // Of few columns every number should be read, first of the projections, then of X; then what they are products of.
  if (in.d_k <= kFewColumns) widen(w.P, in.d_k * in.digits, 4);
  if (in.d_model <= 2 * kFewColumns) widen(w.X, in.d_model * in.digits, 1);
  if (rows != Rows::all) widen(w.P, in.formula - w.gap, 4);
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
float pattern_side(const FlowInput& in, Rows rows, float height) {
  float side = std::min(height, std::max(in.n * 10 * in.unit, 8 * in.small));  // a title stands over it
  while (side > 8 * in.unit && least_widths(in, rows, side).total(in.label_width, side) > in.size.x) side -= in.unit;
  const float row = side / in.n;
  // Whole pixels to a row, but not where names would go for it.
  const float whole = std::floor(row);
  return row >= 4 && (whole >= kLeastStep || row < kLeastStep) ? whole * in.n : std::floor(side);
}

// Heights of the rows, and where the pictures of the head begin.
struct Heights {
  float top = 0, side = 0, strip = 0, bottom = 0;
  float above = 0;  // the head's pictures, without operands: titles, or A's title and labels, or the header
};

Heights heights(const FlowInput& in, Rows rows) {
  const float u = in.unit, title = in.title, caption = in.small + u;
  Heights h;
  if (rows == Rows::all) {
    const float fixed = 4 * title + 2 * caption + 8 * u;  // titles, captions, colour bar, gaps between the bands
    const float room = std::max(30 * u, in.size.y - fixed);
    h.side = pattern_side(in, rows, 0.4f * room);
    const float rest = room - h.side;
    h.strip = 0.25f * rest, h.bottom = 0.41f * rest, h.top = rest - h.strip - h.bottom;
    return h;
  }
  const float labels = std::min(in.label_width * kLabelSine + in.small, 6.5f * in.small);
  const float header = in.large + 2 * u + 2 * (in.small + u);
  h.above = title + std::max(labels + u, header);
  const bool mixed = rows != Rows::head_only;
  const float fixed = h.above + caption + title + 2.5f * u + (mixed ? title + 6.5f * u + caption : 0);
  const float room = std::max(30 * u, in.size.y - fixed);
  const float least_strip = in.small + 3.4f * in.small + u;  // its numbers, and pictures of some size
  h.side = pattern_side(in, rows, mixed ? 0.56f * room : room - least_strip);
  const float rest = room - h.side;
  h.strip = mixed ? std::max(0.48f * rest, std::min(least_strip, 0.6f * rest)) : std::min(rest, 11 * in.small);
  h.bottom = mixed ? rest - h.strip : 0;
  return h;
}

// All that can be shown of it so that it is read.
Rows choose_rows(const FlowInput& in) {
  if (!in.presentation) return Rows::all;
  const float step = in.painting ? 1.2f * in.small : kLeastStep;
  const auto labelled = [&](Rows rows) { return heights(in, rows).side >= in.n * step; };
  const Heights all = heights(in, Rows::all);
  const bool roomy = all.top >= 4.5f * in.small && all.strip >= 4 * in.small;
  if (roomy && labelled(Rows::all)) return Rows::all;
  if (labelled(Rows::no_operands)) return Rows::no_operands;
  if (labelled(Rows::head_only)) return Rows::head_only;
  if (in.painting) return Rows::head_only;
  return roomy ? Rows::all : Rows::no_operands;  // more tokens than could be named
}

}  // namespace

FlowLayout flow_layout(const FlowInput& in) {
  FlowLayout f{};
  const float u = in.unit, title = in.title, caption = in.small + u;
  const Rows rows = choose_rows(in);
  const Heights h = heights(in, rows);
  const Widths w = band_widths(in, rows, h.side);
  const float side = h.side;
  f.operands = rows == Rows::all;
  f.mixed = rows != Rows::head_only;

  float x = in.pos.x;
  const float top_y = in.pos.y + title;
  const float main_y = f.operands ? top_y + h.top + title : in.pos.y + h.above;
  const auto operand = [&](float width) {
    return f.operands ? Box{{x, top_y}, {width, h.top - caption}} : Box{{x, top_y}, {}};
  };
  x += in.label_width;
  f.X = {{x, main_y}, {w.X, side}};
  x += w.X;
  const auto arrow = [&](int k) {
    const float width = k == 2 ? w.softmax : w.arrow;
    nth(f.operators, k) = {{x, main_y}, {width, side}};
    x += width;
  };
  arrow(0);
  for (std::size_t k = 0; k < 3; ++k) {
    f.W[k] = operand(w.P);
    f.P[k] = {{x, main_y}, {w.P, side}};
    x += w.P + (k < 2 ? w.gap : 0);
  }
  arrow(1);
  f.S = {{x, main_y}, {side, side}};
  f.KT = operand(side);
  x += side;
  arrow(2);
  f.A = {{x, main_y}, {side, side}};
  f.labels_A = {{x, top_y}, {side, main_y - top_y}};
  const float header = f.operands ? in.label_width + w.X + w.arrow - 2 * u : x - in.pos.x - 3 * u;
  f.header = {in.pos, {header, main_y - title - in.pos.y}};
  x += side;
  arrow(3);
  f.O = {{x, main_y}, {w.P, side}};
  f.V = operand(w.P);

  const float strip_y = main_y + side + caption + 1.5f * u + title;
  f.strip = {{in.pos.x, strip_y}, {in.size.x, h.strip}};
  if (!f.mixed) return f;
  const float bottom_y = strip_y + h.strip + 3.5f * u + title + 3 * u;
  const float square = std::min(h.bottom, 0.4f * in.size.x);
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
    const float side = std::min((size.x + gap) / real(columns) - gap, (size.y + gap) / real(rows) - gap);
    if (side > best.side) best = {side, columns};
  }
  best.side = std::floor(best.side);
  return best;
}

}  // namespace hydra
