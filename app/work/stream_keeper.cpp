#include "app/work/stream_keeper.h"

#include "core/learn/asked.h"

namespace hydra {

namespace {

std::vector<std::optional<Index>> next_words(const Trace& trace, Index question) {
  const ModelTrace<float>& model = trace.model;
  if (!model.probabilities) return {};
  std::vector<std::optional<Index>> next(trace.tokens.size());
  const Array<float> p = model.of_question(model.probabilities, question);
  for (const Index token : learn::asked_tokens(trace.tokens, model.words, model.next_words, question))
    next[static_cast<std::size_t>(token)] = likeliest(*p, token, 1).front();
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
