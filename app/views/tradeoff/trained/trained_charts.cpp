// Accuracy and loss of trained models against their number of heads, over rates and seeds.
#include <optional>

#include "app/views/frame/ui.h"
#include "app/views/shared/plotted.h"
#include "app/views/tradeoff/tradeoff_parts.h"
#include "app/views/tradeoff/trained/trained_parts.h"

namespace hydra::tradeoff {

namespace {

using Number = Spread RateSummary::*;

// The baseline of that name; null: the task has none.
const learn::Baseline* baseline(const learn::TaskInfo& info, const std::string& name) {
  for (const learn::Baseline& b : info.baselines)
    if (b.name == name) return &b;
  return nullptr;
}

class TrainedCharts : Drawing {
 public:
  TrainedCharts(Frame& frame, const Trained* trained, const std::vector<CountSummary>& counts)
      : Drawing(frame),
        state_(frame.view.tradeoff.trained),
        asked_(asked_of(state_)),
        trained_(trained),
        counts_(counts),
        heads_(axis()),
        info_(HeadCountsMeasure::task(task_of(state_).key)->info()) {}

  Index draw(const TrainedLayout& at) {
    const learn::Baseline& chance = info_.baselines.front();
    const learn::Baseline* counting = baseline(info_, "counting");
    const learn::Baseline* one = baseline(info_, "1 of " + std::to_string(info_.shape.questions) + " questions");
    Plot accuracy = plot_of(&RateSummary::accuracy);
    const auto share = [](double value) { return ui::number(value, As::share).substr(1); };
    accuracy.levels.push_back(
        {chance.accuracy, wording("tradeoff:trained.guessing.at", {{"accuracy", share(chance.accuracy)}})});
    if (one)
      accuracy.levels.push_back(
          {one->accuracy, wording("tradeoff:trained.one.at", {{"accuracy", accuracy_text(one->accuracy)}})});
    std::string tip = points_text() + " " + wording("tradeoff:trained.guessing.how", {{"how", chance.how}});
    if (counting) {
      accuracy.levels.push_back(
          {counting->accuracy, wording("tradeoff:trained.counting.at", {{"accuracy", share(counting->accuracy)}})});
      tip += " " + wording("tradeoff:trained.counting.how", {{"how", counting->how}});
    }
    if (one) tip += " " + wording("tradeoff:trained.one.how");
    show("tradeoff/trained/accuracy", at.accuracy, wording("tradeoff:trained.accuracy"),
         wording(asked_.seeds > 1 ? "tradeoff:trained.accuracy.of_seeds" : "tradeoff:trained.accuracy.of_seed"), tip,
         accuracy, &RateSummary::accuracy);
    Plot loss = plot_of(&RateSummary::loss);
    loss.levels.push_back({chance.loss, wording("tradeoff:trained.guessing")});
    loss.y.high = std::max(2.5, std::ceil(2 * chance.loss + 0.1) / 2);
    show("tradeoff/trained/loss", at.loss, wording("tradeoff:trained.loss"),
         wording(info_.recipe.question_weights.empty() ? "tradeoff:trained.loss.below"
                                                       : "tradeoff:trained.loss.weighted"),
         points_text() + " " + wording("tradeoff:trained.loss.tip") + " " +
             wording("tradeoff:trained.guessing.how", {{"how", chance.how}}),
         loss, &RateSummary::loss);
    return next_;
  }

 private:
  const std::vector<std::shared_ptr<const Trained>>& all_trained() const {
    static const std::vector<std::shared_ptr<const Trained>> none;
    const auto& counts = frame_.now.started<HeadCountsMeasure>().value;
    return counts ? counts->trained : none;
  }
  bool is_shown(const Trained& trained) const { return trained.task == asked_.task && !trained.grid; }
  std::string points_text() const {
    std::string text =
        wording(asked_.seeds > 1 ? "tradeoff:trained.points.of_seeds" : "tradeoff:trained.points.of_seed");
    if (asked_.rates.size() > 1) text += " " + wording("tradeoff:trained.points.rates");
    return say(text);
  }

  // Of all that was trained, so that widths can be compared.
  std::vector<Index> axis() const {
    Index widest = state_.d_model;
    for (const auto& trained : all_trained())
      if (is_shown(*trained)) widest = std::max(widest, trained->d_model);
    return learn::halvings(widest);
  }

  Plot plot_of(Number number) const {
    auto plot = styled<Plot>(frame_);
    for (const Index h : heads_) plot.places.push_back(static_cast<double>(h));
    plot.x.logarithmic = true;
    // What else was trained, and each rate, pale and behind.
    const ImU32 pale = mixed(theme_.ground, theme_.ink_soft, 0.6f);
    for (const auto& other : all_trained())
      if (other.get() != trained_ && is_shown(*other))
        plot.series.push_back(line(summaries_of(*other), number, name_of(*other), pale));
    if (trained_ && asked_.rates.size() > 1)
      for (std::size_t k = 0; k < asked_.rates.size(); ++k) plot.series.push_back(line(counts_, number, "", pale, k));
    const bool alone = plot.series.empty();
    if (trained_) {
      PlotSeries best = line(counts_, number,
                             alone                     ? ""
                             : asked_.rates.size() > 1 ? wording("tradeoff:trained.best_rate")
                                                       : name_of(*trained_),
                             theme_.accent);
      add_spread(best, number, 1);
      plot.series.push_back(std::move(best));
    }
    if (trained_ && asked_.deep > 0) plot.series.push_back(deep(number));
    for (std::size_t k = 0; k < heads_.size(); ++k)
      if (heads_[k] == frame_.was.head_count) plot.pointed = static_cast<int>(k);
    return plot;
  }

