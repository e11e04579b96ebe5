// What is lost when heads are silenced one after the other, and whether heads write the same direction.
#include <algorithm>

#include "app/views/frame/ui.h"
#include "app/views/mixing/mixing_parts.h"
#include "app/views/shared/compared.h"
#include "app/views/shared/pictured.h"
#include "app/widgets/plot/plot.h"

namespace hydra::mixing {

namespace {

// The greedy order under the counts: each head's number where there is room, else its colour.
void greedy_order(Frame& frame, const Silencing& silencing, const PlotResult& plot, float height) {
  ImFont* font = frame.fonts.small;
  const float y = plot.max.y + frame.unit, number = text_width(font, silencing.order.size() > 9 ? "96" : "8");
  const bool numbered = plot.step >= number + 0.5f * frame.unit;
  const float half = numbered ? 0.5f * number : std::max(0.5f, 0.5f * plot.step - (plot.step > 4 ? 0.5f : 0));
  for (std::size_t k = 0; k < silencing.order.size(); ++k) {
    const int head = silencing.order[k];
    const float x = plot.first + real(k + 1) * plot.step;
    const ImVec2 a{x - half, y}, b{x + half, y + height - frame.unit};
    ui::probe({"mixing/order/", k + 1}, a, b);
    const float bar = numbered ? 0.75f * frame.unit : b.y - a.y;
    frame.canvas.fill({a.x, b.y - bar}, b, head_color(frame, head));
    if (numbered)
      frame.canvas.text_centered(font, {x, a.y + 0.5f * font->FontSize}, ink_for(frame, head == marked_head(frame)),
                                 std::to_string(head + 1));
    if (!frame.canvas.over({x - 0.5f * plot.step, a.y}, {x + 0.5f * plot.step, b.y})) continue;
    tooltip(frame, {head_name(head), wording("mixing:order.place", {{"n", k + 1}})});
    if (ui::clicked()) focus_head(frame, head);
  }
}

void curve_tip(const Frame& frame, const Silencing& silencing, Index hovered_count) {
  const auto k = static_cast<std::size_t>(hovered_count);
  std::vector<std::string> lines{
      wording(silencing.silent.empty() ? "mixing:curve.silenced" : "mixing:curve.open_silenced",
              {{"n", k}, {"heads", silencing.order.size()}})};
  if (k > 0) {
    std::string heads;
    for (std::size_t j = 0; j < std::min<std::size_t>(k, 16); ++j)
      heads += (j == 0 ? "" : ", ") + std::to_string(silencing.order[j] + 1);
    if (k > 16) heads += " …";
    lines.push_back(
        wording("mixing:curve.change",
                {{"n", k}, {"heads", heads}, {"change", ui::number(silencing.change[k], As::fine_percent)}}));
    lines.push_back(wording(silencing.random_orders == 0 ? "mixing:curve.all_orders" : "mixing:curve.random_order",
                            {{"mean", ui::number(silencing.random_mean[k], As::fine_percent)},
                             {"low", ui::number(silencing.random_low[k], As::fine_percent)},
                             {"high", ui::number(silencing.random_high[k], As::fine_percent)}}));
  }
  tooltip(frame, lines);
}

}  // namespace

void draw_curve(Frame& frame, const SharesPage& at) {
  const Canvas::Part part(frame.canvas, "mixing.curve");
  title(frame, "mixing/curve/title", at.curve_title, wording("mixing:curve.title"), wording("mixing:curve.tip"));
  const Mixing* mixing = measured(frame);
  const float small = frame.fonts.small->FontSize;
  if (frame.view.guessing) {
    ui::probe("mixing/guess", at.curve.pos, {at.curve.right(), at.curve.pos.y + small});
    return frame.canvas.text_at(frame.fonts.small, at.curve.pos, frame.theme.ink_soft, wording("mixing:curve.hidden"),
                                at.curve.size.x);
  }
  if (!mixing || at.curve.size.y < 6 * small) return;
  const Silencing& silencing = mixing->silencing;
  ImVec2 pos = at.curve.pos;
  ImGui::PushFont(frame.fonts.small);
  ImGui::SetCursorScreenPos(pos);
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + at.curve.size.x);
  ui::text(frame, mixing_numbers(frame).removal, {.ink = frame.theme.ink});
  ImGui::PopTextWrapPos();
  ImGui::PopFont();
  ui::probe("mixing/removal");
  pos.y = ImGui::GetItemRectMax().y + frame.unit;
  if (silencing.order.empty() || !std::isfinite(silencing.change.back())) return;
  auto plot = styled<Plot>(frame);
  plot.keyed = true;
  plot.series.push_back(
      {.y = &silencing.change, .color = frame.theme.accent, .label = wording("mixing:curve.least_first")});
  const std::string& others =
      wording(silencing.random_orders == 0 ? "mixing:curve.mean.all_orders" : "mixing:curve.mean.random_order");
  plot.series.push_back({.y = &silencing.random_mean,
                         .color = frame.theme.ink_soft,
                         .label = spelled(frame, others),
                         .strong = false,
                         .low = &silencing.random_low,
                         .high = &silencing.random_high,
                         .band = true});
  plot.weak = 1;
  plot.x.high = std::max(1.0, static_cast<double>(silencing.change.size()) - 1);
  plot.x.numbered = false;
  plot.x.title = spelled(frame, wording("mixing:curve.axis"));
  plot.y.high = mixing_numbers(frame).curve_top;
  plot.y.title = wording("mixing:curve.change_axis");
  plot.y.say = [](double value) { return ui::number(value, As::axis_percent); };
  plot.under = small + 2 * frame.unit;
  compare(frame, plot, [&](const Source& source) {
    const std::shared_ptr<const Mixing> other = mixing_of(frame, source);
    std::vector<PlotSeries> series;
    // Of the same heads at each place alone: in another order its points would stand over others.
    if (other && other->silencing.order == silencing.order)
      series.push_back({.y = other->silencing.change, .color = 0});
    return series;
  });
  for (const PlotSeries& other :
       plot.others)  // as the curve itself: it ends at all of Y, or by rounding a little above
    plot.y.high = std::max(plot.y.high, *std::ranges::max_element(other.y.all()));
  const PlotResult result =
      draw_plot(frame.canvas, "mixing/curve", plot, {pos, {at.curve.size.x, at.curve.bottom() - pos.y}});
  greedy_order(frame, silencing, result, plot.under);
  if (result.place >= 0) curve_tip(frame, silencing, result.place);
}

