#include "app/work/circuit_keeper.h"

namespace hydra {

bool CircuitKeeper::update(const std::shared_ptr<const Trace>& trace, std::chrono::milliseconds patience) {
  const auto measure = [trace](const auto& turn) {
    return CircuitShown{std::make_shared<const Circuit>(turn.kept.measures.of(*trace, turn.stop)), ""};
  };
  if (job_.asked() != trace) job_.ask(trace, measure, patience);
  return job_.poll_into(shown_);
}

void CircuitKeeper::leave(const std::shared_ptr<const Trace>& trace) {
  job_.leave(shown_, [&](const std::shared_ptr<const Trace>& asked) { return asked == trace; });
}

}  // namespace hydra
