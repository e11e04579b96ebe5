#include "app/views/tradeoff/trained/trained_words.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "app/draw/format.h"
#include "core/text/wording.h"

namespace hydra::tradeoff {

std::span<const TrainedTask> trained_tasks() {
  static constexpr TrainedTask kTasks[] = {
      {"students", "learn:task.students", "learn:task.students.tip"},
      {"grammar", "learn:task.grammar", "learn:task.grammar.tip"},
      {"induction", "learn:task.induction", "learn:task.induction.tip"},
      {"pronoun", "learn:task.pronoun", "learn:task.pronoun.tip"},
  };
  return kTasks;
}

const TrainedTask& task_of(const TrainedState& state) {
  const auto found = std::ranges::find(trained_tasks(), state.task, &TrainedTask::key);
  return found == trained_tasks().end() ? trained_tasks().front() : *found;
}

std::string short_title(const learn::TaskInfo& task) { return task.title.substr(0, task.title.find(':')); }

learn::CountsAsked asked_of(const TrainedState& state) {
  learn::CountsAsked asked;
  asked.task = task_of(state).key;
  asked.d_model = state.d_model;
  asked.heads = learn::halvings(state.d_model);
  if (!state.deep) asked.deep = 0;
  asked.rates = state.rates;
  asked.seeds = state.seeds;
  asked.steps = state.steps;
  return asked;
}

namespace {

RateSummary summary_of(learn::CountKey key, int seeds, const learn::CountRuns& all) {
  RateSummary summary;
  summary.rate = key.rate;
  std::vector<const learn::CountRun*> runs;
  for (int seed = 0; seed < seeds; ++seed) {
    key.seed = static_cast<std::uint64_t>(seed);
    const auto found = all.find(key);
    const learn::CountRun* run = found == all.end() ? nullptr : found->second.get();
    summary.by_seed.push_back(run ? static_cast<int>(learn::answered(*run)) : -1);
    if (!run) continue;
    summary.done |= run->done;
    runs.push_back(run);
  }
  if (summary.done) std::erase_if(runs, [](const learn::CountRun* run) { return !run->done; });
  std::vector<double> accuracies, losses, answered;
  for (const learn::CountRun* run : runs) {
    const bool live = !run->done && !run->curve.empty();  // a batch alone is noisier than its neighbours' mean
    accuracies.push_back(live ? run->curve.back().accuracy : run->scores.accuracy);
    losses.push_back(live ? run->curve.back().loss : run->scores.loss);
    answered.push_back(static_cast<double>(learn::answered(*run)));
  }
  summary.runs = static_cast<int>(runs.size());
  summary.accuracy = spread_of(std::move(accuracies));
  summary.loss = spread_of(std::move(losses));
  if (!runs.empty()) summary.answered = static_cast<int>(std::floor(spread_of(std::move(answered)).median));
  return summary;
}

// Rates of which a run is done before those that are still under way.
bool is_better(const RateSummary& a, const RateSummary& b) {
  const auto rank = [](const RateSummary& r) {
    const bool known = std::isfinite(r.accuracy.median);
    return std::tuple(r.done, known, known ? r.accuracy.median : 0, known ? r.accuracy.mean : 0);
  };
  return rank(a) > rank(b);
}

}  // namespace

std::vector<CountSummary> summaries(const learn::CountsAsked& asked, const learn::CountRuns& runs) {
  std::vector<CountSummary> all;
  for (const learn::CountModel& model : asked.models()) {
    CountSummary summary{model, {}};
    for (const double rate : asked.rates) {
      summary.rates.push_back(summary_of({model, rate}, asked.seeds, runs));
      if (is_better(summary.rates.back(), summary.at_best())) summary.best = summary.rates.size() - 1;
    }
    all.push_back(std::move(summary));
  }
  return all;
}

std::vector<CountSummary> summaries(const learn::CountsAsked& asked, const HeadCountsMeasure::Trained* trained) {
  return summaries(asked, trained ? trained->runs : learn::CountRuns());
}

Index parameter_count(const learn::TaskInfo& info, Index d_model, Index layers) {
  const Index answers = info.answers.size() * info.shape.questions;
  const Index places = info.recipe.positions.kind == learn::PositionRecipe::Kind::learned ? info.shape.length : 0;
  return (info.words.size() + places) * d_model + 4 * layers * d_model * d_model + d_model * answers + answers;
}

std::string model_name(const CountSummary& count) {
  return count.layers == 1 ? wording("tradeoff:heads", {{"n", count.heads}})
                           : wording("tradeoff:trained.layers_of", {{"layers", count.layers}, {"n", count.heads}});
}

std::string rate_text(double rate) {
  const std::string text = ui::number(rate, As::axis);
  return text.starts_with("0.") ? text.substr(1) : text;
}

std::string listed(const std::vector<Index>& counts) {
  std::string text;
  for (std::size_t k = 0; k < counts.size(); ++k)
    text = k == 0                   ? std::to_string(counts[k])
           : k + 1 == counts.size() ? wording("tradeoff:list.last", {{"first", text}, {"last", counts[k]}})
                                    : wording("tradeoff:list", {{"first", text}, {"next", counts[k]}});
  return text;
}

namespace {

std::string so_many(int answered, Index questions) {
  return answered == questions ? wording("tradeoff:trained.all")
         : answered == 0       ? wording("tradeoff:trained.none")
                               : std::to_string(answered);
}

}  // namespace

std::string walls_sentence(const std::vector<CountSummary>& counts, Index questions, bool brief, bool so_far) {
  if (std::ranges::any_of(counts, [](const CountSummary& c) { return c.layers == 1 && c.at_best().runs == 0; }))
    return "";
  struct Part {
    std::vector<Index> heads;  // neighbours that answer as many
    int answered;
  };
  std::vector<Part> parts;
  for (const CountSummary& count : counts) {
    if (count.layers > 1) continue;
    const int answered = count.at_best().answered;
    if (parts.empty() || parts.back().answered != answered) parts.push_back({{}, answered});
    parts.back().heads.push_back(count.heads);
  }
  if (parts.empty()) return "";
  const int most = std::ranges::max(parts, {}, &Part::answered).answered;
  std::string text;
  for (const Part& part : parts) {
    const bool first = &part == &parts.front();
    if (brief && !first && &part != &parts.back() && part.answered != most) continue;
    const std::string answered = so_many(part.answered, questions), heads = listed(part.heads);
    text = first ? wording("tradeoff:trained.walls.first",
                           {{"answered", answered}, {"heads", heads}, {"n", std::ranges::max(part.heads)}})
                 : wording("tradeoff:trained.walls.next", {{"before", text}, {"answered", answered}, {"heads", heads}});
  }
  const bool alone = std::ranges::all_of(counts, [](const CountSummary& c) { return c.at_best().runs <= 1; });
  if (so_far)
    return alone ? wording("tradeoff:trained.walls.run_so_far", {{"questions", questions}, {"answers", text}})
                 : wording("tradeoff:trained.walls.so_far", {{"questions", questions}, {"answers", text}});
  return alone ? wording("tradeoff:trained.walls.run", {{"questions", questions}, {"answers", text}})
               : wording("tradeoff:trained.walls", {{"questions", questions}, {"answers", text}});
}

std::string progress_text(const Measured<HeadCountsMeasure>& counts) {
  if (counts.stopped) return wording("tradeoff:ending");
  const learn::CountsAsked& asked = counts.wanted;
  const auto* trained = counts.value ? counts.value->of(asked) : nullptr;
  const std::size_t runs = asked.runs().size(), left = trained ? learn::runs_to_train(asked, trained->runs) : runs;
  const double seconds = counts.value && !counts.older ? counts.value->seconds_left : -1;
  if (seconds < 0) return wording("tradeoff:trained.progress", {{"done", runs - left}, {"runs", runs}});
  return wording("tradeoff:trained.progress.left",
                 {{"done", runs - left}, {"runs", runs}, {"seconds", std::max(1LL, std::llround(seconds))}});
}

std::string budget_note(const learn::TaskInfo& info, const learn::CountsAsked& asked) {
  const std::string numbers = ui::number(static_cast<double>(parameter_count(info, asked.d_model)), As::count),
                    steps = ui::number(asked.steps, As::count);
  return (info.key == "students" ? wording("tradeoff:trained.budget.task",
                                           {{"students", info.shape.length}, {"questions", info.shape.questions}})
                                 : wording("tradeoff:trained.budget.other", {{"task", info.title}})) +
         " " +
         (asked.rates.size() == 1 ? wording("tradeoff:trained.budget.rate", {{"d_model", asked.d_model},
                                                                             {"numbers", numbers},
                                                                             {"steps", steps},
                                                                             {"rate", rate_text(asked.rates.front())}})
                                  : wording("tradeoff:trained.budget.rates", {{"d_model", asked.d_model},
                                                                              {"numbers", numbers},
                                                                              {"steps", steps},
                                                                              {"rates", asked.rates.size()}}));
}

std::string accuracy_text(double share) {
  if (!std::isfinite(share)) return wording("tradeoff:none");
  const std::string text = ui::number(share, As::brief);
  return text == "1.00" ? "1.0" : text.starts_with("0") ? text.substr(1) : text;
}

}  // namespace hydra::tradeoff