namespace {

void direction_chips(Frame& frame, const SharesPage& at) {
  const ViewState& view = frame.view;
  ImGui::SetCursorScreenPos(
      {at.directions_title.pos.x, at.directions_title.pos.y + frame.fonts.strong->FontSize + frame.unit});
  const Index token = shown_token(frame);
  const bool& one = view.mixing.token_directions;
  auto chips = ui::Chips::in_line(frame);
  chips.choice("mixing/directions/all", wording("mixing:all_tokens"), one, false, wording("mixing:directions.all.tip"));
  const float room = at.directions_title.size.x - ui::chip_width(wording("mixing:all_tokens")) -
                     ui::chip_width(wording("mixing:quoted", {{"token", ""}})) - 2 * frame.unit;
  const std::string word = clipped(frame.fonts.text, nth(frame.trace.tokens, token), std::max(1.0f, room));
  chips.choice("mixing/directions/token", wording("mixing:quoted", {{"token", word}}), one, true,
               wording("mixing:directions.token.tip"));
}

// Head numbers left of and over the matrix where the cells are as large as they are, else their colours.
void direction_labels(const Frame& frame, const Heatmap& heatmap) {
  ImFont* font = frame.fonts.small;
  const auto heads = static_cast<int>(heatmap.rows);
  const float step = (heatmap.max.x - heatmap.min.x) / real(heads), bar = 0.75f * frame.unit;
  const bool numbered = step >= text_width(font, heads > 9 ? "96" : "8") + 1;
  for (int h = 0; h < heads; ++h) {
    const float from = real(h) * step, to = from + step - (step > 4 ? 1.0f : 0.0f);
    const ImU32 color = head_color(frame, h);
    frame.canvas.fill({heatmap.min.x + from, heatmap.min.y - bar - 2}, {heatmap.min.x + to, heatmap.min.y - 2}, color);
    frame.canvas.fill({heatmap.min.x - bar - 2, heatmap.min.y + from}, {heatmap.min.x - 2, heatmap.min.y + to}, color);
    const bool focused = h == marked_head(frame);
    if (!numbered && !focused) continue;
    const std::string number = std::to_string(h + 1);
    const ImU32 ink = ink_for(frame, focused);
    const float middle = from + 0.5f * step;
    frame.canvas.text_centered(font, {heatmap.min.x + middle, heatmap.min.y - bar - 3 - 0.5f * font->FontSize}, ink,
                               number);
    frame.canvas.text_up_to(font, {heatmap.min.x - bar - 4, heatmap.min.y + middle - 0.5f * font->FontSize}, ink,
                            number);
  }
}

bool is_silent(float cosine) { return cosine == -std::numeric_limits<float>::infinity(); }

const std::string& meaning(float cosine) {
  if (!std::isfinite(cosine)) return wording("mixing:directions.not_finite");
  return wording(cosine > 0.5f    ? "mixing:directions.same"
                 : cosine < -0.5f ? "mixing:directions.opposite"
                                  : "mixing:directions.unrelated");
}

}  // namespace

