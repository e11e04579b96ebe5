#include "app/tools/pruning_keeper.h"

namespace hydra {

namespace {

// Long and dear enough that gates of heads that nobody needs close: of eight heads for two questions two or three stay
// open (tests/core/learn/opened/pruning.tests.cpp).
constexpr int kGateSteps = 800;
constexpr double kGatePrice = 0.05;

int work_of(int heads) {
  return learn::evaluations_of_worth(heads) + learn::evaluations_of_importance_pruning(heads) +
         learn::evaluations_of_greedy_pruning(heads) + kGateSteps;
}

template <class Value>
std::shared_ptr<const Value> shared(Value value) {
  return std::make_shared<const Value>(std::move(value));
}

}  // namespace

void PruningKeeper::update(const Wanted& wanted, LearnTold& shown) {
  const Asked asked{wanted.run, wanted.branch, wanted.step};
  if (job_.asked() != asked) {
    job_.stop();
    const auto document = std::make_shared<const Document>(wanted.document());
    int heads = 0;
    for (const Layer& layer : document->layers) heads += static_cast<int>(layer.heads);
    work_ = work_of(heads);
    job_.ask(
        asked,
        [task = wanted.task, document, recipe = wanted.recipe, seed = wanted.seed, training = wanted.training,
         asked](const auto& turn) {
          learn::Run run(task, *document, recipe, seed);
          run.set_training(training);
          ThreadPool* pool = &turn.kept.pool;
          PruningTold made{asked.branch, asked.step, nullptr, nullptr, nullptr, nullptr};
          made.worth = shared(learn::head_worth(run, pool, turn.progress()));
          made.important = shared(learn::prune_by_importance(run, *made.worth, pool, turn.progress()));
          made.greedy = shared(learn::prune_greedily(run, *made.worth, pool, turn.progress()));
          made.closed = shared(learn::close_gates(task, *document, recipe, seed, kGatePrice, kGateSteps,
                                                  made.worth->heads, pool, turn.progress()));
          return made;
        },
        std::chrono::milliseconds(0));
  }
  job_.poll([&](PruningTold made) { shown.pruning = std::move(made); });
  shown.pruning_failure = job_.failure();
  shown.pruning_progress =
      job_.computing() ? std::min(1.0f, static_cast<float>(job_.done()) / static_cast<float>(work_)) : 1.0f;
}

void PruningKeeper::leave(LearnTold& shown) {
  if (!job_.asked()) return;
  job_.let_go();
  shown.pruning = {};
  shown.pruning_progress = 1;
}

}  // namespace hydra
