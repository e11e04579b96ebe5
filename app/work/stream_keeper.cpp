#include "app/work/stream_keeper.h"

#include <utility>

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
  left_ = false;
  const auto measure = [trace, token](const auto& turn) {
    auto stream = std::make_shared<const Stream>(turn.kept.measures.of(*trace, token));
    std::shared_ptr<const DirectEffects> effects = turn.kept.effects.of(*trace, *stream);
    return StreamShown{trace, std::move(stream), std::move(effects), next_words(*trace), ""};
  };
  if (const Asked asked{trace, token}; job_.asked() != asked) job_.ask(asked, measure, patience);
  return job_.poll_into(shown_);
}

void StreamKeeper::leave(const std::shared_ptr<const Trace>& trace) {
  const bool busy = job_.computing();  // before what is finished is taken, so that nothing finishes between
  job_.poll_into(shown_);
  const bool current = !job_.asked() || job_.asked()->trace == trace;
  if (!current) {
    job_.let_go();
    shown_ = {};
    left_ = true;
  } else if (!busy && !std::exchange(left_, true)) {
    job_.let_go_of_kept();
  }
}

}  // namespace hydra
