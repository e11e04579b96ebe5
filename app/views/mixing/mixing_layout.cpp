#include "app/views/mixing/mixing_layout.h"

#include <algorithm>
#include <cmath>

#include "app/widgets/arrange.h"

namespace hydra {

namespace {

float pictures_height(const MixingInput& in, float most) {
  return std::min(most, std::max(2.0f * in.text, real(in.tokens) * 2 * in.text));
}

// The strip's cells with numbers: whole heads side by side, or one head on several lines.
void arrange_strip(const MixingInput& in, OutputPage& out, float width) {
  const int d_k = in.concat / in.heads;
  out.cell = {std::ceil(in.number_width + in.unit), std::ceil(in.number + 1.5f * in.unit)};
  const float gap = 2 * in.unit;
  const float label = out.strip_label = 2.2f * in.small;
  const float head = label + real(d_k) * out.cell.x;
  out.line = out.cell.y + 1.25f * in.unit;
  if (head <= width) {
    out.cells = d_k;
    out.lines_per_head = 1;
    out.heads_per_line = std::clamp(static_cast<int>((width + gap) / (head + gap)), 1, in.heads);
    // Cells take the width that is left, up to half as much again.
    const float room = (width + gap) / real(out.heads_per_line) - gap - label;
    out.cell.x = std::floor(std::min(1.5f * out.cell.x, room / real(d_k)));
    out.head_step = label + real(d_k) * out.cell.x + gap;
  } else {
    out.cells = std::max(1, static_cast<int>((width - label) / out.cell.x));
    out.lines_per_head = (d_k + out.cells - 1) / out.cells;
    out.heads_per_line = 1;
    out.head_step = 0;
  }
  const int rows = (in.heads + out.heads_per_line - 1) / out.heads_per_line * out.lines_per_head;
  out.strip_content = real(rows) * out.line;
}

// The equation C x W_O = Y: W_O is square where C is as wide as Y, the others take the width that is left.
void place_equation(const MixingInput& in, OutputPage& out, float whole, float height) {
  out.bar = 1.5f * in.unit;
  out.above = in.text + in.unit + in.small + out.bar + in.unit;
  const float legend = in.small + 2 * in.unit, operation = 1.9f * in.text;
  const float bands = std::max(4.2f * in.small, std::min(0.09f * whole, 8 * in.small));
  const float width = whole - in.label_width - bands - 2 * operation;
  const float side = std::max(8.0f, std::floor(std::min(width / 3, height - out.above - legend)));
  // By its longer side; the other is never so short that nothing could be read.
  const float of_C = real(in.concat) / real(std::max(in.concat, in.d_model));
  const float of_Y = real(in.d_model) / real(std::max(in.concat, in.d_model));
  const float high = std::floor(side * std::max(of_C, 0.25f)), across = std::floor(side * std::max(of_Y, 0.25f));
  const float wide = std::max(8.0f, std::floor(std::min(0.5f * (width - across), 2.2f * side)));
  const float rows = std::floor(pictures_height(in, side));
  const Box line{{std::round(in.pos.x + in.label_width), std::round(in.pos.y + out.above)}, {whole, rows}};
  std::tie(out.C, out.times, out.bands, out.W_O, out.equals, out.Y) =
      row(line, 0, {fixed(wide), fixed(operation), fixed(bands), fixed(across), fixed(operation), fixed(wide)});
  out.bands.size.y = out.W_O.size.y = high;
}

// The columns with which the parts come nearest to a good size: wide ones for few tokens.
void arrange_sum(const MixingInput& in, OutputPage& out) {
  const int count = in.heads + 1 + in.extra_parts;
  const float gap = in.heads <= 32 ? 1.3f * in.small : 2 * in.unit;
  float best = -1;
  for (int columns = 1; columns <= count; ++columns) {
    const int rows = (count + columns - 1) / columns;
    const float indent = rows > 1 && in.heads <= 32 ? gap : 0;
    const float width = (out.sum.size.x - indent + gap) / real(columns) - gap;
    const bool numbered = width >= 1.6f * in.small;
    const float caption = (numbered ? 1.15f * in.small : 0) + 1.5f * in.unit;
    const float height = pictures_height(in, out.sum.size.y / real(rows) - caption - in.unit);
    const float score = std::min(width, 1.7f * height) + 0.05f * std::min(width, 3 * height);
    if (width < 1 || height < 1 || score < best) continue;
    best = score;
    out.columns = columns;
    out.indent = indent;
    out.numbered = numbered;
    out.caption = caption;
    out.part = {std::floor(std::min(width, 5 * height)), std::floor(height)};
    out.step = {std::floor(width + gap),
                std::floor(std::min(out.sum.size.y / real(rows), caption + height + 3 * in.unit))};
  }
  const float rows = std::ceil(real(count) / real(out.columns));
  out.sum.size.y = std::min(out.sum.size.y, rows * out.step.y);
}

}  // namespace

OutputPage output_page(const MixingInput& in) {
  OutputPage out;
  const float gap = 2.5f * in.unit, title = in.text + 1.5f * in.unit, legend = in.small + 2 * in.unit;
  const float reading = in.text + 2.2f * in.small + 4 * in.unit, inner = in.size.x - 2 * in.unit;
  const float bottom = in.bottom();
  float strip = 0;
  const auto place_strip = [&](float most) {
    arrange_strip(in, out, inner);
    if (out.strip_content > most) arrange_strip(in, out, inner - in.scrollbar);
    strip = std::min(out.strip_content, std::floor(std::max(1.0f, std::floor(most / out.line)) * out.line));
  };
  // The sum has what is left under its title, above `end`.
  const auto place_sum = [&](ImVec2 corner, float width, float end) {
    out.sum_title = {corner, {width, title}};
    out.sum = {{corner.x, out.sum_title.bottom()}, {width, std::max(1.0f, end - out.sum_title.bottom())}};
    arrange_sum(in, out);
  };
  const auto under_equation = [&] { return std::max(out.C.bottom(), out.W_O.bottom()) + legend + gap; };
  float below = 0;  // the strip's title
  if (in.size.x > 1.6f * in.size.y) {
    // The sum stands beside the equation and the reading. The pictures come first: where they would be small, a strip
    // of many lines scrolls.
    first_that_fits({0.27f, 0.14f}, [&](float most) {
      place_strip(most * in.size.y);
      const float upper = std::max(0.0f, in.size.y - title - strip - gap - in.unit);
      const float equation = std::max(0.0f, upper - reading - gap);
      const float left = first_that_fits({0.6f * in.size.x, 0.65f * in.size.x, 0.7f * in.size.x}, [&](float width) {
        place_equation(in, out, width, equation);
        return out.W_O.bottom() - in.pos.y >= 0.9f * equation;
      });
      out.reading = {{in.pos.x, under_equation()}, {left, reading}};
      place_sum({in.pos.x + left + 2 * gap, in.pos.y}, in.size.x - left - 2 * gap, in.pos.y + upper);
      return out.W_O.size.x >= 9 * in.text;
    });
    below = std::max(out.sum.bottom(), out.reading.bottom()) + gap;
  } else {
    place_strip((in.heads > 32 ? 0.2f : 0.27f) * in.size.y);  // many heads scroll in any case
    const float lower = reading + title + strip + 2 * gap + in.unit;
    place_equation(in, out, in.size.x, (in.heads > 32 ? 0.5f : 0.58f) * std::max(0.0f, in.size.y - lower - gap));
    place_sum({in.pos.x, under_equation()}, in.size.x, bottom - lower);
    out.reading = {{in.pos.x, out.sum.bottom() + gap}, {in.size.x, reading}};
    below = out.reading.bottom() + gap;
  }
  std::tie(out.strip_title, out.strip) =
      column({{in.pos.x, below}, {in.size.x, bottom - below}}, 0, {fixed(title), share(1, 1, out.strip_content)});
  return out;
}

float height_of_output(const MixingInput& in) {
  return least_height(in, [](const MixingInput& one) {
    const OutputPage at = output_page(one);
    return std::array{real(int{at.strip_content <= at.strip.size.y + 0.5f}), real(int{at.numbered}),
                      std::min(at.part.y, 2 * one.text)};
  });
}

ImVec2 strip_cell(const OutputPage& page, int head, int dimension) {
  const int row = head / page.heads_per_line * page.lines_per_head + dimension / page.cells;
  return {
      page.strip_label + real(head % page.heads_per_line) * page.head_step + real(dimension % page.cells) * page.cell.x,
      real(row) * page.line};
}

bool is_low(ImVec2 size, float text) { return size.y < 37 * text; }

SharesPage shares_page(const MixingInput& in) {
  SharesPage out;
  const float gap = 4 * in.unit, title = in.text + 1.5f * in.unit;
  const float left =
      std::floor(std::clamp(0.48f * (in.size.x - gap), std::min(25 * in.text, 0.5f * in.size.x), 40 * in.text));
  const float right = in.size.x - gap - left, x = in.pos.x + left + gap;
  const float bottom = in.bottom(), most = (in.low ? 1.0f : 0.6f) * in.size.y - title;
  const auto block = [&](Box& head, Box& box, float from_x, float from_y, float width, float height) {
    head = {{from_x, from_y}, {width, title}};
    box = {{from_x, from_y + title}, {width, std::max(1.0f, std::floor(height))}};
  };

  out.header = std::ceil(2.3f * in.small + in.unit);
  // Rows take the height that is left to them alone, up to half as much again.
  const auto row_of = [&](float least, int rows, float height) {
    return std::round(in.low ? std::clamp(height / real(rows), least, 1.5f * least) : least);
  };
  const float sentence = in.small + in.unit, legend = in.small + 2 * in.unit;
  out.row = row_of(1.7f * in.text, in.heads, most - sentence - out.header - in.unit);
  out.table_content = out.header + real(in.heads) * out.row;
  block(out.table_title, out.table, in.pos.x, in.pos.y, left, std::min(out.table_content, most - sentence));
  out.gates = {out.table.pos, {left, sentence}};
  out.table.pos.y += sentence;
  const float curve_top = in.low ? in.pos.y : out.table.bottom() + gap;
  block(out.curve_title, out.curve, in.pos.x, curve_top, left,
        std::min(bottom - curve_top - title, std::max(0.42f * in.size.y, (in.low ? 0.8f : 0.62f) * left)));

  out.bar_row = row_of(1.45f * in.text, in.tokens + 1, most - legend - 2 * in.unit);
  out.bars_content = std::ceil(legend + real(in.tokens + 1) * out.bar_row + in.unit);
  block(out.bars_title, out.bars, x, in.pos.y, right, std::min(out.bars_content, in.low ? most : 0.88f * most));
  const float directions_top = in.low ? in.pos.y : out.bars.bottom() + gap;
  const float chips = 1.9f * in.text, labels = in.small + in.unit, under = in.small + 2.5f * in.unit;
  out.directions_title = {{x, directions_top}, {right, title + chips}};
  const float room = bottom - out.directions_title.bottom() - labels - under;
  const float side = std::max(8.0f, std::floor(std::min({right - 2 * in.small, room, 30 * in.text})));
  out.directions = {{x + 2 * in.small, out.directions_title.bottom() + labels}, {side, side}};
  out.legend_width = std::max(side, std::min(right - 2 * in.small, 10 * in.small));
  return out;
}

float height_of_shares(const MixingInput& in) {
  return least_height(in, [](MixingInput one) {
    one.low = is_low(one.size, one.text);
    const SharesPage at = shares_page(one);
    return std::array{real(int{!one.low}), real(int{at.table_content <= at.table.size.y + 1}),
                      real(int{at.bars_content <= at.bars.size.y + 1})};
  });
}

}  // namespace hydra
