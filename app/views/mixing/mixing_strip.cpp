// One token large: an entry of its output read both ways, and its row of the concatenation with numbers.
#include <numeric>

#include "app/views/change/change_marks.h"
#include "app/views/frame/ui.h"
#include "app/views/mixing/mixing_parts.h"
#include "app/views/shared/pictured.h"
#include "app/widgets/stacked_bars.h"
#include "core/explain/links.h"
#include "core/linalg/fit.h"

namespace hydra::mixing {

namespace {

struct Entry {
  Index token = 0, column = 0;
};

// The entry of Y that is pointed at, in Y or in a Z; else the selected one; else the largest of the shown token.
Entry entry_of(const Frame& frame) {
  for (const std::optional<Cell>* cell : {&frame.was.cell, &std::as_const(frame.view.selection)}) {
    if (!*cell) continue;
    const Quantity quantity = (*cell)->site.quantity;
    if (quantity == Quantity::Y || quantity == Quantity::contribution) return {(*cell)->row, (*cell)->col};
  }
  Entry largest{shown_token(frame), 0};
  const auto row = layer_of(frame).output->row(largest.token);
  for (Index c = 1; c < row.size(); ++c)
    if (std::abs(row(c)) > std::abs(row(largest.column))) largest.column = c;
  return largest;
}

class Reading : Drawing {
 public:
  Reading(Frame& frame, const OutputPage& at)
      : Drawing(frame),
        at_(at),
        layer_(layer_of(frame)),
        entry_(entry_of(frame)),
        terms_(mixing_numbers(frame).terms) {}

  void draw() {
    read();
    ImVec2 pos = at_.reading.pos;
    const float width = at_.reading.size.x, u = u_;
    equation(pos, width);
    pos.y += em_ + 2 * u;
    auto bars = styled<StackedBars>(frame_, terms_);
    const StackRange range = stack_range(terms_);
    bars.low = range.low;
    bars.high = range.high;
    bars.pos = pos;
    bars.width = width;
    bars.row = 0.9f * small_;
    bars.probe_prefix = "mixing/reading/bar";
    bars.marked_part = marked_head(frame_);
    bars.color = [&](Index part) { return part == layer_.input.heads ? theme_.ink_faint : head_color(frame_, part); };
    const StackedBarsResult hit = stacked_bars(canvas_, bars);
    sum_mark(bars);
    if (hit.row >= 0 && hit.part < 0) tooltip(frame_, {wording("mixing:entry.bar"), wording("mixing:entry.bar.tip")});
    if (hit.part >= 0) {
      tooltip(frame_, {name_of(hit.part), term_line(hit.part)});
      if (hit.clicked && hit.part < layer_.input.heads) focus_head(frame_, static_cast<int>(hit.part));
    }
    pos.y += bars.row + 1.5f * u;
    list(pos, width);
    ui::probe("mixing/reading", at_.reading.pos, {at_.reading.right(), at_.reading.bottom()});
  }

 private:
  bool bias() const { return layer_.input.weights.b_O != nullptr; }
  std::string name_of(Index part) const {
    return part == layer_.input.heads ? "b_O" : wording("mixing:entry.part", {{"head", part + 1}});
  }
  std::string term_line(Index part) const {
    return wording("mixing:entry.share", {{"value", ui::number(terms_(0, part), As::reading)}});
  }

  // Both sums, in doubles of the numbers that are shown.
  void read() {
    const Index heads = layer_.input.heads;
    fit(terms_, 1, heads + 1);
    sum_ = 0;
    const Mat<float>& added = frame_.derived.contributions_to(view_.layer, entry_.token);
    for (Index h = 0; h < heads; ++h) sum_ += terms_(0, h) = added(h, entry_.column);
    const double b = bias() ? (*layer_.input.weights.b_O)(0, entry_.column) : 0;
    sum_ += terms_(0, heads) = b;
    product_ = layer_.concat->row(entry_.token)
                   .cast<double>()
                   .dot(layer_.input.weights.W_O->col(entry_.column).cast<double>()) +
               b;
  }

