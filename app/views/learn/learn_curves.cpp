// Loss and accuracy over steps, of all branches, and what is told beside them: where heads look, what is answered, how
// alike heads are, their gradients, their composition.
#include "app/views/learn/learn_parts.h"
#include "app/widgets/arrange.h"
#include "app/widgets/plot/plot.h"

namespace hydra {

namespace {

constexpr std::size_t kMostColumns = 6;

// Charts of one run, and what the pointer does with them.
class Curves : Drawing {
 public:
  explicit Curves(Frame& frame)
      : Drawing(frame),
        learn_(frame.learn),
        timeline_(*frame.learn.timeline),
        tracks_(timeline_.tracks()),
        info_(frame.learn.task->info()) {
    last_ = learn_.training ? std::max(1, learn_.goal) : 1;
    for (int k = 0; k < timeline_.size(); ++k) last_ = std::max(last_, timeline_.branch(k).last());
  }

  void loss(const Box& box) {
    auto plot = of_branches(wording("learn:chart.loss"), tracks_.loss(), tracks_.held_out_loss());
    double most = 0;
    for (const learn::Baseline& line : info_.baselines) {
      if (!is_of_all(line) || line.loss < 0) continue;
      plot.levels.push_back({line.loss, line.label});
      most = std::max(most, line.loss);
    }
    plot.y.high = high_for(plot, std::max(1.3 * most, 0.1));
    // Where nobody can come far below, the levels have the room that the data leave them.
    if (info_.least_loss > 0) {
      const double guess = info_.baselines.front().loss, beyond = 0.3 * (guess - info_.least_loss);
      plot.y.low = std::floor(20 * (info_.least_loss - beyond)) / 20;
      const double usual = value_above(plot.series, 0.95);
      plot.y.high = std::ceil(20 * std::max(guess + beyond, std::isfinite(usual) ? usual : 0.0)) / 20;
    }
    draw("learn/loss", plot, box, wording("learn:chart.loss.tip"));
  }

  void accuracy(const Box& box) {
    auto plot = of_branches(wording("learn:chart.accuracy"), tracks_.accuracy(), tracks_.held_out_accuracy());
    for (const learn::Baseline& line : info_.baselines)
      if (is_of_all(line) && line.accuracy >= 0) plot.levels.push_back({line.accuracy, line.label});
    draw("learn/accuracy", plot, box, wording("learn:chart.accuracy.tip"));
  }

