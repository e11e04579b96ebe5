#include "app/work/stream_keeper.h"

namespace hydra {

namespace {

std::vector<Index> next_words(const Trace& trace) {
  std::vector<Index> next;
  if (const Array<float>& p = trace.model.probabilities)
    for (Index token = 0; token < p.rows(); ++token) next.push_back(likeliest(*p, token, 1).front());
  return next;
}

}  // namespace

bool StreamKeeper::update(const std::shared_ptr<const Trace>& trace, Index token, std::chrono::milliseconds patience) {
  const auto measure = [trace, token](const auto& turn) {
    auto stream = std::make_shared<const Stream>(turn.kept.measures.of(*trace, token));
    std::shared_ptr<const DirectEffects> effects = turn.kept.effects.of(*trace, *stream);
    return StreamShown{trace, std::move(stream), std::move(effects), next_words(*trace), ""};
  };
  if (const Asked asked{trace, token}; job_.asked() != asked) job_.ask(asked, measure, patience);
  return job_.poll_into(shown_);
}

void StreamKeeper::leave(const std::shared_ptr<const Trace>& trace) {
  job_.leave(
      shown_, [&](const Asked& asked) { return asked.trace == trace; }, true);
}

}  // namespace hydra
