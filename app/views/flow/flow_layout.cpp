#include "app/views/flow/flow_layout.h"

#include <algorithm>
#include <cmath>

#include "app/draw/nth.h"
#include "app/views/flow/flow_block.h"
#include "app/views/flow/flow_out.h"
#include "app/views/flow/flow_room.h"
#include "app/widgets/arrange.h"
#include "app/widgets/plot/label_steps.h"

namespace hydra {

using namespace flow;

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
  if (in.dropped) {
    band.arrow(w.softmax);
    band.picture(Quantity::dropped_attention, h.side, w.arrow - 2 * u, 0);
  }
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
