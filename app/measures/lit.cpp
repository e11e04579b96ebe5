#include "app/measures/lit.h"

#include "core/analysis/shares.h"
#include "core/attention/trace.h"
#include "core/error.h"

namespace hydra {

LitMeasure::Result LitMeasure::compute(const MeasuredOf& of, const Wanted& wanted,
                                       const MeasureTurn<LitMeasure>& turn) {
  learn::KnownText text;
  try {
    text = turn.kept.texts.of(of.document, of.marked);
  } catch (const InputError&) {  // it knows too few of their words, and may look at some all the same
    text.sentences = of.marked;
  }
  const std::vector<std::shared_ptr<const Trace>>& traces = turn.kept.traces.evaluate(
      of.document, text.sentences, &turn.kept.pool, turn.begin(static_cast<int>(text.sentences->size())));
  std::vector<Array<float>> patterns;
  for (const std::shared_ptr<const Trace>& trace : traces)
    patterns.push_back(attention_shares(*whole_of(trace->layer(wanted.layer)), wanted.head));
  Result result;
  result.sentences = text.sentences;
  result.lit = lit_pairs(patterns, *text.sentences, text.jobs, wanted.unknown, kMost);
  result.text = std::to_string(text.sentences->size()) + " " + text.unit + (text.sentences->size() == 1 ? "" : "s");
  return result;
}

}  // namespace hydra
