#include "app/views/flow/flow_room.h"

#include <algorithm>
#include <cmath>

#include "app/widgets/plot/label_steps.h"

namespace hydra::flow {

bool has_numbers(const FlowInput& in) {
  return in.number > 0 && in.d_k <= kFewColumns && in.d_model <= 2 * kFewColumns && in.concat() <= 2 * kFewColumns;
}

bool has_words(const FlowInput& in, Rows rows) {
  return rows.operands == OperandsAs::full && !(in.presentation && has_numbers(in));
}

Widths least_widths(const FlowInput& in, Rows rows, float side) {
  const float square_half = 0.5f * in.d_k * side / in.n;
  const bool words = has_words(in, rows);
  return {4.5f * in.small,
          std::max(2.5f * in.small, std::min(square_half, 0.22f * side)),
          2 * in.unit,
          (words ? 3.4f : 2.2f) * in.small,
          (words ? 4.8f : 2.2f) * in.small,
          in.query == Quantity::Q ? 3.0f : 4.0f,
          1.0f + (in.normed ? 1 : 0) + (in.gates ? 1 : 0),
          in.dropped};
}

Widths band_widths(const FlowInput& in, Rows rows, float side) {
  Widths w = least_widths(in, rows, side);
  const float row = side / in.n, count_of_P = w.before + w.after;
  const auto spare_of = [&] { return in.size.x - w.total(in.label_width, side); };
  const auto widen = [&](float& width, float wanted, float count) {
    if (wanted > width && spare_of() >= count * (wanted - width)) width = wanted;
  };
  // Of few columns every number should be read, first of the weights and the projections, then of X; then what they are
  // products of.
  if (has_numbers(in)) widen(w.P, in.d_k * in.weight_digits, count_of_P);
  if (in.d_k <= kFewColumns) widen(w.P, in.d_k * in.digits, count_of_P);
  if (in.d_model <= 2 * kFewColumns) widen(w.X, in.d_model * in.digits, 1);
  if (!has_words(in, rows)) widen(w.P, in.formula - w.gap, count_of_P);
  const float spare = spare_of();
  if (spare <= 0) return w;
  const float square = std::max(w.P, std::min(in.d_k * row, 0.6f * side));
  const float grown = std::min(square, w.P + spare * 0.6f / count_of_P);
  const float left = spare - count_of_P * (grown - w.P);
  w.P = grown;
  w.X += std::min(left, std::max(0.0f, std::min(in.d_model * row, 1.6f * side) - w.X));
  // Where the titles are the formulas, the scores' is the longest.
  if (!has_words(in, rows)) widen(w.softmax, 1.6f * in.formula + 2 * in.unit - side, in.dropped ? 2 : 1);
  return w;
}

namespace {

// The largest whole-pixel side of S and A that fits both ways.
float pattern_side(const FlowInput& in, Rows rows, float height) {
  float side = std::min(height, std::max(in.n * 10 * in.unit, 8 * in.small));  // a title stands over it
  while (side > 8 * in.unit && least_widths(in, rows, side).total(in.label_width, side) > in.size.x) side -= in.unit;
  const float row = side / in.n;
  // Whole pixels to a row, but not where names would go for it.
  const float whole = std::floor(row);
  return row >= 4 && (whole >= kLeastStep || row < kLeastStep) ? whole * in.n : std::floor(side);
}

}  // namespace

float low_operand(const FlowInput& in, float above) { return above - 2 * in.title - 0.5f * in.unit; }

float mixing_height(const FlowInput& in, float pictures) {
  return in.title + 3 * in.unit + pictures + in.small + in.unit;
}

namespace {

// With the mixing beside it.
float least_strip_beside(const FlowInput& in) { return mixing_height(in, 3.5f * in.small); }

Heights full_heights(const FlowInput& in, bool beside) {
  const float u = in.unit, title = in.title, caption = in.small + u, mixing = mixing_height(in, 0);
  // Titles, captions, colour bar, gaps between the bands.
  const float fixed = beside ? 3 * title + caption + 1.5f * u : 4 * title + 2 * caption + 8 * u;
  const float room = std::max(30 * u, in.size.y - fixed);
  Heights h;
  h.fits = in.size.y - fixed >= 30 * u;
  const Rows rows{OperandsAs::full, beside ? MixingAt::beside : MixingAt::under};
  h.side = pattern_side(in, rows, (beside ? 0.36f : 0.4f) * room);
  const auto share_out = [&](float top, float bottom) {
    const float rest = room - h.side;
    h.top = std::max(top, (beside ? 0.28f : 0.34f) * rest);
    h.bottom = beside ? rest - h.top - mixing : std::max(bottom, 0.41f * rest);
    h.strip = beside ? rest - h.top : rest - h.top - h.bottom;
    return h.bottom >= bottom && h.strip >= 4 * in.small;
  };
  share_out(0, 0);
  if (!has_numbers(in)) return h;
  // Patterns of few tokens give what the numbers need; those of W_O where they can be had, too.
  const Heights without = h;
  const float top = in.d_model * in.number + caption, least = std::max(in.n * in.number, 5 * in.small);
  for (const float bottom : {in.concat() * in.number, 0.0f}) {
    const float strip = beside ? std::max(least_strip_beside(in), bottom + mixing) : 5 * in.small;
    const float left = room - top - strip - (beside ? 0 : bottom);
    if (left < least) continue;
    h.side = pattern_side(in, rows, std::min(without.side, left));
    if (share_out(top, bottom)) return h;
  }
  return without;
}

}  // namespace

Heights heights(const FlowInput& in, Rows rows) {
  if (rows.operands == OperandsAs::full) return full_heights(in, rows.mixing == MixingAt::beside);
  const float u = in.unit, title = in.title, caption = in.small + u;
  const float labels = std::min(in.label_width * kLabelSine + in.small, 6.5f * in.small);
  const float header = in.large + 2 * u + 2 * (in.small + u);
  const bool under = rows.mixing == MixingAt::under, beside = rows.mixing == MixingAt::beside;
  Heights h;
  h.above = title + std::max(labels + u, header);
  const float fixed = h.above + caption + title + 2.5f * u + (under ? title + 6.5f * u + caption : 0);
  const float room = std::max(30 * u, in.size.y - fixed);
  h.fits = in.size.y - fixed >= 30 * u;
  // Its numbers, and pictures of some size, with the mixing beside it no lower than that needs.
  const float least_strip = beside ? mixing_height(in, 2.4f * in.small) : 4.4f * in.small + u;
  const float named = (in.n * kLeastStep + 1) / room;  // every row has its word
  const float most = under ? 0.66f : 1 - least_strip / room;
  const float share =
      rows.mixing == MixingAt::left_out ? most : std::clamp(named, std::min(under ? 0.56f : 0.5f, most), most);
  h.side = pattern_side(in, rows, share * room);
  const float rest = room - h.side;
  h.strip = under ? std::max(0.48f * rest, std::min(least_strip, 0.6f * rest)) : std::min(rest, 14 * in.small);
  h.bottom = under ? rest - h.strip : beside ? h.strip - mixing_height(in, 0) : 0;
  return h;
}

float header_width(const FlowInput& in, const Widths& w) { return in.label_width + w.X + w.arrow - 2 * in.unit; }

namespace {

// In the room that A's labels need anyway the operands are seen, where the header can stand beside them.
bool has_low_operands(const FlowInput& in, MixingAt mixing) {
  const Rows rows{OperandsAs::none, mixing};
  const Heights h = heights(in, rows);
  const float header = header_width(in, band_widths(in, rows, h.side));
  return low_operand(in, h.above) >= 3 * in.small && header >= 9 * in.large;
}

}  // namespace

bool has_mixing_beside(const FlowInput& in) { return in.beside.empty() && in.size.x >= 50 * in.small; }

Rows choose_rows(const FlowInput& in) {
  constexpr Rows kAll{OperandsAs::full, MixingAt::under};
  if (!in.presentation) return kAll;
  const auto without_operands = [&](MixingAt mixing) {
    return Rows{has_low_operands(in, mixing) ? OperandsAs::low : OperandsAs::none, mixing};
  };
  const float step = in.painting ? 1.2f * in.small : kLeastStep;
  const auto labelled = [&](const Heights& h) { return h.fits && h.side >= std::max(in.n * step, 6 * in.small); };
  const auto roomy = [&](const Heights& h, float top, float strip) { return h.top >= top && h.strip >= strip; };
  if (has_mixing_beside(in)) {
    constexpr Rows kBeside{OperandsAs::full, MixingAt::beside};
    const Heights h = heights(in, kBeside);
    if (labelled(h) && roomy(h, 4 * in.small + in.unit, least_strip_beside(in))) return kBeside;
    if (!in.painting || labelled(heights(in, {OperandsAs::none, MixingAt::beside})))
      return without_operands(MixingAt::beside);
    return {OperandsAs::none, MixingAt::left_out};
  }
  const Heights all = heights(in, kAll);
  const bool room_for_all = roomy(all, 4.5f * in.small, 4 * in.small);
  if (room_for_all && labelled(all)) return kAll;
  const Heights over = heights(in, {OperandsAs::none, MixingAt::under});
  if (labelled(over)) return without_operands(MixingAt::under);
  if (in.painting) return {OperandsAs::none, MixingAt::left_out};
  if (room_for_all) return kAll;  // more tokens than could be named
  const Heights beside = heights(in, {OperandsAs::none, MixingAt::beside});
  return over.fits && beside.side < 1.2f * over.side ? without_operands(MixingAt::under)
                                                     : Rows{OperandsAs::none, MixingAt::beside};
}

}  // namespace hydra::flow