  std::vector<CountSummary> summaries_of(const Trained& other) const {
    learn::CountsAsked asked = asked_;
    asked.d_model = other.d_model, asked.steps = other.steps, asked.heads = learn::halvings(other.d_model);
    return summaries(asked, &other);
  }

  // Null: not among them.
  const CountSummary* of(const std::vector<CountSummary>& counts, Index layers, Index heads) const {
    for (const CountSummary& count : counts)
      if (count.layers == layers && count.heads == heads) return &count;
    return nullptr;
  }

  // Of the models of one layer at one of the rates; none given: each at its best.
  PlotSeries line(const std::vector<CountSummary>& counts, Number number, const std::string& label, ImU32 color,
                  std::optional<std::size_t> rate = {}) const {
    std::vector<double> values;
    for (const Index heads : heads_) {
      const CountSummary* count = of(counts, 1, heads);
      values.push_back(count ? (count->rates[rate.value_or(count->best)].*number).median : Spread::kNone);
    }
    return {std::move(values), color, PlotSeries::Kind::line, label};
  }
  void add_spread(PlotSeries& s, Number number, Index layers) const {
    std::vector<double> low, high;
    for (const Index heads : heads_) {
      const CountSummary* count = of(counts_, layers, heads);
      const Spread spread = count ? count->at_best().*number : Spread();  // not a number: none
      low.push_back(spread.least);
      high.push_back(spread.most);
    }
    s.low = std::move(low), s.high = std::move(high);
  }
  // A point over one head.
  PlotSeries deep(Number number) const {
    std::vector<double> values;
    for (const Index heads : heads_) {
      const CountSummary* count = of(counts_, asked_.deep, heads);
      values.push_back(count ? (count->at_best().*number).median : Spread::kNone);
    }
    PlotSeries s{std::move(values), theme_.gold, PlotSeries::Kind::rings,
                 wording("tradeoff:trained.deep.line", {{"layers", asked_.deep}})};
    add_spread(s, number, asked_.deep);
    return s;
  }

  // By what it differs in from what is chosen.
  std::string name_of(const Trained& trained) const {
    bool widths = false, steps = false;
    for (const auto& t : all_trained()) {
      if (!is_shown(*t)) continue;
      widths |= t->d_model != state_.d_model;
      steps |= t->steps != state_.steps;
    }
    if (!steps && widths) return "d " + std::to_string(trained.d_model);
    return widths
               ? wording("tradeoff:trained.width_and_steps", {{"d_model", trained.d_model}, {"steps", trained.steps}})
               : wording("tradeoff:trained.steps_of", {{"steps", trained.steps}});
  }

  void show(const char* name, const Box& area, const std::string& heading, const std::string& below,
            const std::string& tip, Plot plot, Number number) {
    if (!trained_) plot.instead = wording("tradeoff:trained.not_yet");
    const PlotResult hit = plotted(frame_, name, {heading, below, tip}, area, std::move(plot));
    if (hit.place < 0) return;
    next_ = nth(heads_, hit.place);
    std::vector<std::string> lines{wording("tradeoff:trained.heads", {{"n", next_}, {"d_k", state_.d_model / next_}})};
    for (const CountSummary& count : counts_)
      if (count.heads == next_)
        for (const RateSummary& rate : count.rates)
          lines.push_back(count.layers > 1
                              ? wording("tradeoff:trained.reading.deep", {{"layers", count.layers},
                                                                          {"rate", rate_text(rate.rate)},
                                                                          {"reading", reading(rate, number)}})
                              : wording("tradeoff:trained.reading",
                                        {{"rate", rate_text(rate.rate)}, {"reading", reading(rate, number)}}));
    ui::tooltip(frame_, lines);
  }

  std::string reading(const RateSummary& rate, Number number) const {
    if (rate.runs == 0) return wording("tradeoff:trained.not_yet");
    const Spread& spread = rate.*number;
    const auto share = [](double value) { return ui::number(value, As::share); };
    const std::string text = rate.runs > 1 ? wording("tradeoff:trained.reading.runs", {{"median", share(spread.median)},
                                                                                       {"runs", rate.runs},
                                                                                       {"least", share(spread.least)},
                                                                                       {"most", share(spread.most)},
                                                                                       {"mean", share(spread.mean)}})
                                           : share(spread.median);
    return rate.done ? text : wording("tradeoff:trained.reading.still", {{"reading", text}});
  }

  const TrainedState& state_;
  learn::CountsAsked asked_;
  const Trained* trained_;
  const std::vector<CountSummary>& counts_;
  std::vector<Index> heads_;  // of the axis
  const learn::TaskInfo& info_;
  Index next_ = 0;
};

}  // namespace

Index draw_trained_charts(Frame& frame, const Trained* trained, const std::vector<CountSummary>& counts,
                          const TrainedLayout& at) {
  return TrainedCharts(frame, trained, counts).draw(at);
}

}  // namespace hydra::tradeoff
