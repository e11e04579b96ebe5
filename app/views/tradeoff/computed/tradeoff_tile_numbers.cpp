// How it is computed: a query's running maximum, sum and output, tile by tile, from the trace's own numbers.
#include "app/views/frame/ui.h"
#include "app/views/tradeoff/computed/tiles_motion.h"
#include "app/views/tradeoff/computed/tradeoff_computed.h"

namespace hydra::tradeoff {

namespace {

class NumbersPanel : Drawing {
 public:
  NumbersPanel(Frame& frame, const TileNumbers& t, Index done, const Box& area)
      : Drawing(frame), t_(t), seen_(t.seen(done)), mono_(frame.fonts.mono), small_(frame.fonts.small), area_(area) {
    row_ = std::round(1.55f * em_);
    // The figures take what the longest of them does.
    float figures[3] = {};
    for (float& wide : figures) wide = text_width(mono_, "-0.000");
    for (const RunningSoftmax<float>& s : t.states)
      for (int k = 0; k < 3; ++k)
        if (const float value = k == 0 ? s.top : k == 1 ? s.total : s.shrink; std::isfinite(value))
          figures[k] = std::max(figures[k], text_width(mono_, (k == 2 ? "x" : "") + ui::number(value, As::share)));
    const float gap = 2 * frame.unit;
    keys_ = std::clamp(area.size.x - figures[0] - figures[1] - figures[2] - 3 * gap - 7.5f * em_, 4.5f * em_, 9 * em_);
    x_[0] = area.pos.x;
    x_[1] = area.pos.x + keys_;
    for (int k = 0; k < 3; ++k) x_[k + 2] = x_[k + 1] + figures[k] + gap;
    strip_x_ = x_[4] + frame.unit;
    strip_ = std::max(2 * em_, area.right() - strip_x_);
  }

  void draw() {
    float y = headers(area_.pos.y);
    const auto count = std::ssize(t_.states);
    // Of many tiles those around the present one.
    const auto room = std::max<Index>(1, static_cast<Index>((area_.bottom() - y - 7 * em_) / row_));
    const Index from = std::clamp<Index>(seen_ - 1 - room / 2, 0, std::max<Index>(0, count - room));
    for (Index k = from; k < std::min(count, from + room); ++k, y += row_) state(k, y);
    if (count > room)
      canvas_.text_at(small_, {x_[0], y}, theme_.ink_soft,
                      wording("tradeoff:tiles.some", {{"n", count}, {"shown", std::min(count, from + room) - from}})),
          y += 1.4f * small_->FontSize;
    ends(y + 1.5f * u_);
  }

 private:
  std::string token(Index k) const { return nth(frame_.trace.tokens, k); }
  void right(float column_end, float y, ImU32 color, const std::string& text) const {
    canvas_.text_up_to(mono_, {column_end, y + 0.5f * (row_ - mono_->FontSize)}, color, text);
  }
  float end_of(int column) const { return x_[column + 1] - 2 * u_; }

  float headers(float y) const {
    struct Column {
      const char* name;
      std::string text, tip;
    };
    const Column columns[] = {
        {"keys", wording("tradeoff:tiles.column.keys"), wording("tradeoff:tiles.column.keys.tip")},
        {"top", "m", wording("tradeoff:tiles.column.top.tip")},
        {"total", "l", wording("tradeoff:tiles.column.total.tip")},
        {"shrink", wording("tradeoff:tiles.column.rescale"), wording("tradeoff:tiles.column.rescale.tip")},
        {"output", wording("tradeoff:tiles.column.output"), wording("tradeoff:tiles.column.output.tip")}};
    for (int k = 0; k < 5; ++k) {
      const Column& c = columns[k];
      const std::string text = clipped(small_, say(c.text), k == 4 ? strip_ : k == 0 ? keys_ : 8 * em_);
      const float wide = text_width(small_, text);
      const float x = k == 4 ? strip_x_ : k == 0 ? x_[0] : end_of(k) - wide;
      canvas_.text_at(small_, {x, y}, theme_.ink_soft, text);
      ImGui::SetCursorScreenPos({x, y});
      ImGui::Dummy({std::max(1.0f, wide), small_->FontSize});
      ui::probe({"tradeoff/tiles/column/", c.name});
      if (ImGui::IsItemHovered()) ui::tooltip(frame_, {c.tip});
    }
    return y + 1.5f * small_->FontSize;
  }
  std::string keys_text(const RunningSoftmax<float>& state, Index k) const {
    const Index first = k * t_.side, last = state.keys - 1;
    return first == last ? token(first) : token(first) + " … " + token(last);
  }

