// Accuracy and loss of trained models against their number of heads, over rates and seeds.
#include <optional>

#include "app/views/plotted.h"
#include "app/views/tradeoff/tradeoff_parts.h"
#include "app/views/tradeoff/trained_parts.h"
#include "app/views/ui.h"

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
        info_(HeadCountsMeasure::task()->info()) {}

  Index draw(const TrainedLayout& at) {
    const learn::Baseline& chance = info_.baselines.front();
    const learn::Baseline* counting = baseline(info_, "counting");
    const learn::Baseline* one = baseline(info_, "1 of " + std::to_string(info_.shape.questions) + " questions");
    Plot accuracy = plot_of(&RateSummary::accuracy);
    accuracy.levels.push_back({chance.accuracy, "guessing " + ui::number(chance.accuracy, As::share).substr(1)});
    if (one) accuracy.levels.push_back({one->accuracy, "one answered " + accuracy_text(one->accuracy)});
    std::string levels = points_text() + " Guessing: " + chance.how;
    if (counting) {
      accuracy.levels.push_back(
          {counting->accuracy, "counting " + ui::number(counting->accuracy, As::share).substr(1)});
      levels += " Counting: " + counting->how;
    }
    if (one) levels += " One answered: one of the questions is looked up, the others are answered without looking.";
    show("tradeoff/trained/accuracy", at.accuracy, "Accuracy over h", "right answers: " + points_brief(), levels,
         accuracy, &RateSummary::accuracy);
    Plot loss = plot_of(&RateSummary::loss);
    loss.levels.push_back({chance.loss, "guessing"});
    loss.y.high = 2.5;
    show("tradeoff/trained/loss", at.loss, "Loss over h", "cross-entropy in nats",
         points_text() +
             " The mean of −log p of the right answers, p being what the model gives to it. Guessing among 8 fruits "
             "gives ln 8.",
         loss, &RateSummary::loss);
    return next_;
  }

 private:
  const std::vector<std::shared_ptr<const Trained>>& all_trained() const {
    static const std::vector<std::shared_ptr<const Trained>> none;
    const auto& counts = frame_.now.started<HeadCountsMeasure>().value;
    return counts ? counts->trained : none;
  }
  std::string points_brief() const { return asked_.seeds > 1 ? "median, least and most of the seeds" : "of one seed"; }
  std::string points_text() const {
    std::string text = asked_.seeds > 1 ? "Points: the median of the seeds; upright lines: the least to the most."
                                        : "Points: of one seed.";
    if (asked_.rates.size() > 1)
      text += " Strong: of each model the rate with the highest median accuracy; pale: each rate.";
    return say(text);
  }

  // Of all that was trained, so that widths can be compared.
  std::vector<Index> axis() const {
    Index widest = state_.d_model;
    for (const auto& trained : all_trained()) widest = std::max(widest, trained->d_model);
    return learn::halvings(widest);
  }

  Plot plot_of(Number number) const {
    auto plot = styled<Plot>(frame_);
    for (const Index h : heads_) plot.places.push_back(static_cast<double>(h));
    plot.x.logarithmic = true;
    // What else was trained, and each rate, pale and behind.
    const ImU32 pale = mixed(theme_.ground, theme_.ink_soft, 0.6f);
    for (const auto& other : all_trained())
      if (other.get() != trained_) plot.series.push_back(line(summaries_of(*other), number, name_of(*other), pale));
    if (trained_ && asked_.rates.size() > 1)
      for (std::size_t k = 0; k < asked_.rates.size(); ++k) plot.series.push_back(line(counts_, number, "", pale, k));
    const bool alone = plot.series.empty();
    if (trained_) {
      PlotSeries best = line(counts_, number,
                             alone                     ? ""
                             : asked_.rates.size() > 1 ? "best rate"
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
    PlotSeries s{std::move(values), theme_.gold, PlotSeries::Kind::rings, ui::words(asked_.deep, " layers, h = 1")};
    add_spread(s, number, asked_.deep);
    return s;
  }

  // By what it differs in from what is chosen.
  std::string name_of(const Trained& trained) const {
    bool widths = false, steps = false;
    for (const auto& t : all_trained()) {
      widths |= t->d_model != state_.d_model;
      steps |= t->steps != state_.steps;
    }
    const std::string width = "d " + std::to_string(trained.d_model), budget = std::to_string(trained.steps) + " steps";
    return widths && steps ? width + ", " + budget : widths ? width : budget;
  }

  void show(const char* name, const Box& area, const char* heading, const std::string& below, const std::string& tip,
            Plot plot, Number number) {
    if (!trained_) plot.instead = "not trained yet";
    const PlotResult hit = plotted(frame_, name, {heading, below, tip}, area, std::move(plot));
    if (hit.place < 0) return;
    next_ = nth(heads_, hit.place);
    std::vector<std::string> lines{ui::counted(next_, "head") + ", d_k = " + std::to_string(state_.d_model / next_)};
    for (const CountSummary& count : counts_)
      if (count.heads == next_)
        for (const RateSummary& rate : count.rates)
          lines.push_back((count.layers > 1 ? ui::words(count.layers, " layers, ") : std::string()) + "rate " +
                          rate_text(rate.rate) + ": " + reading(rate, number));
    ui::tooltip(frame_, lines);
  }

  std::string reading(const RateSummary& rate, Number number) const {
    if (rate.runs == 0) return "not trained yet";
    const Spread& spread = rate.*number;
    std::string text = ui::number(spread.median, As::share);
    if (rate.runs > 1)
      text = ui::words("median ", text, " of ", rate.runs, " runs, ", ui::number(spread.least, As::share), " to ",
                       ui::number(spread.most, As::share), ", mean ", ui::number(spread.mean, As::share));
    return rate.done ? text : text + ", still training: of its last batches";
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
