#include "app/measures/ways.h"

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

WaysMeasure::Result WaysMeasure::compute(const Wanted& wanted, const Result* before,
                                         const MeasureTurn<WaysMeasure>& turn) {
  constexpr int kSteps = 1000;  // of the progress
  turn.begin(kSteps);
  Result result;
  if (before) result.timed = before->timed;
  const std::shared_ptr<const TimedWays> last = result.timed;
  TimingWatch watch;
  watch.now = [&](const std::string& what, double share) {
    result.now = what;
    turn.done = static_cast<int>(kSteps * share);
    turn.publish(result, false);
  };
  watch.found = [&](const Timings& timings) {
    TimedWays now{timed_sizes(wanted.layer), wanted.lengths, timings};
    result.timed = std::make_shared<const TimedWays>(last ? renewed(std::move(now), *last) : std::move(now));
    result.found = true;
    turn.publish(result, false);
  };
  measure_ways(wanted.layer, wanted.lengths, {}, watch, turn.stop);
  result.now.clear();
  return result;
}

}  // namespace hydra