  // A chart for each of several things, beside each other.
  struct Panel {
    std::string title, tip;
    Plot plot;
  };
  std::vector<Panel> roles() {
    std::vector<Panel> panels;
    for (Index r = 0; r < tracks_.relations; ++r) {
      const Index of = nth(info_.relation_layers, r), layer = of == learn::kLastLayer ? tracks_.layers - 1 : of;
      Panel panel = panel_of(in_layer(layer, nth(info_.relation_titles, r)), nth(info_.relation_how, r));
      for (Index h = 0; h < heads(layer); ++h)
        add(panel.plot, tracks_.mass(layer, h, r), head_color(frame_, h), learn_head_name(frame_, layer, h));
      panels.push_back(std::move(panel));
    }
    return panels;
  }
  std::vector<Panel> questions() {
    // A chart each, all in ink: a colour is a head's here.
    std::vector<Panel> panels;
    const auto one = [&](const std::string& title, Index track) -> Panel& {
      panels.push_back(panel_of(title, wording("learn:chart.questions.panel.tip")));
      add(panels.back().plot, track, theme_.ink, "");
      return panels.back();
    };
    for (Index q = 0; q < tracks_.questions; ++q) one(nth(info_.questions, q), tracks_.question(q));
    if (info_.split.question != learn::kNone) {
      Panel& split = one(info_.split.title, tracks_.split_accuracy());
      for (const learn::Baseline& line : info_.baselines)
        if (line.relation == info_.split.relation) split.plot.levels.push_back({line.accuracy, line.label});
    }
    return panels;
  }
  std::vector<Panel> likeness() {
    std::vector<Panel> panels;
    for (Index k = 0; k < tracks_.layers; ++k) {
      Panel panel =
          panel_of(in_layer(k, wording("learn:chart.likeness.panel")), wording("learn:chart.likeness.panel.tip"));
      add(panel.plot, tracks_.alike(k), theme_.ink, "");
      panels.push_back(std::move(panel));
    }
    return panels;
  }
  std::vector<Panel> gradients() {
    constexpr const char* kNames[] = {"W_Q", "W_K", "W_V", "W_O"};
    std::vector<Panel> panels;
    double most = 0;
    const Index layer = std::min<Index>(view_.layer, tracks_.layers - 1);
    for (Index m = 0; m < learn::Tracks::kMatrices; ++m) {
      Panel panel = panel_of(in_layer(layer, ui::words("|dL/d", nth(kNames, m), "|")),
                             wording("learn:chart.gradients.panel.tip"));
      for (Index h = 0; h < heads(layer); ++h)
        add(panel.plot, tracks_.gradient(layer, h, m), head_color(frame_, h), learn_head_name(frame_, layer, h));
      most = std::max(most, high_for(panel.plot, 1e-6));
      panels.push_back(std::move(panel));
    }
    for (Panel& panel : panels) panel.plot.y.high = most;
    return panels;
  }
  std::vector<Panel> composition() {
    std::vector<Panel> panels;
    double most = 0;
    for (Index k = 0; k + 1 < tracks_.layers; ++k)
      for (Index g = 0; g < heads(k + 1); ++g) {
        Panel panel = panel_of(wording("learn:chart.composition.panel", {{"head", learn_head_name(frame_, k + 1, g)}}),
                               wording("learn:chart.composition.panel.tip"));
        const double random = 1 / std::sqrt(static_cast<double>(frame_.document.d_model));
        panel.plot.levels.push_back({random, say("1/√d_model")});
        for (Index h = 0; h < heads(k); ++h)
          add(panel.plot, tracks_.composition(k, h, g), head_color(frame_, h), learn_head_name(frame_, k, h));
        most = std::max(most, high_for(panel.plot, 0.1));
        panels.push_back(std::move(panel));
      }
    for (Panel& panel : panels) panel.plot.y.high = most;
    return panels;
  }

  std::vector<Panel> gates() {
    std::vector<Panel> panels;
    for (Index k = 0; k < tracks_.layers; ++k) {
      Panel panel = panel_of(in_layer(k, wording("learn:chart.gates.panel")), wording("learn:chart.gates.panel.tip"));
      for (Index h = 0; h < heads(k); ++h)
        add(panel.plot, tracks_.gate(k, h), head_color(frame_, h), learn_head_name(frame_, k, h));
      panels.push_back(std::move(panel));
    }
    return panels;
  }

  std::vector<Panel> followed() {
    std::vector<Panel> panels;
    const FollowedTold& shown = learn_.followed;
    for (Index k = 0; k < tracks_.layers; ++k) {
      Panel panel = panel_of(in_layer(k, name_of(shown.of)), shown.of.what == learn::Followed::What::cell
                                                                 ? wording("learn:chart.followed.panel.cell.tip")
                                                                 : wording("learn:chart.followed.panel.tip"));
      for (int b = 0; b < int_size(shown.branches); ++b)
        if (b != learn_.branch) add_followed(panel.plot, b, k, false);
      if (learn_.branch < int_size(shown.branches)) add_followed(panel.plot, learn_.branch, k, true);
      panels.push_back(std::move(panel));
    }
    return panels;
  }

