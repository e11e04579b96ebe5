#include "app/views/flow/flow_layout.h"

#include <algorithm>
#include <cmath>

#include "app/draw/nth.h"
#include "app/views/flow/flow_block.h"
#include "app/views/flow/flow_out.h"
#include "app/widgets/arrange.h"
#include "app/widgets/plot/label_steps.h"

namespace hydra {

namespace {

enum class OperandsAs { full, low, none };        // low: in the room that the labels of A need anyway
enum class MixingAt { under, beside, left_out };  // the strip
struct Rows {
  OperandsAs operands;
  MixingAt mixing;
};

struct Widths {
  float X, P, gap, arrow, softmax;  // the last: the arrow with the longest word
  float before, after;  // pictures as wide as Q: before S (Q, K, V, Q' where it is), and after A (O, O°, O')
  float total(float label, float side) const {
    return label + X + arrow + before * P + (before - 1) * gap + arrow + side + softmax + side + after * (arrow + P);
  }
};

// Whether the numbers of the weights are to be read: of small heads, which may be made by hand.
bool has_numbers(const FlowInput& in) {
  return in.number > 0 && in.d_k <= kFewColumns && in.d_model <= 2 * kFewColumns && in.concat() <= 2 * kFewColumns;
}

// Whether the arrows say what is done, and the titles need not: they take width, which in a presentation of small heads
// numbers have.
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
          1.0f + (in.normed ? 1 : 0) + (in.gates ? 1 : 0)};
}

// For a square side of S and A, what is left of the width goes to the projections (up to square cells) and to X.
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
  if (!has_words(in, rows)) widen(w.softmax, 1.6f * in.formula + 2 * in.unit - side, 1);
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
  bool fits = true;
};

// Between the titles of the operands and of the pictures under them.
float low_operand(const FlowInput& in, float above) { return above - 2 * in.title - 0.5f * in.unit; }

// What C, W_O and Y take below the line over the strip, when they are so high: their titles, bars, captions.
float mixing_height(const FlowInput& in, float pictures) {
  return in.title + 3 * in.unit + pictures + in.small + in.unit;
}

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

// What the header takes besides operands: its own lines, and what they would be wrapped to.
float header_width(const FlowInput& in, const Widths& w) { return in.label_width + w.X + w.arrow - 2 * in.unit; }

// In the room that A's labels need anyway the operands are seen, where the header can stand beside them.
bool has_low_operands(const FlowInput& in, MixingAt mixing) {
  const Rows rows{OperandsAs::none, mixing};
  const Heights h = heights(in, rows);
  const float header = header_width(in, band_widths(in, rows, h.side));
  return low_operand(in, h.above) >= 3 * in.small && header >= 9 * in.large;
}

// Of a presentation, which all heads are to be seen in from afar: in a room of some width they have the height that the
// mixing under them would take.
bool has_mixing_beside(const FlowInput& in) { return in.beside.empty() && in.size.x >= 50 * in.small; }

// All that can be shown of it so that it is read.
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

}  // namespace

const FlowRow* FlowLayout::row(FlowRow::Kind kind) const {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const FlowRow& r) { return r.kind == kind; });
  return found == rows.end() ? nullptr : &*found;
}

const Box& FlowLayout::of(FlowRow::Kind kind, Quantity quantity) const {
  const std::vector<FlowPlace>& places = row(kind)->places;
  return std::find_if(places.begin(), places.end(), [&](const FlowPlace& p) { return p.quantity == quantity; })->box;
}

namespace {

// From left to right: the head's pictures, and above those that are products what they are products with.
struct Band {
  FlowRow above{FlowRow::Kind::operands, {}, {}, {}}, main{FlowRow::Kind::head, {}, {}, {}};
  ImVec2 pos;  // of the next
  float side;
  Box operand;  // its height and top; nothing without operands
  bool operands_shown;

