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

// Whether all of it was measured.
bool WaysKeeper::measure(const Request& request, News& news) {
  const TimedSizes sizes = timed_sizes(request.layer);
  TimingWatch watch;
  watch.now = [&](const std::string& what, double share) {
    tell(news, [&] {
      news.now = what;
      news.progress = static_cast<float>(share);
    });
  };
  watch.found = [&](const Timings& timings) {
    TimedWays now{sizes, request.lengths, timings};
    auto timed =
        std::make_shared<const TimedWays>(request.before ? renewed(std::move(now), *request.before) : std::move(now));
    tell(news, [&] { news.timed = std::move(timed); });
  };
  measure_ways(request.layer, request.lengths, {}, watch, request.stop);
  return !request.stop.stop_requested();
}

WaysKeeper::WaysKeeper() : work_([news = news_](const Request& request) { return measure(request, *news); }) {}

WaysKeeper::~WaysKeeper() { stop_.request_stop(); }

void WaysKeeper::start(const LayerInput<float>& layer, std::vector<Index> lengths) {
  stop_.request_stop();
  stop_ = std::stop_source();
  shown_.measuring = true;
  shown_.ending = false;
  any_found_ = false;
  shown_.now.clear();
  shown_.failure.clear();
  shown_.progress = 0;
  work_.ask({layer, std::move(lengths), shown_.timed, stop_.get_token()}, std::chrono::milliseconds(0));
}

void WaysKeeper::cancel() {
  stop_.request_stop();
  shown_.ending = shown_.measuring;
}

bool WaysKeeper::update() {
  if (!shown_.measuring) return false;
  const bool over = !work_.computing();  // before the news are taken, so that none is missed
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
  shown_.failure = work_.take_failure().value_or("");
  if (!work_.take().value_or(false) && any_found_) shown_.cancelled = true;
  return true;
}

void WaysKeeper::on_news(std::function<void()> wake) {
  {
    const std::lock_guard lock(news_->mutex);
    news_->wake = wake;
  }
  work_.on_finished(std::move(wake));
}

}  // namespace hydra
