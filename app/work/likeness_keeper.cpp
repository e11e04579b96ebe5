#include "app/work/likeness_keeper.h"

#include <algorithm>

#include "core/error.h"

namespace hydra {

namespace {

// More cells of attention than this, counted once for every pair of heads, are not waited for.
constexpr Index kLittleWork = 2'000'000;

bool is_of_all(const LikenessKeeper::Wanted& wanted) { return wanted.layer == LikenessShown::kAllLayers; }

Index heads_of(const LikenessKeeper::Wanted& wanted) {
  if (!is_of_all(wanted)) return wanted.trace->layer(wanted.layer).input.heads;
  Index heads = 0;
  for (const LayerTrace<float>& layer : wanted.trace->layers) heads += layer.input.heads;
  return heads;
}

bool is_little(const LikenessKeeper::Wanted& wanted) {
  const Index heads = heads_of(wanted), n = wanted.trace->X->rows();
  return !wanted.pooled && heads * heads * n * n <= kLittleWork;
}

// Of one layer only the sentences that are pooled are worth a word; of all heads the pairs take long, too.
int steps_of(const LikenessKeeper::Wanted& wanted) {
  const int sentences = wanted.pooled ? static_cast<int>(wanted.marked->size()) : 0;
  return sentences + steps_of_likeness(heads_of(wanted), wanted.measures);
}

}  // namespace

bool LikenessKeeper::Asked::operator==(const Asked& other) const {
  return trace == other.trace && layer == other.layer && version == other.version &&
         measures.measures == other.measures.measures && measures.ordered_by == other.measures.ordered_by &&
         measures.ranks == other.measures.ranks;
}

LikenessKeeper::Measure::Compute LikenessKeeper::measuring(const Wanted& wanted) {
  std::optional<Document> pooled;
  if (wanted.pooled) pooled = wanted.document;
  return [trace = wanted.trace, layer = wanted.layer, heads = heads_of(wanted), pooled, measures = wanted.measures,
          marked = wanted.marked](const Measure::Turn& turn) {
    LikenessTables& tables = turn.kept.tables;
    const bool all = layer == LikenessShown::kAllLayers;
    LikenessShown answer;
    answer.trace = trace;
    answer.at = layer;
    const auto share_table = [&](LikenessTable table) {
      answer.table = std::make_shared<const LikenessTable>(std::move(table));
    };
    try {
      if (pooled && all) share_table(tables.pooled(*pooled, marked, measures, turn.progress()));
      if (pooled && !all) share_table(tables.pooled(*pooled, *trace, layer, marked, measures, turn.progress()));
    } catch (const InputError& fault) {
      answer.fault = fault.what();
    }
    if (answer.table) return answer;
    if (!all)
      share_table(tables.of_sentence(answer.layer(), measures));
    else if (why_not_compared(heads, trace->X->rows()).empty())
      share_table(tables.of_sentence(*trace, measures, turn.progress()));
    return answer;
  };
}

bool LikenessKeeper::update(const Wanted& wanted, std::chrono::milliseconds patience) {
  bool changed = job_.poll_into(shown_);
  const bool all = is_of_all(wanted);
  const Index tokens = wanted.pooled && shown_.fault.empty() ? 0 : wanted.trace->X->rows();
  shown_.limit = all ? why_not_compared(heads_of(wanted), tokens) : "";
  if (!shown_.limit.empty()) return changed;
  const bool little = is_little(wanted), older = all && wanted.trace->older_from;
  const auto version = wanted.pooled ? std::optional(wanted.version) : std::nullopt;
  if (const Asked asked{wanted.trace, wanted.layer, version, wanted.measures}; job_.asked() != asked && !older) {
    if (all && !little) job_.stop();
    job_.ask(asked, measuring(wanted), little ? patience : std::chrono::milliseconds(0));
  }
  changed = job_.poll_into(shown_) || changed;
  const bool much = (wanted.pooled && !wanted.marked->empty()) || all;
  shown_.progress = much && job_.computing()
                        ? std::min(1.0f, static_cast<float>(job_.done()) / static_cast<float>(steps_of(wanted)))
                        : 1;
  return changed;
}

void LikenessKeeper::leave(const std::shared_ptr<const Trace>& trace) {
  job_.leave(
      shown_, [&](const Asked& asked) { return asked.trace == trace; }, true);
}

}  // namespace hydra