  void equation(ImVec2 pos, float width) const {
    const std::string& token = nth(frame_.trace.tokens, entry_.token);
    const std::string column = axis_label(frame_.trace, Axis::model_dim, entry_.column);
    const std::string product = bias() ? "C W_O + b_O" : "C W_O";
    const Index heads = layer_.input.heads;
    float x = pos.x;
    const float end = pos.x + width;
    const auto put = [&](ImFont* font, ImU32 ink, const std::string& text) {
      if (x >= end) return;
      const std::string shown = clipped(font, say(text), end - x);
      canvas_.text_at(font, {x, pos.y + 0.5f * (em_ - font->FontSize)}, ink, shown);
      x += text_width(font, shown);
    };
    const bool brief = width < 44 * em_;
    put(fonts_.strong, theme_.ink, "Y[" + token + ", " + column + "]");
    put(fonts_.small, theme_.ink_soft,
        "   " +
            wording(brief ? "mixing:entry.products.brief" : "mixing:entry.products",
                    {{"product", product}, {"n", layer_.input.concat_width()}}) +
            "  ");
    put(fonts_.mono, theme_.ink, ui::number(product_, As::reading));
    const char* parts = brief ? "mixing:entry.parts.brief" : bias() ? "mixing:entry.parts.bias" : "mixing:entry.parts";
    put(fonts_.small, theme_.ink_soft, "   " + wording(parts, {{"n", heads}}) + "  ");
    put(fonts_.mono, theme_.ink, ui::number(sum_, As::reading));
  }

  // Where the sum lies on the bar: what the positive parts exceed the negative ones by.
  void sum_mark(const StackedBars& bars) const {
    if (!std::isfinite(sum_)) return;
    const double t = std::clamp((sum_ - bars.low) / (bars.high - bars.low), 0.0, 1.0);
    const float x = std::round(bars.pos.x + real(t) * bars.width), u = u_;
    canvas_.triangle({x, bars.pos.y + 2}, {x - u, bars.pos.y - u}, {x + u, bars.pos.y - u}, theme_.ink);
  }

  // The terms with their numbers, in one line: all of them in the heads' order, or the largest where not all fit.
  void list(ImVec2 pos, float width) const {
    const auto count = static_cast<int>(layer_.input.heads) + (bias() ? 1 : 0);
    std::vector<int> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    const float all = std::accumulate(order.begin(), order.end(), -4 * u_,
                                      [&](float sum, int part) { return sum + term_width(part); });
    const float end = pos.x + width;
    const auto more = [&](int left) { return wording("mixing:entry.more", {{"n", left}}); };
    if (all > width) std::ranges::stable_sort(order, [&](int a, int b) { return length(a) > length(b); });
    int shown = 0;
    const float rest = all > width ? text_width(fonts_.small, more(count)) : -4 * u_;
    for (; shown < count && pos.x + term_width(nth(order, shown)) + rest <= end + 0.5f; ++shown) {
      term(nth(order, shown), pos);
      pos.x += term_width(nth(order, shown));
    }
    if (shown < count) canvas_.text_at(fonts_.small, pos, theme_.ink_faint, more(count - shown), end - pos.x);
  }

  // With the gap after it.
  float term_width(int part) const {
    const float mark =
        part == layer_.input.heads ? 1.6f * small_ : small_ + text_width(fonts_.small, std::to_string(part + 1));
    return mark + text_width(fonts_.mono_small, ui::number(terms_(0, part))) + 5 * u_;
  }

  double length(int part) const {  // NaN has no place in an order
    const double value = std::abs(terms_(0, part));
    return std::isnan(value) ? -1 : value;
  }

  void term(int part, ImVec2 pos) const {
    float x = pos.x;
    if (part == layer_.input.heads) {
      canvas_.math_at(fonts_.small, fonts_.mono_small, pos, theme_.ink_soft, "b_O");
      x += 1.6f * small_;
    } else {
      x += head_mark(frame_, part, pos, fonts_.small, ink_for(frame_, part == marked_head(frame_)));
    }
    canvas_.text_at(fonts_.mono_small, {x + u_, pos.y + 1}, theme_.ink, ui::number(terms_(0, part)));
  }

