#include "app/work/rollout_keeper.h"

#include <utility>

namespace hydra {

bool RolloutKeeper::take() {
  const bool news = job_.poll([this](RolloutShown measured) { shown_ = std::move(measured); });
  if (news) shown_.failure = job_.failure();
  return news;
}

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
  return take();
}

void RolloutKeeper::leave(const std::shared_ptr<const Trace>& trace) {
  take();
  if (!job_.asked() || job_.asked()->trace == trace) return;
  job_.let_go();
  shown_ = {};
}

}  // namespace hydra
