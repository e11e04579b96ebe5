#include "app/work/ways_keeper.h"

#include <algorithm>

namespace hydra {

TimedWays renewed(TimedWays now, const TimedWays& before) {
  if (now.sizes != before.sizes) return now;
  Timings& timings = now.timings;
  const Timings measured = timings;  // anew
  const auto asked = [&](Index n) { return std::find(now.lengths.begin(), now.lengths.end(), n) != now.lengths.end(); };
  const auto of_way = [](Way way, Index n) {
    return [=](const auto& other) { return other.way == way && other.n == n; };
  };
  const auto reached = [&](Way way, Index n) {
    return timing_of(measured, way, n) ||
           std::any_of(measured.left_out.begin(), measured.left_out.end(), of_way(way, n));
  };
  const auto keep = [&](auto& list, const auto& old) {
    list.push_back(old);
    now.renewed = true;
  };
  for (const WayTiming& old : before.timings.ways)
    if (asked(old.n) && !reached(old.way, old.n)) keep(timings.ways, old);
  for (const LeftOut& old : before.timings.left_out)
    if (asked(old.n) && !reached(old.way, old.n)) keep(timings.left_out, old);
  for (const StepTiming& old : before.timings.steps)
    if (asked(old.n) && std::none_of(measured.steps.begin(), measured.steps.end(),
                                     [&](const StepTiming& step) { return step.n == old.n; }))
      keep(timings.steps, old);
  // Lengths are measured ascending, so what was kept follows what is new.
  if (now.renewed) timings.largest_difference = std::max(timings.largest_difference, before.timings.largest_difference);
  return now;
}

template <class Change>
void WaysKeeper::tell(News& news, const Change& change) {
  std::function<void()> wake;
  {
    const std::lock_guard lock(news.mutex);
    change();
    news.any = true;
    wake = news.wake;
  }
  if (wake) wake();
}

void WaysKeeper::start(const LayerInput<float>& layer, std::vector<Index> lengths) {
  job_.stop();
  shown_.measuring = true;
  shown_.ending = false;
  any_found_ = false;
  shown_.now.clear();
  shown_.failure.clear();
  shown_.progress = 0;
  const auto measure = [layer, lengths = std::move(lengths), before = shown_.timed, news = news_](const auto& turn) {
    TimingWatch watch;
    watch.now = [&](const std::string& what, double share) {
      tell(*news, [&] {
        news->now = what;
        news->progress = static_cast<float>(share);
      });
    };
    watch.found = [&](const Timings& timings) {
      TimedWays now{timed_sizes(layer), lengths, timings};
      auto timed = std::make_shared<const TimedWays>(before ? renewed(std::move(now), *before) : std::move(now));
      tell(*news, [&] { news->timed = std::move(timed); });
    };
    measure_ways(layer, lengths, {}, watch, turn.stop);
    return !turn.stop.stop_requested();
  };
  job_.ask(++runs_, measure, std::chrono::milliseconds(0));
}

void WaysKeeper::cancel() {
  job_.stop();
  shown_.ending = shown_.measuring;
}

bool WaysKeeper::update() {
  if (!shown_.measuring) return false;
  const bool over = !job_.computing();  // before the news are taken, so that none is missed
  bool changed = false;
  {
    const std::lock_guard lock(news_->mutex);
    if (std::exchange(news_->any, false)) {
      if (shown_.timed != news_->timed) any_found_ = true, shown_.cancelled = false;
      shown_.timed = news_->timed;
      shown_.now = news_->now;
      shown_.progress = news_->progress;
      changed = true;
    }
  }
  if (!over) return changed;
  shown_.measuring = shown_.ending = false;
  bool whole = false;
  job_.poll([&](bool all) { whole = all; });
  shown_.failure = job_.failure();
  if (!whole && any_found_) shown_.cancelled = true;
  return true;
}

void WaysKeeper::on_news(std::function<void()> wake) {
  {
    const std::lock_guard lock(news_->mutex);
    news_->wake = wake;
  }
  job_.on_finished(std::move(wake));
}

}  // namespace hydra