  // "1.2" for "head 1.2", in all of a plot, where there is no room for the word.
  void shorten_labels(Plot& plot, float width) const {
    const std::string name = wording("learn:head", {{"number", "\n"}});
    const std::size_t at = name.find('\n');
    const float room = kMostOfLabels * width - 2 * u_;
    const auto is_too_long = [&](const PlotSeries& line) { return text_width(fonts_.small, line.label) > room; };
    if (at == std::string::npos || std::ranges::none_of(plot.series, is_too_long)) return;
    const std::string before = name.substr(0, at), after = name.substr(at + 1);
    for (PlotSeries& line : plot.series)
      if (line.label.size() >= name.size() && line.label.starts_with(before) && line.label.ends_with(after))
        line.label = line.label.substr(at, line.label.size() + 1 - name.size());
  }

  void panels(std::vector<Panel> all, const Box& box) {
    if (all.empty()) return;
    const float gap = 4 * u_;
    const auto fit = static_cast<std::size_t>(std::max(1.0f, (box.size.x + gap) / (13 * small_ + gap)));
    const std::size_t most = std::min({all.size(), fit, kMostColumns}), rows = (all.size() + most - 1) / most;
    const std::size_t columns = (all.size() + rows - 1) / rows;
    const float width = (box.size.x + gap) / real(columns) - gap, height = (box.size.y + gap) / real(rows) - gap;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const ImVec2 pos{box.pos.x + real(k % columns) * (width + gap), box.pos.y + real(k / columns) * (height + gap)};
      Panel& panel = all[k];
      panel.plot.y.title = panel.title;
      shorten_labels(panel.plot, width);
      draw("learn/detail/" + std::to_string(k), panel.plot, {pos, {width, height}}, panel.tip);
    }
  }

 private:
  static bool is_of_all(const learn::Baseline& line) {
    return line.question == learn::kNone && line.relation == learn::kNone;
  }
  Index heads(Index layer) const {
    return frame_.document.layer(std::min<Index>(layer, std::ssize(frame_.document.layers) - 1)).heads;
  }
  // With the layer where there are several.
  std::string in_layer(Index layer, const std::string& title) const {
    return tracks_.layers > 1 ? wording("learn:chart.in_layer", {{"layer", layer + 1}, {"title", title}}) : title;
  }

  Plot plot_of() const {
    auto plot = styled<Plot>(frame_);
    plot.x.high = last_;
    plot.now = learn_.step;
    plot.to_come = true;
    return plot;
  }
  Panel panel_of(std::string title, std::string tip) const { return {std::move(title), std::move(tip), plot_of()}; }

  // A line of the branch that is shown, through those that it came from: a batch's noise is averaged out.
  void add(Plot& plot, Index track, ImU32 color, const std::string& label, bool strong = true) const {
    const std::vector<int> line = timeline_.ancestry(learn_.branch);
    for (std::size_t k = 0; k < line.size(); ++k) {
      const learn::Timeline::Branch& branch = timeline_.branch(line[k]);
      const int apart = timeline_.rows_apart(), steps = k + 1 < line.size() ? timeline_.branch(line[k + 1]).from : -1;
      const int count = steps < 0 ? -1 : std::max(0, (steps - branch.first_row + apart - 1) / apart);
      plot.series.push_back({.y = {&nth(branch.tracks, track), count},
                             .color = color,
                             .label = k + 1 == line.size() ? label : std::string(),
                             .strong = strong,
                             .first = branch.first_row,
                             .apart = apart,
                             .bridges = true,
                             .mean_of = last_ / 100});
    }
  }
  void add_followed(Plot& plot, int branch, Index layer, bool own) const {
    const FollowedTold::Line& line = nth(learn_.followed.branches, branch);
    for (Index h = 0; h < heads(layer); ++h)
      plot.series.push_back({.y = &nth(line.tracks, layer * tracks_.heads + h),
                             .color = head_color(frame_, h),
                             .label = own ? learn_head_name(frame_, layer, h) : std::string(),
                             .strong = own,
                             .first = line.first,
                             .apart = line.apart,
                             .bridges = true});
  }
  // What is held out, of all branches; behind it what the steps of the one that is shown were taken on.
  Plot of_branches(const std::string& title, Index track, Index held_out) const {
    Plot plot = plot_of();
    plot.y.title = title;
    const std::vector<int> own = timeline_.ancestry(learn_.branch);
    for (int k = 0; k < timeline_.size(); ++k) {
      const learn::Timeline::Branch& branch = timeline_.branch(k);
      if (std::ranges::find(own, k) != own.end() && branch.parent < 0 && own.size() == 1) continue;
      if (k == learn_.branch) continue;
      plot.series.push_back({.y = &nth(branch.tracks, held_out),
                             .color = branch_color(frame_, k),
                             .strong = false,
                             .first = branch.first_row,
                             .apart = timeline_.rows_apart(),
                             .bridges = true});
    }
    const ImU32 color = timeline_.size() > 1 ? branch_color(frame_, learn_.branch) : theme_.ink;
    add(plot, track, color, wording("learn:chart.training"), false);
    add(plot, held_out, color, wording("learn:chart.held_out"));
    return plot;
  }
  // Where an axis from 0 ends that has the chart's lines, and is no shorter than that.
  static double high_for(const Plot& plot, double least) {
    const double usual = usual_high(plot.series);
    return ui::close_ceiling(std::isfinite(usual) ? std::max(usual, least) : least);
  }