  const OutputPage& at_;
  const LayerTrace<float>& layer_;
  Entry entry_;
  Mat<double>& terms_;
  double sum_ = 0, product_ = 0;
};

// One token's row of C: cells of a size for numbers, a group per head.
class Strip : Drawing {
 public:
  Strip(Frame& frame, const OutputPage& at)
      : Drawing(frame),
        at_(at),
        layer_(layer_of(frame)),
        ref_{Quantity::concat, frame.view.layer, kNoHead},
        token_(shown_token(frame)),
        scale_(scale_for(frame, ref_)) {}

  void draw() {
    const std::string& token = nth(frame_.trace.tokens, token_);
    title(frame_, "mixing/strip/title", at_.strip_title,
          wording("mixing:strip.title",
                  {{"token", token}, {"heads", layer_.input.heads}, {"numbers", layer_.input.d_k()}}),
          wording("mixing:strip.tip"));
    const bool scrolls = at_.strip_content > at_.strip.size.y + 0.5f;
    ui::room(canvas_, "mixing/strip", at_.strip.pos, at_.strip.size, scrolls, [&](ImVec2 corner) {
      cells(corner);
      return at_.strip_content;
    });
  }

 private:
  void cells(ImVec2 corner) {
    const Box in_sight = canvas_.visible();
    const float low = in_sight.pos.y, high = in_sight.bottom();
    const auto heads = static_cast<int>(layer_.input.heads);
    const Canvas::Layers layers(canvas_);
    for (int h = 0; h < heads; ++h)
      for (int part = 0; part < at_.lines_per_head; ++part) {
        const ImVec2 from = strip_cell(at_, h, part * at_.cells);
        const ImVec2 pos{corner.x + from.x, corner.y + from.y};
        if (pos.y + at_.line >= low && pos.y <= high) group(h, part, pos);
      }
  }

  void group(int head, int part, ImVec2 pos) {
    const Index d_k = layer_.input.d_k(), first = part * at_.cells, count = std::min<Index>(at_.cells, d_k - first);
    const std::string name = ui::words("mixing/strip/", head + 1, part > 0 ? "/" + std::to_string(part + 1) : "");
    const Pictured row{
        .name = "mixing.strip",
        .title = wording("mixing:strip.part", {{"token", nth(frame_.trace.tokens, token_)}, {"head", head + 1}}),
        .shown = {layer_.concat, token_, head * d_k + first, 1, count},
        .scale = scale_,
        .first = Cell{ref_, token_, head * d_k + first}};
    const Heatmap heatmap = picture(frame_, name, row, pos, {real(count) * at_.cell.x, at_.cell.y},
                                    {.square_cells = false, .framed = false})
                                .heatmap;
    draw_changed_cells(frame_, ref_, heatmap);
    if (part == 0)
      head_mark(frame_, head, {pos.x - at_.strip_label, pos.y + 0.5f * (at_.cell.y - small_)}, fonts_.small,
                ink_for(frame_, head == marked_head(frame_)));
    canvas_.fill({heatmap.min.x, heatmap.max.y}, {heatmap.max.x, heatmap.max.y + 0.5f * u_}, head_color(frame_, head));
  }

  const OutputPage& at_;
  const LayerTrace<float>& layer_;
  Site ref_;
  Index token_;
  ValueScale scale_;
};

}  // namespace

void draw_reading(Frame& frame, const OutputPage& at) {
  const Canvas::Part part(frame.canvas, "mixing.reading");
  Reading(frame, at).draw();
}
void draw_strip(Frame& frame, const OutputPage& at) {
  const Canvas::Part part(frame.canvas, "mixing.strip");
  Strip(frame, at).draw();
}

}  // namespace hydra::mixing