  ValueScale scale() const {
    const float range = real(ui::nice_ceiling(t_.largest));
    return {diverging(frame_), -range, range};
  }
  void strip(const Array<float>& values, Index row, float y) const {
    const Heatmap heatmap = heatmap_of({values, row, 0, 1, values->cols()}, {strip_x_, y + 0.5f * u_},
                                       {strip_x_ + strip_, y + row_ - 0.5f * u_}, scale());
    canvas_.cells(heatmap);
    if (values_fit(heatmap, fonts_.mono_small)) draw_cell_values(canvas_, heatmap, fonts_.mono_small);
    if (!canvas_.over(heatmap.min, heatmap.max)) return;
    const Index last = values->cols() - 1;
    const float part = (ImGui::GetIO().MousePos.x - strip_x_) / strip_;
    const Index col = std::clamp<Index>(static_cast<Index>(part * real(last + 1)), 0, last);
    ui::tooltip(frame_, {wording("tradeoff:tiles.number",
                                 {{"column", col}, {"number", ui::number((*values)(row, col), As::reading)}})});
  }

  void state(Index k, float y) const {
    const RunningSoftmax<float>& s = nth(t_.states, k);
    const bool done = k < seen_, now = k + 1 == seen_;
    if (now) canvas_.fill({area_.pos.x - u_, y}, {area_.right() + u_, y + row_}, theme_.accent_soft, 0.75f * u_);
    const ImU32 ink = done ? theme_.ink : theme_.ink_faint;
    canvas_.text_at(fonts_.text, {x_[0], y + 0.5f * (row_ - em_)}, ink, say(keys_text(s, k)), keys_ - u_);
    ui::probe({"tradeoff/tiles/state/", k + 1}, {area_.pos.x, y}, {area_.right(), y + row_});
    if (!done) return;
    const bool nothing = std::isinf(s.top);
    right(end_of(1), y, ink, nothing ? say("-∞") : ui::number(s.top, As::share));
    right(end_of(2), y, ink, ui::number(s.total, As::share));
    right(end_of(3), y, s.shrink != 1 && now ? theme_.accent : ink,
          k == 0 ? "" : say("×") + ui::number(s.shrink, As::share));
    strip(t_.outputs, k, y);
  }

  void ends(float y) const {
    const bool whole = seen_ == std::ssize(t_.states);
    canvas_.fill({area_.pos.x, y - u_}, {area_.right(), y - u_ + 1}, theme_.line);
    const auto line = [&](const std::string& text, Index row, bool shown) {
      canvas_.text_at(fonts_.text, {x_[0], y + 0.5f * (row_ - em_)}, shown ? theme_.ink : theme_.ink_faint, say(text),
                      strip_x_ - x_[0]);
      if (shown) strip(t_.ends, row, y);
      y += row_;
    };
    line(wording("tradeoff:tiles.end"), 0, whole);
    line(wording(t_.alone ? "tradeoff:tiles.end.alone" : "tradeoff:tiles.end.trace"), 1, true);
    y += 1.5f * u_;
    const std::string text = result(whole);
    const float high = paragraph(frame_, fonts_.text, {area_.pos.x, y}, area_.size.x,
                                 whole ? theme_.accent : theme_.ink_soft, say(text));
    ui::probe("tradeoff/tiles/result", {area_.pos.x, y}, {area_.right(), y + high});
    arithmetic(y + high + 4 * u_);
  }