  // At that step, or the last one before it at which it was.
  static double last_measured(const PlotSeries& line, int step) {
    double value = value_at(line, step);
    for (int back = 1; back <= learn::kMeasuredApart && std::isnan(value) && step - back >= line.first; ++back)
      value = value_at(line, step - back);
    return value;
  }

  void draw(const std::string& name, const Plot& plot, const Box& box, const std::string& tip) {
    if (box.size.y < 4 * small_) return;
    const PlotResult result = draw_plot(canvas_, name, plot, box);
    if (result.held || result.released) return drag(result);
    if (result.place < 0) return;
    const int step = result.place - result.place % timeline_.rows_apart();
    std::vector<std::string> lines{wording("learn:chart.at_step", {{"title", plot.y.title}, {"step", step}})};
    double own = NAN;
    for (std::size_t k = 0; k < plot.series.size(); ++k) {
      const PlotSeries& line = plot.series[k];
      own = last_measured(line, step);
      // Before it began, of the branches that it came from: their lines stand before it.
      for (std::size_t before = k; std::isnan(own) && before-- > 0 && plot.series[before].label.empty() &&
                                   plot.series[before].strong == line.strong;)
        own = last_measured(plot.series[before], step);
      if (!line.label.empty() && !std::isnan(own))
        lines.push_back(wording("learn:chart.value", {{"line", line.label}, {"value", ui::number(own, As::share)}}));
    }
    if (lines.size() == 1 && !std::isnan(own)) lines.push_back(ui::number(own, As::share));
    if (!tip.empty()) lines.push_back(tip);
    ui::tooltip_beside(frame_, box.pos, box.end(), lines);
  }

  // As far as it has come.
  void drag(const PlotResult& result) {
    if (learn_.training || !learn_.fits) return;
    frame_.out.act(
        act::LearnGoTo{learn_.branch, std::min(result.place, timeline_.branch(learn_.branch).last()), result.released});
  }

  const LearnTold& learn_;
  const learn::Timeline& timeline_;
  const learn::Tracks& tracks_;
  const learn::TaskInfo& info_;
  int last_ = 1;  // of the level axis
};

// All branches have them or none.
bool has_gates(const learn::Timeline& timeline) { return timeline.branch(0).recipe.controls.gates > 0; }

struct ChartChip {
  LearnChart chart;
  const char *name, *label, *tip;  // label, tip: texts
};
constexpr ChartChip kCharts[] = {
    {LearnChart::scores, "learn/chart/scores", "learn:chart.scores", "learn:chart.scores.tip"},
    {LearnChart::roles, "learn/chart/roles", "learn:chart.roles", "learn:chart.roles.tip"},
    {LearnChart::questions, "learn/chart/questions", "learn:chart.questions", "learn:chart.questions.tip"},
    {LearnChart::likeness, "learn/chart/likeness", "learn:chart.likeness", "learn:chart.likeness.tip"},
    {LearnChart::gradients, "learn/chart/gradients", "learn:chart.gradients", "learn:chart.gradients.tip"},
    {LearnChart::composition, "learn/chart/composition", "learn:chart.composition", "learn:chart.composition.tip"},
    {LearnChart::gates, "learn/chart/gates", "learn:chart.gates", "learn:chart.gates.tip"},
    {LearnChart::followed, "learn/chart/followed", "learn:chart.followed", "learn:chart.followed.tip"},
};

}  // namespace

