// Which tokens the parts of a layer can move numbers between (Stream, Routing).
#pragma once
#include "app/measures/registry.h"
#include "core/analysis/routing.h"

namespace hydra {

struct RoutingMeasure {
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
  static constexpr bool kStops = true, kLetsGo = false;  // a large layer takes seconds
  static bool is_there(const Trace& trace, const Wanted& wanted) { return has_whole(trace, wanted.layer); }
  static Result compute(const Trace& trace, const Wanted& wanted, Kept& kept, const std::stop_token& stop);
};

}  // namespace hydra
