#include "app/work/rollout_keeper.h"

namespace hydra {

bool RolloutKeeper::update(const std::shared_ptr<const Trace>& trace, int layers, RolloutKind kind,
                           std::chrono::milliseconds patience) {
  const Asked asked{trace, layers, kind};
  const auto measure = [asked](const auto& turn) {
    const std::shared_ptr<const Rollout> steps = std::make_shared<const Rollout>(
        rollout_steps(*asked.trace, asked.layers, asked.kind, &turn.kept.pool, turn.stop));
    return RolloutShown{asked.trace, asked.layers, asked.kind, steps, share(Mat<float>(steps->reached.cast<float>())),
                        ""};
  };
  if (job_.asked() != asked) job_.ask(asked, measure, patience);
  return job_.poll_into(shown_);
}

void RolloutKeeper::leave(const std::shared_ptr<const Trace>& trace) {
  job_.leave(shown_, [&](const Asked& asked) { return asked.trace == trace; });
}

}  // namespace hydra
