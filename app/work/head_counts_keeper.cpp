#include "app/work/head_counts_keeper.h"

#include <algorithm>
#include <tuple>

namespace hydra {

int HeadCountsKeeper::Pool::threads() { return threads_of_the_machine(); }

HeadCountsKeeper::HeadCountsKeeper() {
  shown_.task = learn::make_task("students");
  shown_.example = std::make_shared<const learn::CountExample>(*shown_.task);
}

void HeadCountsKeeper::keep(std::shared_ptr<const Trained> trained) {
  const auto key = [](const auto& t) { return std::tuple(t->d_model, t->steps); };
  const auto at = std::ranges::lower_bound(shown_.trained, key(trained), {}, key);
  if (at != shown_.trained.end() && key(*at) == key(trained))
    *at = std::move(trained);
  else
    shown_.trained.insert(at, std::move(trained));
}

void HeadCountsKeeper::start(const learn::CountsAsked& asked) {
  job_.stop();
  take_runs();
  Trained kept{asked.d_model, asked.steps, {}};
  if (const Trained* before = shown_.of(asked.d_model, asked.steps)) kept = *before;
  std::erase_if(kept.runs, [](const auto& run) { return !run.second->done; });  // they begin anew
  const learn::CountRuns known = kept.runs;
  keep(std::make_shared<const Trained>(std::move(kept)));
  steps_ = std::max(1, static_cast<int>(learn::runs_to_train(asked, known)) * asked.steps);
  shown_.training = true;
  shown_.ending = false;
  shown_.now = asked;
  shown_.progress = 0;
  shown_.seconds_left = -1;
  shown_.failure.clear();
  began_ = Clock::now();
  ++trainings_;
  {
    const std::lock_guard lock(news_->mutex);
    news_->training = trainings_;
    news_->runs.clear();
  }
  const auto train = [asked, known, task = shown_.task, news = news_, number = trainings_](const auto& turn) {
    const auto hear = [&](std::shared_ptr<const learn::CountRun> run) {
      std::function<void()> wake;
      {
        const std::lock_guard lock(news->mutex);
        if (news->training != number) return;  // another was started
        news->runs.push_back(std::move(run));
        wake = news->wake;
      }
      if (wake) wake();
    };
    learn::train_head_counts(asked, task, known, &turn.kept.pool, hear, turn.progress());
    return true;
  };
  job_.ask(trainings_, train, std::chrono::milliseconds(0));
}

void HeadCountsKeeper::cancel() {
  job_.stop();
  shown_.ending = shown_.training;
}

bool HeadCountsKeeper::take_runs() {
  std::vector<std::shared_ptr<const learn::CountRun>> runs;
  {
    const std::lock_guard lock(news_->mutex);
    runs.swap(news_->runs);
  }
  if (runs.empty()) return false;
  const Trained* before = shown_.of(shown_.now.d_model, shown_.now.steps);
  auto trained = std::make_shared<Trained>(*before);
  for (auto& run : runs) trained->runs[*run] = run;
  keep(std::move(trained));
  return true;
}

bool HeadCountsKeeper::update() {
  if (!shown_.training) return false;
  const bool over = !job_.computing();  // before the news are taken, so that none is missed
  const bool changed = take_runs();
  if (changed) {
    shown_.progress = std::min(1.0f, static_cast<float>(job_.done()) / static_cast<float>(steps_));
    const double seconds = std::chrono::duration<double>(Clock::now() - began_).count();
    if (shown_.progress > 0.01f) shown_.seconds_left = seconds / static_cast<double>(shown_.progress) - seconds;
  }
  if (!over) return changed;
  shown_.training = shown_.ending = false;
  job_.poll([](bool) {});
  shown_.failure = job_.failure();
  return true;
}

void HeadCountsKeeper::on_news(std::function<void()> wake) {
  {
    const std::lock_guard lock(news_->mutex);
    news_->wake = wake;
  }
  job_.on_finished(std::move(wake));
}

}  // namespace hydra
