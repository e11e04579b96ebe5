// Trade-off: accuracy against what it costs, of models whose heads are as wide as they like and share keys or do not.
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/views/frame/ui.h"
#include "app/views/shared/plotted.h"
#include "app/views/tradeoff/tradeoff_parts.h"
#include "app/views/tradeoff/trained/quality_words.h"
#include "app/views/tradeoff/trained/trained_parts.h"

namespace hydra::tradeoff {

namespace {

constexpr QualityCost kCosts[] = {QualityCost::parameters, QualityCost::multiply_adds, QualityCost::cache,
                                  QualityCost::time};
struct CostTexts {
  const char *key, *chip, *axis, *tip;
};
const CostTexts& texts_of(QualityCost cost) {
  static constexpr CostTexts kTexts[] = {
      {"parameters", "tradeoff:quality.parameters", "tradeoff:quality.parameters.axis",
       "tradeoff:quality.parameters.tip"},
      {"multiply_adds", "tradeoff:quality.multiply_adds", "tradeoff:quality.multiply_adds.axis",
       "tradeoff:quality.multiply_adds.tip"},
      {"cache", "tradeoff:quality.cache", "tradeoff:quality.cache.axis", "tradeoff:quality.cache.tip"},
      {"time", "tradeoff:quality.time", "tradeoff:quality.time.axis", "tradeoff:quality.time.tip"}};
  return kTexts[static_cast<std::size_t>(cost)];
}

const Trained* grid_of(const Frame& frame, const learn::CountsAsked& asked) {
  const auto& all = frame.now.started<HeadCountsMeasure>().value;
  return all ? all->of(asked) : nullptr;
}

// Kept from frame to frame.
struct QualityMade {
  std::shared_ptr<const HeadCountsMeasure::Result> of;
  learn::CountsAsked asked;
  std::vector<QualityModel> models;
  std::size_t left = 0;  // runs to train
};

class QualityPage : Drawing {
 public:
  explicit QualityPage(Frame& frame)
      : Drawing(frame),
        state_(frame.view.tradeoff.trained),
        cost_(frame.view.tradeoff.quality),
        info_(HeadCountsMeasure::task(task_of(state_).key)->info()),
        asked_(quality_asked(state_)),
        trained_(grid_of(frame, asked_)),
        made_(made()),
        models_(made_.models),
        frontier_(frontier(models_, cost_)) {}

  void bar() {
    if (!draw_stop_button(frame_)) {
      const std::size_t left = made_.left;
      const bool none = left == asked_.runs().size();
      if (ui::button(frame_, "tradeoff/quality/train",
                     wording(none ? "tradeoff:quality.train" : "tradeoff:trained.train_rest", {{"n", left}}),
                     wording("tradeoff:quality.train.tip"), left > 0))
        frame_.out.act(act::TrainCounts{asked_});
    }
    draw_task_choices(frame_);
    draw_seed_choices(frame_);
    ui::Chips chips(frame_, true);
    chips.apart(4 * u_, ui::chip_width(wording(texts_of(kCosts[0]).chip)));
    for (const QualityCost cost : kCosts)
      chips.choice(std::string("tradeoff/quality/") + texts_of(cost).key, wording(texts_of(cost).chip),
                   view_.tradeoff.quality, cost, wording(texts_of(cost).tip));
  }

  void draw(const Box& area) {
    const std::string told = quality_sentence(models_, cost_, asked_.d_model);
    const bool all = made_.left == 0;
    const std::string sentence = told.empty() ? wording("tradeoff:quality.question")
                                 : all        ? told
                                              : wording("tradeoff:quality.so_far", {{"told", told}});
    const float wide = area.size.x;
    float y = area.pos.y;
    ui::paragraph(frame_, fonts_.strong, {area.pos.x, y}, wide, theme_.ink, say(sentence));
    ui::probe("tradeoff/quality/sentence", {area.pos.x, y}, {area.right(), y + em_});
    y += ui::paragraph_height(frame_, fonts_.strong, wide, say(sentence)) + u_;
    const bool low = area.size.y < 26 * em_;  // the plot needs the height
    const std::string note = low ? std::string()
                                 : wording("tradeoff:quality.note", {{"task", info_.title},
                                                                     {"d_model", asked_.d_model},
                                                                     {"steps", ui::number(asked_.steps, As::count)},
                                                                     {"rate", rate_text(asked_.rates.front())},
                                                                     {"n", asked_.seeds},
                                                                     {"tokens", info_.shape.length}});
    const float below = ui::paragraph_height(frame_, fonts_.small, wide, say(note));
    if (frame_.now.started<HeadCountsMeasure>().computing)
      draw_training_progress(frame_, {area.pos.x, y}, wide);
    else
      ui::paragraph(frame_, fonts_.small, {area.pos.x, y}, wide, theme_.ink_soft, say(note));
    y += below + 2 * u_;
    if (low && frame_.now.started<HeadCountsMeasure>().computing) y += small_;
    plot({{area.pos.x, y}, {wide, area.bottom() - y}});
  }

