#include "app/measures/stream/stream.h"

#include "core/learn/asked.h"

namespace hydra {

namespace {

std::vector<std::optional<Index>> next_words(const Trace& trace, Index question) {
  const ModelTrace<float>& model = trace.model;
  if (!model.probabilities) return {};
  std::vector<std::optional<Index>> next(trace.tokens.size());
  const Array<float> p = model.of_question(model.probabilities, question);
  for (const Index token : learn::asked_tokens(trace.tokens, model.words, model.next_words, question))
    next[static_cast<std::size_t>(token)] = likeliest(p, token, 1).front();
  return next;
}

}  // namespace

std::size_t StreamMeasure::bytes(const Result& result) {
  std::size_t bytes = 0;
  for (const auto& layer : result.stream.layers) bytes += 3 * bytes_of(layer->size);
  for (const Array<float>& rows : result.stream.rows) bytes += bytes_of(rows);
  return bytes;
}

StreamMeasure::Result StreamMeasure::compute(const MeasuredOf& of, const Wanted& wanted, const JobTurn<Kept>& turn) {
  Stream stream = turn.kept.measures.of(*of.trace, wanted.token);
  std::shared_ptr<const DirectEffects> effects = turn.kept.effects.of(*of.trace, stream, wanted.question);
  return {std::move(stream), std::move(effects), next_words(*of.trace, wanted.question)};
}

}  // namespace hydra
