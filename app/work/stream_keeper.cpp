#include "app/work/stream_keeper.h"

namespace hydra {

namespace {

std::vector<Index> next_words(const Trace& trace, Index question) {
  std::vector<Index> next;
  if (!trace.model.probabilities) return next;
  const Array<float> p = trace.model.of_question(trace.model.probabilities, question);
  for (Index token = 0; token < p.rows(); ++token) next.push_back(likeliest(*p, token, 1).front());
  return next;
}

}  // namespace

bool StreamKeeper::update(const Asked& asked, std::chrono::milliseconds patience) {
  const auto measure = [asked](const auto& turn) {
    const auto& [trace, token, question] = asked;
    auto stream = std::make_shared<const Stream>(turn.kept.measures.of(*trace, token));
    std::shared_ptr<const DirectEffects> effects = turn.kept.effects.of(*trace, *stream, question);
    return StreamShown{trace, std::move(stream), std::move(effects), next_words(*trace, question), question, ""};
  };
  if (job_.asked() != asked) job_.ask(asked, measure, patience);
  return job_.poll_into(shown_);
}

void StreamKeeper::leave(const std::shared_ptr<const Trace>& trace) {
  job_.leave(
      shown_, [&](const Asked& asked) { return asked.trace == trace; }, true);
}

}  // namespace hydra