 private:
  // What was trained, with what it costs: until more was, or something else is asked for.
  const QualityMade& made() const {
    QualityMade& kept = frame_.made.of<QualityMade>();
    const auto& all = frame_.now.started<HeadCountsMeasure>().value;
    if (kept.of != all || kept.asked != asked_) {
      const learn::CountRuns none;
      kept = {all, asked_, quality_models(asked_, trained_, info_.shape.length),
              learn::runs_to_train(asked_, trained_ ? trained_->runs : none)};
    }
    return kept;
  }

  // Of one number of heads, with keys of their own or shared.
  struct Group {
    Index heads = 1, kv_heads = 0, color = 0;  // of as many heads the same colour
    std::vector<std::size_t> models;
  };
  std::vector<Group> groups() const {
    std::vector<Group> all;
    Index colors = 0;
    for (std::size_t k = 0; k < models_.size(); ++k) {
      const CountSummary& of = models_[k].summary;
      const auto same = [&](const Group& g) { return g.heads == of.heads && g.kv_heads == of.kv_heads; };
      auto at = std::ranges::find_if(all, same);
      if (at == all.end()) {
        const auto twin = std::ranges::find(all, of.heads, &Group::heads);
        const Index color = twin != all.end() ? twin->color : colors++;
        at = all.insert(all.end(), {of.heads, of.kv_heads, color, {}});
      }
      at->models.push_back(k);
    }
    return all;
  }

  std::vector<double> places() const {
    std::vector<double> all;
    for (const QualityModel& model : models_)
      if (const double cost = model.cost(cost_); !std::isnan(cost)) all.push_back(shown(cost));
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }
  double shown(double cost) const { return cost_ == QualityCost::time ? 1e6 * cost : cost; }

  void plot(const Box& box) {
    const std::vector<double> at = places();
    const std::vector<Group> all = groups();
    auto plot = styled<Plot>(frame_);
    plot.places = at;
    plot.x.logarithmic = true, plot.x.base = 2;
    plot.x.title = wording(texts_of(cost_).axis);
    plot.keyed = true;
    const auto place = [&](std::size_t k) {
      return static_cast<std::size_t>(std::ranges::lower_bound(at, shown(models_[k].cost(cost_))) - at.begin());
    };
    std::vector<double> line(at.size(), Spread::kNone);
    for (const std::size_t k : frontier_) line[place(k)] = models_[k].numbers().accuracy.median;
    PlotSeries best{std::move(line), theme_.ink, PlotSeries::Kind::line, wording("tradeoff:quality.frontier")};
    best.bridges = true;
    plot.series.push_back(std::move(best));
    bool told = false;
    for (const Group& group : all) {
      std::vector<double> median(at.size(), Spread::kNone), low = median, high = median;
      for (const std::size_t k : group.models) {
        if (std::isnan(models_[k].cost(cost_))) continue;
        const Spread& accuracy = models_[k].numbers().accuracy;
        median[place(k)] = accuracy.median, low[place(k)] = accuracy.least, high[place(k)] = accuracy.most;
      }
      // What is filled or not has one entry in the key for all.
      const bool shared = group.kv_heads > 0;
      const std::string label = !shared                     ? wording("tradeoff:quality.key", {{"n", group.heads}})
                                : std::exchange(told, true) ? ""
                                                            : wording("tradeoff:quality.key.shared");
      plot.series.push_back({std::move(median), head_color(frame_, group.color),
                             shared ? PlotSeries::Kind::rings : PlotSeries::Kind::dots, label});
      if (asked_.seeds > 1) plot.series.back().low = std::move(low), plot.series.back().high = std::move(high);
    }
    plot.levels.push_back({info_.baselines.front().accuracy, wording("tradeoff:trained.guessing")});
    if (frontier_.empty()) plot.instead = wording("tradeoff:trained.not_yet");
    const PlotResult hit = plotted(frame_, "tradeoff/quality",
                                   {wording("tradeoff:quality.accuracy"), "", wording("tradeoff:quality.accuracy.tip")},
                                   box, std::move(plot));
    if (hit.place < 0) return;
    const auto pointed = [&](const Group& group) -> std::optional<std::size_t> {
      for (const std::size_t k : group.models)
        if (!std::isnan(models_[k].cost(cost_)) && static_cast<int>(place(k)) == hit.place) return k;
      return std::nullopt;
    };
    std::vector<std::size_t> here;  // the one that is pointed at first
    const auto first_if = [&](bool first, std::size_t k) { here.insert(first ? here.begin() : here.end(), k); };
    for (std::size_t g = 0; g < all.size(); ++g)
      if (const auto k = pointed(all[g])) first_if(static_cast<int>(g) + 1 == hit.series, *k);
    if (hit.series == 0)  // the frontier's
      for (const std::size_t k : frontier_)
        if (static_cast<int>(place(k)) == hit.place) std::erase(here, k), first_if(true, k);
    if (here.empty()) return;
    say_models(here);
    if (hit.clicked) open(models_[here.front()]);
  }