  void picture(Quantity quantity, float width, float title, float caption) {
    main.places.push_back({quantity, {pos, {width, side}}, title, caption});
    pos.x += width;
  }
  // Above the picture that comes next.
  void operand_of_next(Quantity quantity, float width, float title, float caption) {
    if (operands_shown)
      above.places.push_back({quantity, {{pos.x, operand.pos.y}, {width, operand.size.y}}, title, caption});
  }
  void arrow(float width) {
    main.operators.push_back({pos, {width, side}});
    pos.x += width;
  }
};

// At the right end of the strip, which becomes narrower: squares, and a single number between its operators.
FlowRow beside_row(const FlowInput& in, Box& strip) {
  const float gap = 3 * in.unit, sign = 1.4f * in.small, number = 4 * in.small;
  const auto numbers = real(std::ranges::count(in.beside, Quantity::lambda)), count = real(std::ssize(in.beside));
  const float fixed = numbers * (number + 2 * sign);
  const float side =
      std::floor(std::min(strip.size.y - in.small - in.unit, (0.5f * strip.size.x - fixed) / (count - numbers) - gap));
  FlowRow row{FlowRow::Kind::beside, {}, {}, {}};
  float x = strip.right() - (count - numbers) * side - (count - 1) * gap - fixed;
  strip.size.x = x - strip.pos.x - 3 * gap;
  for (const Quantity quantity : in.beside) {
    const bool is_number = quantity == Quantity::lambda, is_result = quantity == Quantity::attention;
    if (is_number || is_result) {
      row.operators.push_back({{x - gap, strip.pos.y}, {sign + gap, side}});
      x += sign;
    }
    const float high = 2 * in.small;
    const Box box =
        is_number ? Box{{x, strip.pos.y + 0.5f * (side - high)}, {number, high}} : Box{{x, strip.pos.y}, {side, side}};
    row.places.push_back({quantity, box, gap - in.unit, gap - in.unit});
    x += box.size.x + gap;
  }
  return row;
}

// Of the width, with the mixing beside it: the more heads, the more.
float strip_share(const FlowInput& in) {
  return has_mixing_beside(in) ? std::clamp(0.16f + 0.06f * real(in.heads), 0.3f, 0.46f) : 0.3f;
}

// tokens: so wide on its left are their names.
FlowRow mixing_row(const FlowInput& in, float y, float height, float tokens) {
  const float op = (tokens > 0 ? 2.5f : 1.6f) * in.title, gap = 5 * in.unit, most = 0.4f * in.size.x;
  const float high = std::min(height, most);
  const float wide = std::min(std::max(high, has_numbers(in) ? in.d_model * in.weight_digits : 0), most);
  // The gap is for the heads' numbers.
  const auto [C, times, W_O, equals, Y] = row({{in.pos.x + tokens, y}, {in.size.x - tokens, high}}, 0,
                                              {share(1), fixed(op).then(gap), fixed(wide), fixed(op), share(1)});
  return {FlowRow::Kind::mixing,
          {},
          {{Quantity::concat, C, 0, op}, {Quantity::W_O, W_O, 0, op}, {Quantity::Y, Y, 0, 0}},
          {times, equals}};
}

}  // namespace

