#include "app/measures/beside.h"

#include "core/document/known_words.h"
#include "core/error.h"
#include "core/measures/likeness_table.h"

namespace hydra {

namespace {

constexpr double kOfModels = 30;  // multiply-adds for a cell of attention of a pair of heads, those by chance included

Index heads_of(const Document& document) {
  Index heads = 0;
  for (const Layer& layer : document.layers) heads += layer.heads;
  return heads;
}

}  // namespace

double BesideMeasure::cost(const Moment& now, const Wanted& wanted) {
  const auto n = static_cast<double>(now.trace->X->rows());
  const auto heads = static_cast<double>(heads_of(wanted.model->document) + now.trace->layer(wanted.layer).input.heads);
  return kOfModels * heads * heads * n * n;
}

std::size_t BesideMeasure::bytes(const Result& result) {
  std::size_t bytes = 0;
  for (const Array<double>& matrix : result.between.matrices)
    if (matrix) bytes += bytes_of(matrix);
  if (result.trace)
    for (const LayerTrace<float>& layer : result.trace->layers)
      for (const HeadTrace<float>& head : layer.heads)
        if (head.attention) bytes += 3 * bytes_of(head.attention);
  return bytes;
}

BesideMeasure::Result BesideMeasure::compute(const MeasuredOf& of, const Wanted& wanted, const JobTurn<Kept>& turn) {
  const Trace& trace = *of.trace;
  ThreadPool* const pool = &turn.kept.pool;
  Result result;
  try {
    const Pads pads{trace.pads, trace.model.first_place < trace.pads};
    result.trace = turn.kept.traces.get({wanted.model, trace.tokens, trace.pads, trace.model.first_place},
                                        [&] { return trace_on(wanted.model->document, trace.tokens, pool, pads); });
  } catch (const InputError& fault) {
    result.fault = fault.what();
    return result;
  }
  result.unknown = unknown_sentences(known_words(*result.trace), result.trace->tokens);
  const Index heads = heads_of(wanted.model->document) + trace.layer(wanted.layer).input.heads;
  result.fault = why_not_compared(heads, trace.X->rows());
  if (!result.fault.empty()) return result;
  const Progress progress = turn.begin(static_cast<int>(heads * (heads + 1)));
  result.between = between_models({trace.layer(wanted.layer)}, whole_layers(*result.trace, pool, progress),
                                  wanted.likeness, pool, progress);
  for (HeadPlace& place : result.between.here) place.layer = wanted.layer;
  return result;
}

}  // namespace hydra
