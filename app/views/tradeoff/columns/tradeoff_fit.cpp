#include "app/views/tradeoff/columns/tradeoff_fit.h"
#include "app/views/shared/pictured.h"

namespace hydra::tradeoff {

std::string share_text(double share) {
  return share < 0.0005 ? wording("tradeoff:fit.under") : ui::number(share, As::percent);
}

Plot FitDrawing::plot_of(std::vector<double> counts, const std::vector<std::vector<double>>& by_seed,
                         int marked) const {
  std::vector<double> median, least, most;
  for (const std::vector<double>& values : by_seed) {
    const Spread spread = spread_of(values);
    median.push_back(spread.median), least.push_back(spread.least), most.push_back(spread.most);
  }
  auto plot = styled<Plot>(frame_);
  plot.places = std::move(counts);
  plot.x.logarithmic = true;
  plot.y.high = std::max(0.1, ui::nice_ceiling(most.empty() ? 0 : std::ranges::max(most)));
  plot.y.say = [](double value) { return ui::number(value, As::axis_percent); };
  plot.series.push_back(
      {.y = std::move(median), .color = theme_.accent, .low = std::move(least), .high = std::move(most)});
  plot.marked = marked;
  plot.pointed = frame_.was.width;
  return plot;
}

PlotResult FitDrawing::show(const char* name, const Box& area, Plot plot, const PlotHeading& heading) const {
  const PlotResult hit = plotted(frame_, name, heading, area, std::move(plot));
  frame_.next.width = hit.place;
  return hit;
}

void FitDrawing::picture(const std::string& name, const std::string& words, const Array<float>& matrix, ImVec2 corner,
                         ImVec2 size, const std::function<std::string(Index row, Index col)>& said) const {
  const bool fits = size.x / real(matrix->cols()) > text_width(fonts_.mono_small, "0.00") + 2 * u_;
  const auto [hit, heatmap] = hydra::picture(
      frame_, name,
      {.name = name, .title = words, .shown = whole(matrix), .scale = {sequential(frame_), 0, 1}, .place = said},
      corner, size, {.square_cells = false, .values = fits, .grid = theme_.line});
  if (hit.hovered)
    ui::tooltip(frame_, {say(wording("tradeoff:fit.cell", {{"place", said(hit.row, hit.col)},
                                                           {"weight", ui::number((*matrix)(hit.row, hit.col))}}))});
}

float FitDrawing::words(const Box& area, float y, const std::string& text, bool soft) const {
  ImFont* font = soft ? fonts_.small : fonts_.text;
  if (y + paragraph_height(frame_, font, area.size.x, text) > area.bottom()) return y;
  return y + paragraph(frame_, font, {area.pos.x, y}, area.size.x, soft ? theme_.ink_soft : theme_.ink, text) +
         1.5f * u_;
}

void FitDrawing::pale(const Box& area) const {
  if (fit_of(frame_).older) canvas_.fill(area.pos, {area.right(), area.bottom()}, with_alpha(theme_.ground, 150));
}

// --- what is asked for

const Measured<FitWidthsMeasure>& fitted_widths(const Frame& frame) {
  return frame.now.measured<FitWidthsMeasure>(
      {frame.view.layer, frame.view.focused_head, frame.view.tradeoff.fit.choice});
}

const Measured<FitHeadsMeasure>& fitted_heads(const Frame& frame) {
  return frame.now.measured<FitHeadsMeasure>(frame.view.tradeoff.fit.problem);
}

FitShown fit_of(const Frame& frame) {
  const auto shown = [](const auto& fit) { return FitShown{fit.failure, fit.progress, fit.computing, fit.older}; };
  return frame.view.tradeoff.page == TradeoffPage::width ? shown(fitted_widths(frame)) : shown(fitted_heads(frame));
}

namespace {

using From = FitChoice::From;

void pattern_chips(Frame& frame, ui::Chips& chips) {
  const FitChoice& choice = frame.view.tradeoff.fit.choice;
  const auto chip = [&](const std::string& name, const std::string& label, FitChoice other, const std::string& tip) {
    other.masked = choice.masked;
    if (chips.chip("tradeoff/fit/" + name, spelled(frame, label), choice == other, spelled(frame, tip)))
      frame.choose(choice, other);
  };
  for (const learn::FitTargetEntry& entry : learn::fit_targets())
    chip(entry.key, wording(entry.title), {From::drawn, entry.target}, wording(entry.tip));
  const LayerInput<float>& input = layer_of(frame).input;
  const Index head = frame.view.focused_head;
  chip("head", wording("tradeoff:fit.as_head", {{"head", head_name(head)}}), {From::head},
       wording("tradeoff:fit.as_head.tip"));
  const PaintedHead<float>* painted = painted_head(input.painted, head);
  if ((painted && !painted->attention.empty()) || choice.from == From::painted)
    chip("painted", wording("tradeoff:fit.painted"), {From::painted}, wording("tradeoff:fit.painted.tip"));
  if (!frame.sentences.marks && !painted) {
    ImGui::SameLine(0, 2 * frame.unit);
    ImGui::AlignTextToFramePadding();
    ui::soft_text(frame, wording("tradeoff:fit.more"));
    ui::probe("tradeoff/fit/hint");
    ui::tip(frame, wording("tradeoff:fit.more.tip"));
  }
  if (!frame.sentences.marks) return;
  for (const RelationEntry& entry : relations()) {
    const auto k = static_cast<std::size_t>(entry.relation);
    if (!frame.sentences.marks->gold[k].empty())
      chip(std::string("relation/") + entry.key, wording(entry.title),
           {From::relation, learn::FitTarget::any, static_cast<int>(k)}, wording("tradeoff:fit.relation.tip"));
  }
}

}  // namespace

void fit_chips(Frame& frame) {
  const FitState& fit = frame.view.tradeoff.fit;
  ui::apart(4 * frame.unit, ui::chip_width(wording(learn::fit_targets().front().title)));
  ui::Chips chips(frame);
  if (frame.view.tradeoff.page == TradeoffPage::width) {
    pattern_chips(frame, chips);
    if (layer_of(frame).input.masks(frame.view.focused_head))
      chips.toggle("tradeoff/fit/mask", wording("tradeoff:fit.mask"), fit.choice.masked,
                   wording("tradeoff:fit.mask.tip"));
  } else {
    for (const Index m : {2, 4, 8})
      chips.choice(ui::words("tradeoff/fit/relations/", m), wording("tradeoff:fit.relations", {{"n", m}}),
                   fit.problem.relations, m, wording("tradeoff:fit.relations.tip"));
    for (const Index d : {32, 64})
      chips.choice(ui::words("tradeoff/fit/d_model/", d), ui::words("d_model ", d), fit.problem.d_model, d,
                   wording("tradeoff:fit.d_model.tip"));
  }
  const FitShown shown = fit_of(frame);
  if (shown.computing && !frame.view.still) {
    if (chips.chip("tradeoff/fit/stop", wording("tradeoff:fit.cancel"), false, wording("tradeoff:fit.cancel.tip")))
      frame.out.act(act::StopFit{});
  } else if (shown.older && shown.failure.empty()) {
    if (chips.chip("tradeoff/fit/again", wording("tradeoff:fit.again"), false, wording("tradeoff:fit.again.tip")))
      frame.out.act(act::Fit{});
  }
}

}  // namespace hydra::tradeoff