namespace {

// Without Q', which stands beside V for comparison, and without O° where O' follows it, where there is no room, or they
// would take too much of the patterns'.
FlowInput without_what_crowds(const FlowInput& in) {
  FlowInput one = in;
  one.query = Quantity::Q;
  FlowInput least = one;
  if (in.gates) least.normed = false;
  const auto side = [](const FlowInput& i) { return heights(i, choose_rows(i)).side; };
  return first_that_fits({in, one, least}, [&](const FlowInput& i) {
    const float wide = least_widths(i, choose_rows(i), side(i)).total(i.label_width, side(i));
    return wide <= i.size.x && side(i) >= 0.8f * side(least);
  });
}

FlowLayout head_layout(const FlowInput& whole) {
  const FlowInput in = without_what_crowds(whole);
  const float u = in.unit, title = in.title, caption = in.small + u;
  const Rows rows = choose_rows(in);
  const Heights h = heights(in, rows);
  const Widths w = band_widths(in, rows, h.side);
  const bool full = rows.operands == OperandsAs::full, with_operands = rows.operands != OperandsAs::none;
  const float top = in.pos.y + title, main = full ? top + h.top + title : in.pos.y + h.above;

  Band band{.pos = {in.pos.x + in.label_width, main},
            .side = h.side,
            .operand = {{0, top}, {0, full ? h.top - caption : low_operand(in, h.above)}},
            .operands_shown = with_operands};
  band.picture(in.read, w.X, 0, 0);
  band.arrow(w.arrow);
  const float header = header_width(in, w);
  constexpr std::pair<Quantity, Quantity> kProjected[] = {
      {Quantity::Q, Quantity::W_Q}, {Quantity::K, Quantity::W_K}, {Quantity::V, Quantity::W_V}};
  for (const auto& [result, weights] : kProjected) {
    if (result != Quantity::Q) band.pos.x += w.gap;
    band.operand_of_next(weights, w.P, 2 * u, 1.5f * u);
    band.picture(result, w.P, 2 * u, 1.5f * u);
  }
  if (in.query != Quantity::Q) {
    band.pos.x += w.gap;
    band.picture(in.query, w.P, 2 * u, 1.5f * u);
  }
  band.arrow(w.arrow);
  band.operand_of_next(in.key, h.side, 0, 0);
  band.picture(Quantity::scores, h.side, w.softmax - 2 * u, 0);
  band.arrow(w.softmax);

  FlowLayout f;
  f.worded = has_words(in, rows);
  f.low = rows.operands == OperandsAs::low;
  f.header = {in.pos, {with_operands ? header : band.pos.x - in.pos.x - 3 * u, main - title - in.pos.y}};
  f.labels = {{band.pos.x, top}, {h.side, main - top}};
  band.picture(Quantity::attention, h.side, with_operands ? w.arrow - 6 * u : w.arrow, 0);
  band.arrow(w.arrow);
  band.operand_of_next(Quantity::V, w.P, 2 * u, 2 * u);
  const auto beside = [&] { return full ? 2 * u : in.right() - band.pos.x - w.P; };
  band.picture(Quantity::output, w.P, in.gates || in.normed ? 2 * u : beside(), 2 * u);
  if (in.normed) {
    band.arrow(w.arrow);
    band.picture(Quantity::normed_output, w.P, in.gates ? 2 * u : beside(), 2 * u);
  }
  if (in.gates) {
    band.arrow(w.arrow);
    band.operand_of_next(*in.gates, w.P, 2 * u, 2 * u);
    band.picture(Quantity::gated_output, w.P, beside(), 2 * u);
  }

  if (with_operands) f.rows.push_back(std::move(band.above));
  f.rows.push_back(std::move(band.main));
  const float strip_y = main + h.side + caption + 1.5f * u + title;
  const bool mixing_beside = rows.mixing == MixingAt::beside;
  const float share = mixing_beside ? strip_share(in) : 1;
  f.strip_title = in.size.x;
  f.rows.push_back({FlowRow::Kind::strip, {{in.pos.x, strip_y}, {share * in.size.x, h.strip}}, {}, {}});
  if (mixing_beside) {
    FlowInput right = in;
    right.pos.x += share * in.size.x + 5 * u;
    right.size.x = in.right() - right.pos.x;
    f.rows.push_back(mixing_row(right, strip_y + title + 3 * u, h.bottom, 0));
    f.tokens_at_C = false;
  } else if (!in.beside.empty()) {
    FlowRow row = beside_row(in, f.rows.back().box);
    f.rows.push_back(std::move(row));
    f.strip_title = f.rows[f.rows.size() - 2].box.size.x;
  }
  if (rows.mixing == MixingAt::under)
    f.rows.push_back(mixing_row(in, strip_y + h.strip + 3.5f * u + title + 3 * u, h.bottom, in.label_width));
  return f;
}

}  // namespace

