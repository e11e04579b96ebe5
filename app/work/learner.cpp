#include "app/work/learner.h"

#include <algorithm>

namespace hydra {

namespace {

using Clock = std::chrono::steady_clock;

// How long until the next step, 5 ms at most: the pace may change.
std::chrono::milliseconds time_to_wait(Clock::time_point last, double steps_per_second) {
  if (steps_per_second <= 0) return {};
  const auto due =
      last + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / steps_per_second));
  const auto left =
      std::clamp<Clock::duration>(due - Clock::now(), Clock::duration::zero(), std::chrono::milliseconds(5));
  return std::chrono::ceil<std::chrono::milliseconds>(left);
}

std::shared_ptr<const learn::Moments> zeros(std::size_t count) {
  return std::make_shared<const learn::Moments>(learn::Moments{std::vector<float>(count), std::vector<float>(count)});
}

}  // namespace

std::unique_ptr<learn::Run> reach(const Stretch& stretch, ThreadPool* pool, const Progress& progress) {
  const auto run_with = [&](const Stretch::Settings& settings, learn::RunState state) {
    auto run = std::make_unique<learn::Run>(stretch.task, *stretch.document, settings.recipe, settings.seed);
    run->set_gates(settings.gates);
    run->go_to(std::move(state));
    return run;
  };
  const auto& begin = stretch.begin;
  const auto moments = begin.moments ? begin.moments : zeros(begin.parameters->size());
  auto run = run_with(stretch.replayed, {begin.step, *begin.parameters, *moments});
  run->set_training(stretch.drawn);
  while (run->step() < stretch.step) {
    progress.step();
    run->take_step(pool);
  }
  if (!stretch.own_start && stretch.settings == stretch.replayed) return run;
  learn::RunState state = run->state();
  if (stretch.own_start) state.parameters = **stretch.own_start;
  run = run_with(stretch.settings, std::move(state));
  run->set_training(stretch.drawn);
  return run;
}

const learn::Scores& take_step(learn::Run& run, const learn::Tracks& tracks, const Document& document, ThreadPool* pool,
                               std::vector<float>& row) {
  const bool measures = run.step() % learn::kMeasuredApart == 0;
  std::optional<Document> before;
  if (measures && tracks.layers > 1) before = run.document();
  learn::Scores held_out;
  double split = 0;
  if (measures) {
    held_out = run.evaluate(pool, false, learn::kHeldOutSequences);
    split = run.split_accuracy(pool, learn::kHeldOutSequences);
  }
  const learn::Scores& scores = run.take_step(pool, measures);
  if (!scores.is_finite()) return scores;
  row.resize(static_cast<std::size_t>(tracks.count()));
  learn::write_scores(tracks, document, scores, row);
  if (measures) learn::write_held_out(tracks, held_out, split, row);
  if (before) learn::write_composition(tracks, *before, row);
  return scores;
}

void Learner::train(Stretch stretch) {
  pause();
  ended_.reset();
  const auto shared = std::make_shared<const Stretch>(std::move(stretch));
  ++stretches_;
  job_.ask(
      stretches_,
      [shared, number = stretches_, feed = feed_, pace = pace_](const Training::Turn& turn) {
        return Result{number, run(*shared, number, turn, *feed, *pace)};
      },
      std::chrono::milliseconds(0));
}

std::vector<Learner::Taken> Learner::fetch() {
  job_.poll([&](const Result& result) {  // which has put all into the feed before
    if (result.stretch == stretches_) ended_ = result.ended;
  });
  const std::lock_guard lock(feed_->mutex);
  return std::exchange(feed_->taken, {});
}

std::optional<Learner::Ended> Learner::take_ended() { return std::exchange(ended_, std::nullopt); }

void Learner::make_ready(const Stretch& stretch, const Training::Turn& turn, Feed& feed) {
  Kept& kept = turn.kept;
  const bool goes_on = kept.run && kept.branch == stretch.branch && kept.document == stretch.document &&
                       kept.settings == stretch.settings && kept.run->step() == stretch.step && !stretch.first;
  if (goes_on) return;
  kept.run = nullptr;
  std::unique_ptr<learn::Run> run = reach(stretch, &kept.pool, turn.progress());
  run->held_out(&kept.pool, turn.progress());  // here, where it can be stopped
  if (stretch.first) {
    const std::lock_guard lock(feed.mutex);
    feed.taken.push_back(
        {stretch.branch, stretch.step, {}, nullptr, std::make_shared<const learn::Moments>(run->moments())});
  }
  kept.run = std::move(run);
  kept.document = stretch.document;
  kept.branch = stretch.branch;
  kept.settings = stretch.settings;
}

std::optional<double> Learner::Recent::mean() const {
  if (count_ < values_.size()) return std::nullopt;
  double sum = 0;
  for (const double value : values_) sum += value;
  return sum / static_cast<double>(values_.size());
}

void Learner::wait(const Training::Turn& turn, Feed& feed, const std::atomic<double>& pace) {
  const auto is_full = [&] {
    const std::lock_guard lock(feed.mutex);
    std::size_t bytes = 0;
    for (const Taken& taken : feed.taken) bytes += taken.parameters ? taken.parameters->size() * sizeof(float) : 0;
    return feed.taken.size() > Feed::kMost || (bytes > Feed::kMostBytes && feed.taken.size() > 1);
  };
  while (!turn.stop.stop_requested()) {
    give_way();
    if (is_over()) throw Unfinished();
    const auto time = is_full() ? std::chrono::milliseconds(1) : time_to_wait(turn.kept.last, pace.load());
    if (time.count() <= 0) return;
    rest_for(time);
  }
}

Learner::Ended Learner::run(const Stretch& stretch, std::uint64_t number, const Training::Turn& turn, Feed& feed,
                            const std::atomic<double>& pace) {
  Kept& kept = turn.kept;
  if (kept.stretch != number) {
    make_ready(stretch, turn, feed);
    kept.stretch = number;
    kept.losses = kept.accuracies = {};
    kept.last = Clock::now() - std::chrono::hours(1);
  }
  learn::Run& run = *kept.run;
  const learn::Tracks tracks = learn::tracks_of(stretch.task->info(), *stretch.document);
  while (!turn.stop.stop_requested()) {
    if (run.step() >= stretch.stop_at.step) return Ended::step;
    wait(turn, feed, pace);
    if (turn.stop.stop_requested()) break;
    kept.last = Clock::now();
    Taken taken{stretch.branch, 0, {}, nullptr, nullptr};
    const learn::Scores& scores = take_step(run, tracks, *stretch.document, &turn.kept.pool, taken.row);
    if (!scores.is_finite()) return Ended::diverged;
    kept.losses.add(scores.loss), kept.accuracies.add(scores.accuracy);
    taken.step = run.step();
    taken.parameters = run.snapshot();
    if (taken.step % learn::Timeline::kMomentsApart == 0)
      taken.moments = std::make_shared<const learn::Moments>(run.moments());
    {
      const std::lock_guard lock(feed.mutex);
      feed.taken.push_back(std::move(taken));
    }
    const StopAt& stop_at = stretch.stop_at;
    if (const auto mean = kept.losses.mean(); mean && stop_at.loss && *mean <= *stop_at.loss) return Ended::loss;
    if (const auto mean = kept.accuracies.mean(); mean && stop_at.accuracy && *mean >= *stop_at.accuracy)
      return Ended::accuracy;
  }
  return Ended::stopped;
}

}  // namespace hydra
