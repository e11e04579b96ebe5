// Which tokens the parts of a layer can move numbers between (Stream, Routing).
#pragma once
#include "app/measures/registry/registry.h"
#include "core/analysis/stream/routing.h"

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
  static constexpr const char* kFailed = "measures:routing.failed";
  static double cost(const Moment& now, const Wanted& wanted);
  static bool is_there(const Moment& now, const Wanted& wanted) { return has_whole(*now.trace, wanted.layer); }
  static std::size_t bytes(const Result& result) {
    return bytes_of(result.routing.attention) + bytes_of(result.routing.feed_forward) + bytes_of(result.attention) +
           bytes_of(result.feed_forward);
  }
  static Result compute(const MeasuredOf& of, const Wanted& wanted, const JobTurn<Kept>& turn);
};

}  // namespace hydra