void draw_learn_curves(Frame& frame, const Box& loss, const Box& accuracy) {
  const Canvas::Part part(frame.canvas, "learn.curves");
  Curves curves(frame);
  curves.loss(loss);
  curves.accuracy(accuracy);
}

void draw_learn_detail(Frame& frame, const Box& box, bool has_scores) {
  const LearnChart& chosen = frame.view.learn.chart;
  const learn::Tracks& tracks = frame.learn.timeline->tracks();
  const auto offered = [&](LearnChart chart) {
    return (chart != LearnChart::scores || has_scores) && (chart != LearnChart::roles || tracks.relations > 0) &&
           (chart != LearnChart::composition || tracks.layers > 1) &&
           (chart != LearnChart::questions || tracks.questions > 1) &&
           (chart != LearnChart::gates || has_gates(*frame.learn.timeline));
  };
  LearnChart shown = chosen;
  if (!offered(shown)) shown = tracks.relations > 0 ? LearnChart::roles : LearnChart::likeness;
  ImGui::SetCursorScreenPos(box.pos);
  float wide = 0;
  for (const ChartChip& chip : kCharts)
    if (offered(chip.chart)) wide += ui::chip_width(wording(chip.label)) + frame.unit;
  {
    const ui::WithinRight within(box.right());
    const std::optional<ui::SmallChips> small =
        wide > box.size.x ? std::make_optional<ui::SmallChips>(frame) : std::nullopt;
    ui::Chips chips(frame);
    for (const ChartChip& chip : kCharts)
      if (offered(chip.chart) && chips.picked(chip.name, wording(chip.label), shown == chip.chart, wording(chip.tip)))
        frame.choose(chosen, chip.chart);
  }
  if (shown == LearnChart::followed) draw_follow_choice(frame);
  const float top = ImGui::GetItemRectMax().y + 1.5f * frame.unit;
  if (frame.learn.timeline->size() > 1) {
    const std::string of =
        wording("learn:chart.of_branch", {{"branch", frame.learn.timeline->branch(frame.learn.branch).name}});
    const ImVec2 end = ImGui::GetItemRectMax();
    const float left = end.x + 3 * frame.unit, room = box.right() - left;
    ImFont* const font = frame.fonts.small;
    const ImVec2 at{left, 0.5f * (ImGui::GetItemRectMin().y + end.y - font->FontSize)};
    frame.canvas.text_at(font, at, frame.theme.ink_soft, clipped(font, of, room), room);
    ui::probe("learn/detail/branch", at, {box.right(), end.y});
  }
  const Box charts{{box.pos.x, top}, {box.size.x, box.bottom() - top}};
  Curves curves(frame);
  switch (shown) {
    case LearnChart::scores: {
      const auto [loss, accuracy] = row(charts, 4 * frame.unit, {share(1), share(1)});
      return draw_learn_curves(frame, loss, accuracy);
    }
    case LearnChart::roles:
      return curves.panels(curves.roles(), charts);
    case LearnChart::questions:
      return curves.panels(curves.questions(), charts);
    case LearnChart::likeness:
      return curves.panels(curves.likeness(), charts);
    case LearnChart::gradients:
      return curves.panels(curves.gradients(), charts);
    case LearnChart::composition:
      return curves.panels(curves.composition(), charts);
    case LearnChart::gates:
      return curves.panels(curves.gates(), charts);
    case LearnChart::followed:
      return curves.panels(curves.followed(), charts);
  }
}

}  // namespace hydra