  void say_models(const std::vector<std::size_t>& here) const {
    std::vector<std::string> lines;
    for (const std::size_t k : here) {
      const QualityModel& model = models_[k];
      const RateSummary& numbers = model.numbers();
      const auto share = [](double value) { return ui::number(value, As::share); };
      lines.push_back(quality_name(model, asked_.d_model));
      lines.push_back(numbers.runs == 0
                          ? wording("tradeoff:trained.not_yet")
                          : wording("tradeoff:trained.reading.runs", {{"median", share(numbers.accuracy.median)},
                                                                      {"runs", numbers.runs},
                                                                      {"least", share(numbers.accuracy.least)},
                                                                      {"most", share(numbers.accuracy.most)},
                                                                      {"mean", share(numbers.accuracy.mean)}}));
      std::string costs;
      for (const QualityCost cost : kCosts)
        if (!std::isnan(model.cost(cost))) costs += (costs.empty() ? "" : ", ") + cost_text(cost, model.cost(cost));
      lines.push_back(costs);
    }
    lines.push_back(wording("tradeoff:quality.opens"));
    ui::tooltip(frame_, lines);
  }

  // The best of its runs.
  void open(const QualityModel& model) {
    const learn::CountRun* best = nullptr;
    const CountSummary& of = model.summary;
    for (int seed = 0; trained_ && seed < asked_.seeds; ++seed) {
      const auto run = trained_->runs.find({of, asked_.rates.front(), static_cast<std::uint64_t>(seed)});
      if (run == trained_->runs.end() || !run->second->document) continue;
      if (!best || run->second->scores.accuracy > best->scores.accuracy) best = run->second.get();
    }
    if (!best) return;
    const std::string title = wording("tradeoff:trained.document", {{"task", short_title(info_)},
                                                                    {"model", quality_name(model, asked_.d_model)},
                                                                    {"d_model", asked_.d_model},
                                                                    {"rate", rate_text(best->rate)},
                                                                    {"seed", best->seed}});
    frame_.out.apply(ReplaceDocument{*best->document, title});
  }

  const TrainedState& state_;
  QualityCost cost_;
  const learn::TaskInfo& info_;
  learn::CountsAsked asked_;
  const Trained* trained_;
  const QualityMade& made_;
  const std::vector<QualityModel>& models_;
  std::vector<std::size_t> frontier_;
};

}  // namespace

void draw_quality(Frame& frame, ImVec2 pos, ImVec2 size) {
  std::optional<Canvas::Part> part;
  if (frame.now.started<HeadCountsMeasure>().value) part.emplace(frame.canvas, "tradeoff.quality");
  ImGui::SetCursorScreenPos(pos);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {2 * frame.unit, 1.5f * frame.unit});
  QualityPage page(frame);
  page.bar();
  ImGui::PopStyleVar();
  const float top = ImGui::GetCursorScreenPos().y + frame.unit;
  page.draw({{pos.x, top}, {size.x, pos.y + size.y - top}});
}

}  // namespace hydra::tradeoff
