// Accuracy and loss of trained models against their number of heads, over seeds.
#include "app/views/tradeoff/tradeoff_parts.h"
#include "app/views/tradeoff/trained_parts.h"
#include "app/views/ui.h"
#include "app/widgets/count_chart.h"

namespace hydra::tradeoff {

namespace {

using Number = Spread CountSummary::*;

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
        shown_(frame.head_counts),
        state_(frame.view.tradeoff.trained),
        trained_(trained),
        counts_(counts),
        heads_(axis()),
        info_(frame.head_counts.task->info()) {}

  Index draw(const TrainedLayout& at) {
    const learn::Baseline& chance = info_.baselines.front();
    const learn::Baseline* one = baseline(info_, "1 of " + std::to_string(info_.shape.questions) + " questions");
    CountChart accuracy = chart(&CountSummary::accuracy);
    accuracy.levels.push_back({chance.accuracy, "guessing " + ui::fixed(chance.accuracy, 3).substr(1)});
    if (one) accuracy.levels.push_back({one->accuracy, "one answered " + accuracy_text(one->accuracy)});
    std::string levels = "Guessing: " + chance.how;
    if (one)
      levels +=
          " One answered: one of the questions is looked up, the others are answered without looking. One softmax is "
          "one lookup, so a single head cannot do much better.";
    show("tradeoff/trained/accuracy", at.accuracy, "Accuracy over h", "share of right answers", levels, accuracy,
         &CountSummary::accuracy);
    CountChart loss = chart(&CountSummary::loss);
    loss.levels.push_back({chance.loss, "guessing"});
    loss.high = 2.5;
    show("tradeoff/trained/loss", at.loss, "Loss over h", "cross-entropy in nats",
         "The mean of −log p of the right answers, p being what the model gives to it. Guessing among 8 fruits gives "
         "ln 8.",
         loss, &CountSummary::loss);
    return next_;
  }

 private:
  // Of all that was trained, so that widths can be compared.
  std::vector<Index> axis() const {
    Index widest = state_.d_model;
    for (const auto& trained : shown_.trained) widest = std::max(widest, trained->asked.d_model);
    return learn::halvings(widest);
  }

  CountChart chart(Number number) const {
    auto c = styled<CountChart>(frame_);
    for (const Index h : heads_) c.counts.push_back(static_cast<double>(h));
    c.say = [](double value) { return ui::short_number(value); };
    // What else was trained, pale and behind.
    for (const auto& other : shown_.trained)
      if (other.get() != trained_) c.series.push_back(series(summaries(*other), number, name_of(other->asked), false));
    const bool alone = c.series.empty();
    if (trained_) c.series.push_back(series(counts_, number, alone ? "" : name_of(trained_->asked), true));
    for (std::size_t k = 0; k < c.counts.size(); ++k)
      if (heads_[k] == state_.pointed_heads) c.hovered = static_cast<int>(k);
    return c;
  }

  CountSeries series(const std::vector<CountSummary>& counts, Number number, const std::string& label,
                     bool strong) const {
    CountSeries s;
    s.kind = CountSeries::Kind::line;
    s.color = strong ? theme_.accent : mixed(theme_.ground, theme_.ink_soft, 0.6f);
    s.label = label;
    for (const Index heads : heads_) {
      const auto found = std::ranges::find(counts, heads, &CountSummary::heads);
      const Spread spread = found == counts.end() ? Spread() : (*found).*number;  // not a number: no point
      s.values.push_back(spread.mean);
      if (!strong) continue;
      s.low.push_back(spread.least);
      s.high.push_back(spread.most);
    }
    return s;
  }

  // By what it differs in from what is chosen.
  std::string name_of(const learn::CountsAsked& asked) const {
    bool widths = false, steps = false;
    for (const auto& t : shown_.trained) {
      widths |= t->asked.d_model != state_.d_model;
      steps |= t->asked.steps != state_.steps;
    }
    const std::string width = "d " + std::to_string(asked.d_model), budget = std::to_string(asked.steps) + " steps";
    return widths && steps ? width + ", " + budget : widths ? width : budget;
  }

  void show(const char* name, const Box& area, const char* heading, const char* below, const std::string& tip,
            const CountChart& c, Number number) {
    const float head =
        chart_heading(frame_, (std::string(name) + "/title").c_str(), area, heading, below, tip.c_str()) -
        1.25f * small_;
    const CountChartResult hit =
        count_chart(name, c, {area.pos.x, area.pos.y + head}, {area.size.x, area.size.y - head});
    if (!trained_) {
      const ImVec2 middle{area.pos.x + 0.42f * area.size.x, area.pos.y + head + 0.3f * (area.size.y - head)};
      text_centered(fonts_.small, middle, theme_.ink_soft, "not trained yet");
    }
    if (hit.hovered < 0) return;
    next_ = nth(heads_, hit.hovered);
    const auto found = std::ranges::find(counts_, next_, &CountSummary::heads);
    if (found != counts_.end()) readings(*found, number);
  }

  void readings(const CountSummary& count, Number number) const {
    const Spread& spread = count.*number;
    const std::string what = number == &CountSummary::accuracy ? "right answers" : "loss";
    std::vector<std::string> lines{ui::counted(count.heads, "head") +
                                   ", d_k = " + std::to_string(state_.d_model / count.heads)};
    if (count.runs == 0) {
      lines.push_back("not trained yet");
    } else {
      lines.push_back(what + ": " + ui::fixed(spread.mean, 3) +
                      (count.runs > 1 ? ui::words(" in the mean of ", count.runs, " runs, ") +
                                            ui::fixed(spread.least, 3) + " to " + ui::fixed(spread.most, 3)
                                      : ""));
      if (!count.done) lines.push_back("still training: of its last batches");
      std::string answered = "questions answered, by seed:";
      for (const int questions : count.by_seed) answered += " " + (questions < 0 ? "–" : std::to_string(questions));
      lines.push_back(answered);
    }
    ui::tooltip(frame_, lines);
  }

  const HeadCountsShown& shown_;
  const TrainedState& state_;
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
