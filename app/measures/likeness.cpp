#include "app/measures/likeness.h"

#include "core/error.h"

namespace hydra {

namespace {

constexpr double kOfPair = 10;        // multiply-adds for a cell of attention of a pair of heads
constexpr double kPooledCells = 4e4;  // of a head in all marked sentences, with what it takes to compute them

bool is_of_all(const LikenessMeasure::Wanted& wanted) { return wanted.layer == LikenessMeasure::kAllLayers; }

Index heads_of(const Trace& trace, const LikenessMeasure::Wanted& wanted) {
  if (!is_of_all(wanted)) return trace.layer(wanted.layer).input.heads;
  Index heads = 0;
  for (const LayerTrace<float>& layer : trace.layers) heads += layer.input.heads;
  return heads;
}

}  // namespace

bool LikenessMeasure::Wanted::operator==(const Wanted& other) const {
  return layer == other.layer && pooled == other.pooled && measures.measures == other.measures.measures &&
         measures.ordered_by == other.measures.ordered_by && measures.ranks == other.measures.ranks;
}

std::string LikenessMeasure::why_not(const Trace& trace, const Wanted& wanted, const std::string& fault) {
  const Index tokens = wanted.pooled && fault.empty() ? 0 : trace.X->rows();
  return is_of_all(wanted) ? why_not_compared(heads_of(trace, wanted), tokens) : "";
}

bool LikenessMeasure::is_there(const Moment& now, const Wanted& wanted) {
  if (!is_of_all(wanted)) return has_whole(*now.trace, wanted.layer);
  return !now.trace->older_from && why_not(*now.trace, wanted, "").empty();
}

double LikenessMeasure::cost(const Moment& now, const Wanted& wanted) {
  const auto heads = static_cast<double>(heads_of(*now.trace, wanted)), n = static_cast<double>(now.trace->X->rows());
  return kOfPair * heads * heads * (n * n + (wanted.pooled ? kPooledCells : 0));
}

std::size_t LikenessMeasure::bytes(const Result& result) {
  if (!result.table) return 0;
  std::size_t bytes = 0;
  for (const Array<double>& matrix : result.table->matrices)
    bytes += static_cast<std::size_t>(matrix ? matrix.size() : 0) * sizeof(double);
  return bytes + result.table->ranks.size() * sizeof(HeadRanks);
}

LikenessMeasure::Result LikenessMeasure::compute(const MeasuredOf& of, const Wanted& wanted,
                                                 const JobTurn<Kept>& turn) {
  LikenessTables& tables = turn.kept.tables;
  const Trace& trace = *of.trace;
  const bool all = is_of_all(wanted);
  // Of one layer only the sentences that are pooled are worth a word; of all heads the pairs take long, too.
  const int sentences = wanted.pooled ? static_cast<int>(of.marked->size()) : 0;
  const bool long_enough = sentences > 0 || all;
  const Progress progress =
      turn.begin(long_enough ? sentences + steps_of_likeness(heads_of(trace, wanted), wanted.measures) : 0);
  Result result;
  const auto take = [&](LikenessTable table) {
    result.table = std::make_shared<const LikenessTable>(std::move(table));
  };
  try {
    if (wanted.pooled && all) take(tables.pooled(of.document, of.marked, wanted.measures, progress));
    if (wanted.pooled && !all)
      take(tables.pooled(of.document, trace, wanted.layer, of.marked, wanted.measures, progress));
  } catch (const InputError& fault) {
    result.fault = fault.what();
  }
  if (result.table) return result;
  if (!all)
    take(tables.of_sentence(trace.layer(wanted.layer), wanted.measures));
  else if (why_not_compared(heads_of(trace, wanted), trace.X->rows()).empty())
    take(tables.of_sentence(trace, wanted.measures, progress));
  return result;
}

}  // namespace hydra
