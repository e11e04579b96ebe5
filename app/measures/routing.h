// Which tokens the parts of a layer can move numbers between (Stream, Routing).
#pragma once
#include "app/measures/registry.h"
#include "core/analysis/routing.h"

namespace hydra {

struct RoutingMeasure : MeasureOfTrace {
  struct Wanted {
    int layer = 0;
    bool operator==(const Wanted&) const = default;
  };
  struct Result {
    Routing routing;
    Array<float> attention, feed_forward;  // as they are drawn; no feed_forward where there is no such part
  };
  using Kept = KeptThreads;
  static constexpr const char* kFailed = "Routing could not be computed";
  static bool stops(const Moment&, const Wanted&) { return true; }  // a large layer takes seconds
  static bool is_there(const Moment& now, const Wanted& wanted) { return has_whole(*now.trace, wanted.layer); }
  static Result compute(const MeasuredOf& of, const Wanted& wanted, const JobTurn<Kept>& turn);
};

}  // namespace hydra