void draw_directions(Frame& frame, const SharesPage& at) {
  const Canvas::Part part(frame.canvas, "mixing.directions");
  title(frame, "mixing/directions/title", at.directions_title, wording("mixing:directions.title"),
        wording("mixing:directions.tip"));
  direction_chips(frame, at);
  const Array<float> cosines =
      shown_cosines(frame, frame.view.mixing.token_directions ? shown_token(frame) : kAllTokens);
  if (!cosines) return;
  const auto pair = [](Index one, Index other) {
    return wording("mixing:directions.pair", {{"one", one + 1}, {"other", other + 1}});
  };
  const auto [hit, heatmap] = picture(frame, "mixing/directions",
                                      {.name = "directions",
                                       .title = wording("mixing:directions.picture"),
                                       .shown = whole(cosines),
                                       .scale = {diverging(frame), -1, 1},
                                       .place = pair},
                                      at.directions.pos, at.directions.size, {.clickable = false});
  direction_labels(frame, heatmap);
  const Index focused = marked_head(frame);
  if (focused >= 0 && focused < heatmap.rows)
    draw_cell_outline(frame.canvas, heatmap, focused, focused + 1, 0, heatmap.cols, frame.theme.accent,
                      0.375f * frame.unit);
  const std::string& silent = wording("mixing:directions.silent");
  legend(frame, heatmap.scale, {at.directions.pos.x, heatmap.max.y + 1.5f * frame.unit}, at.legend_width,
         {.masked = (cosines->array() == -std::numeric_limits<float>::infinity()).any(),
          .non_finite = cosines->array().isNaN().any(),
          .masked_label = silent.c_str()});
  if (!hit.hovered) return;
  const float value = (*cosines)(hit.row, hit.col);
  const std::string heads = wording("mixing:directions.heads", {{"one", hit.row + 1}, {"other", hit.col + 1}});
  if (is_silent(value))
    tooltip(frame, {heads, silent, wording("mixing:directions.silent.tip")});
  else
    tooltip(frame,
            {heads,
             wording("mixing:directions.cosine",
                     {{"cosine", std::isfinite(value) ? ui::number(value, As::share) : wording("mixing:not_defined")}}),
             hit.row == hit.col ? wording("mixing:directions.itself") : meaning(value)});
  if (hit.clicked) focus_head(frame, static_cast<int>(hit.row));
}

}  // namespace hydra::mixing