  // What the present tile has done to the query, where there is room for it.
  void arithmetic(float y) const {
    if (seen_ == 0) return;
    const RunningSoftmax<float>& s = nth(t_.states, seen_ - 1);
    if (std::isinf(s.top)) return;
    const auto number = [](float value) { return ui::number(value, As::share); };
    const auto last = static_cast<std::size_t>(seen_) - 2;  // the state before, where there is one
    const RunningSoftmax<float>* before = seen_ > 1 ? &t_.states[last] : nullptr;
    const bool first = !before || std::isinf(before->top);
    const std::string top = number(s.top), total = number(s.total), shrink = number(s.shrink),
                      of_tile = std::isinf(s.tile_top) ? "-∞" : number(s.tile_top);
    std::vector<std::string> lines;
    if (!first)
      lines = {"m = max(" + number(before->top) + ", " + of_tile + ") = " + top,
               wording("tradeoff:tiles.rescale", {{"before", number(before->top)}, {"top", top}, {"shrink", shrink}}),
               "l = " + number(before->total) + " × " + shrink + " + " + number(s.tile_total) + " = " + total,
               wording("tradeoff:tiles.output", {{"shrink", shrink}})};
    else if (t_.sink)
      lines = {wording("tradeoff:tiles.first.top_sink", {{"sink", number(*t_.sink)}, {"tile", of_tile}, {"top", top}}),
               wording("tradeoff:tiles.first.total_sink", {{"total", total}}), wording("tradeoff:tiles.first.output")};
    else
      lines = {wording("tradeoff:tiles.first.top", {{"top", top}}),
               wording("tradeoff:tiles.first.total", {{"total", total}}), wording("tradeoff:tiles.first.output")};
    const float step = 1.5f * mono_->FontSize;
    if (y + em_ + 2 * u_ + real(lines.size()) * step > area_.bottom()) return;
    canvas_.text_at(fonts_.strong, {area_.pos.x, y}, theme_.ink,
                    wording("tradeoff:tiles.arithmetic", {{"token", quoted(frame_, token(t_.query))}}), area_.size.x);
    ui::probe("tradeoff/tiles/arithmetic", {area_.pos.x, y}, {area_.right(), y + em_});
    y += em_ + 2 * u_;
    for (const std::string& line : lines) {
      canvas_.text_at(mono_, {area_.pos.x, y}, theme_.ink, say(line), area_.size.x);
      y += step;
    }
  }

  std::string result(bool whole) const {
    if (t_.painted) return wording("tradeoff:tiles.result.painted");
    if (!whole) return wording("tradeoff:tiles.result.so_far");
    if (std::isinf(t_.states.back().top)) return wording("tradeoff:tiles.result.nothing");
    const std::string row = ui::number(t_.weights_apart, As::order);
    if (t_.alone)
      return wording("tradeoff:tiles.result.alone", {{"row", row}}) + " " +
             wording(layer_of(frame_).input.settings.differential ? "tradeoff:tiles.result.differential"
                                                                  : "tradeoff:tiles.result.talking");
    return wording("tradeoff:tiles.result", {{"row", row}, {"output", ui::number(t_.output_apart, As::order)}});
  }

  const TileNumbers& t_;
  Index seen_;
  ImFont *mono_, *small_;
  Box area_;
  float row_ = 1, keys_ = 1, strip_x_ = 0, strip_ = 1;
  float x_[5] = {};  // of the columns, and where the last of figures ends
};

}  // namespace

const TileNumbers& tile_numbers(Frame& frame) {
  const LayerTrace<float>& layer = layer_of(frame);
  const Index n = layer.input.n(), asked = asked_query(frame, n);
  const Index side = side_for(frame.view.tradeoff.tile_side, n);
  const bool fixed = chosen_query(frame) == asked;  // by somebody
  auto& kept = frame.made.of<TileNumbers>();
  // One that was found stays while its numbers do.
  const bool same = kept.asked == asked && (!fixed || kept.query == asked);
  if (same && kept.are_of(layer, frame.view.focused_head, kept.query, side)) return kept;
  const Array<float> scores = scores_of(layer, frame.view.focused_head);
  const Index before = same && kept.query < n ? kept.query : asked;
  const Index query = fixed ? asked
                            : telling_query(*scores, layer.input.mask_of(frame.view.focused_head), side, before,
                                            layer.input.sink(frame.view.focused_head));
  kept = tile_numbers_of(layer, frame.view.focused_head, query, side);
  kept.asked = asked;
  return kept;
}

void draw_tile_numbers(Frame& frame, const TileNumbers& numbers, Index done, const Box& area) {
  NumbersPanel(frame, numbers, done, area).draw();
}

}  // namespace hydra::tradeoff