namespace {

// A row's title and captions.
float around_pictures(const FlowInput& in) { return in.title + in.small + 1.5f * in.unit; }

// The page of what stands around the heads, and of what is read out.
FlowLayout around_layout(const FlowInput& in) {
  const bool out = !in.out.empty();
  const auto pictures_of = [&](int block) {
    const float high = (in.size.y - in.pages) / std::max(1.0f, real(block + int{out}));
    return std::min(high - around_pictures(in), 0.5f * in.size.y);
  };
  // Of many stages two rows, where their pictures stay as high as they are narrow in one.
  const int stages = int_size(in.stages);
  const int block = stages == 0 ? 0 : stages <= 4 || pictures_of(2) < 5 * in.small ? 1 : 2;
  const float pictures = pictures_of(block);
  FlowLayout f;
  f.parted = true;
  float y = in.pos.y + in.pages + in.title;
  for (int k = 0; k < block; ++k) {
    const int first = k * ((stages + 1) / 2), end = k + 1 < block ? (stages + 1) / 2 : stages;
    f.rows.push_back(flow_block_row(in, y, pictures, first, end));
    y += pictures + around_pictures(in);
  }
  if (out) f.rows.push_back(flow_out_row(in, y, pictures));
  return f;
}

}  // namespace

FlowLayout flow_layout(const FlowInput& in) {
  if (in.around && !(in.stages.empty() && in.out.empty())) return around_layout(in);
  FlowInput heads = in;
  float block = flow_stages_height(in, in.stages), out = flow_stages_height(in, in.out);
  const float around = around_pictures(in);
  // The patterns of all heads are to be seen, and in a presentation all words of one to be read.
  const auto crowded = [&] {
    heads.size.y = in.size.y - block - out;
    const Rows rows = choose_rows(heads);
    const Heights h = heights(heads, rows);
    if (rows.mixing == MixingAt::beside &&
        (rows.operands == OperandsAs::none || h.strip < mixing_height(in, 6 * in.small)))
      return true;
    return !h.fits || h.strip < 5 * in.small || (in.presentation && h.side < std::min(in.n, 16.0f) * kLeastStep);
  };
  if (out > 0 && crowded()) out = 0;
  if (block > 0 && crowded()) block = 0;
  heads.size.y = in.size.y - block - out;
  FlowLayout f = head_layout(heads);
  f.parted = (block == 0 && !in.stages.empty()) || (out == 0 && !in.out.empty());
  if (block > 0)
    f.rows.push_back(flow_block_row(in, in.pos.y + heads.size.y + in.title, block - around, 0, int_size(in.stages)));
  if (out > 0) f.rows.push_back(flow_out_row(in, in.pos.y + in.size.y - out + in.title, out - around));
  return f;
}

namespace {

// Of the head's patterns, or of the first picture of the other page.
float pictures_of(const FlowLayout& at) {
  const bool head = at.has(FlowRow::Kind::head);
  return head ? at.of(FlowRow::Kind::head, Quantity::attention).size.y : at.rows.front().places.front().box.size.y;
}

}  // namespace

float height_of(const FlowInput& in) {
  FlowInput tall = in;
  tall.size.y = kTallestLayout;
  // Patterns that the width bounds go by steps of a unit.
  const float bound = pictures_of(flow_layout(tall)) - in.unit;
  return least_height(in, [&](const FlowInput& one) {
    const FlowLayout at = flow_layout(one);
    const FlowRow* strip = at.row(FlowRow::Kind::strip);
    const float least = std::min(bound, strip ? one.n * kLeastStep : 5 * one.small);
    const FlowRow& last = at.rows.back();
    const float bottom = last.places.empty() ? last.box.bottom() : last.places.back().box.bottom() + one.small;
    return std::array{strip ? real(int{!at.parted}) : real(at.rows.size()),
                      real(int{pictures_of(at) >= least && bottom <= one.bottom() + 0.5f}),
                      std::min(strip ? strip->box.size.y : 0, 5 * one.small)};
  });
}

}  // namespace hydra
