#include "app/measures/head_counts.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <tuple>

namespace hydra {

namespace {

using Trained = HeadCountsMeasure::Trained;
using Clock = std::chrono::steady_clock;

void keep(std::shared_ptr<const Trained> one, std::vector<std::shared_ptr<const Trained>>& trained) {
  const auto key = [](const auto& t) { return std::tuple(t->task, t->d_model, t->steps, t->grid); };
  const auto at = std::ranges::lower_bound(trained, key(one), {}, key);
  if (at != trained.end() && key(*at) == key(one))
    *at = std::move(one);
  else
    trained.insert(at, std::move(one));
}

}  // namespace

const Trained* HeadCountsMeasure::Result::of(std::string_view task, Index d_model, int steps, bool grid) const {
  for (const auto& t : trained)
    if (t->task == task && t->d_model == d_model && t->steps == steps && t->grid == grid) return t.get();
  return nullptr;
}

const Trained* HeadCountsMeasure::Result::of(const learn::CountsAsked& asked) const {
  return of(asked.task, asked.d_model, asked.steps, !asked.also.empty());
}

namespace {
struct Shown {
  std::shared_ptr<const learn::Task> task;
  std::unique_ptr<const learn::CountExample> example;
};
const Shown& shown_of(const std::string& key) {
  static std::mutex mutex;
  static std::map<std::string, Shown> all;  // whose entries stay where they are
  const std::lock_guard lock(mutex);
  Shown& shown = all[key];
  if (!shown.task) shown.task = learn::make_task(key);
  if (!shown.example) shown.example = std::make_unique<learn::CountExample>(*shown.task);
  return shown;
}
}  // namespace

const std::shared_ptr<const learn::Task>& HeadCountsMeasure::task(const std::string& key) { return shown_of(key).task; }
const learn::CountExample& HeadCountsMeasure::example(const std::string& key) { return *shown_of(key).example; }

HeadCountsMeasure::Result HeadCountsMeasure::compute(const Wanted& asked, const Result* before,
                                                     const MeasureTurn<HeadCountsMeasure>& turn) {
  Result result;
  if (before) result.trained = before->trained;
  Trained now{asked.task, asked.d_model, asked.steps, !asked.also.empty(), {}};
  if (const Trained* known = result.of(asked)) now = *known;
  std::erase_if(now.runs, [](const auto& run) { return !run.second->done; });  // they begin anew
  const learn::CountRuns known = now.runs;
  keep(std::make_shared<const Trained>(now), result.trained);
  const Progress progress = turn.begin(std::max(1, static_cast<int>(learn::runs_to_train(asked, known)) * asked.steps));
  turn.publish(result, false);
  const Clock::time_point began = Clock::now();
  const auto hear = [&](std::shared_ptr<const learn::CountRun> run) {
    const double share = static_cast<double>(turn.done) / static_cast<double>(turn.of);
    const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
    if (share > 0.01) result.seconds_left = seconds / share - seconds;
    now.runs[*run] = std::move(run);
    keep(std::make_shared<const Trained>(now), result.trained);
    turn.publish(result, false);
  };
  learn::train_head_counts(asked, task(asked.task), known, &turn.kept.pool, hear, progress);
  return result;
}

}  // namespace hydra
