#include "app/work/ways_keeper.h"

namespace hydra {

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
    auto timed = std::make_shared<const TimedWays>(TimedWays{sizes, request.lengths, timings});
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
  shown_.progress = 0;
  work_.ask({layer, std::move(lengths), stop_.get_token()}, std::chrono::milliseconds(0));
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
