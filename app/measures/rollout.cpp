#include "app/measures/rollout.h"

namespace hydra {

RolloutMeasure::Result RolloutMeasure::compute(const MeasuredOf& of, const Wanted& wanted, const JobTurn<Kept>& turn) {
  Rollout steps = rollout_steps(*of.trace, wanted.layers, wanted.kind, &turn.kept.pool, turn.stop);
  Array<float> reached = share(Mat<float>(steps.reached.cast<float>()));
  return {std::move(steps), std::move(reached)};
}

}  // namespace hydra
