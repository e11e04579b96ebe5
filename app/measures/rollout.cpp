#include "app/measures/rollout.h"

namespace hydra {

RolloutMeasure::Result RolloutMeasure::compute(const Trace& trace, const Wanted& wanted, Kept& kept,
                                               const std::stop_token& stop) {
  Rollout steps = rollout_steps(trace, wanted.layers, wanted.kind, &kept.pool, stop);
  Array<float> reached = share(Mat<float>(steps.reached.cast<float>()));
  return {std::move(steps), std::move(reached)};
}

}  // namespace hydra
