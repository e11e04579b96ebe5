#include "app/work/likeness_keeper.h"

#include <utility>

#include "core/error.h"

namespace hydra {

namespace {

// More cells of attention than this, counted once for every pair of heads, are not waited for.
constexpr Index kLittleWork = 2'000'000;

Index work_of(const LayerInput<float>& layer) { return layer.heads * layer.heads * layer.n() * layer.n(); }

}  // namespace

bool LikenessKeeper::Asked::operator==(const Asked& other) const {
  return trace == other.trace && layer == other.layer && version == other.version &&
         measures.measures == other.measures.measures && measures.ordered_by == other.measures.ordered_by &&
         measures.ranks == other.measures.ranks;
}

LikenessKeeper::Measure::Compute LikenessKeeper::measuring(const Wanted& wanted) {
  std::optional<Document> pooled;
  if (wanted.pooled) pooled = wanted.document;
  return [trace = wanted.trace, layer = wanted.layer, pooled, measures = wanted.measures,
          marked = wanted.marked](const Measure::Turn& turn) {
    LikenessTables& tables = turn.kept.tables;
    LikenessShown answer;
    answer.trace = trace;
    answer.at = layer;
    try {
      if (pooled)
        answer.table =
            std::make_shared<const LikenessTable>(tables.pooled(*pooled, *trace, layer, marked, measures, &turn.done));
    } catch (const InputError& fault) {
      answer.fault = fault.what();
    }
    if (!answer.table)
      answer.table = std::make_shared<const LikenessTable>(tables.of_sentence(answer.layer(), measures));
    return answer;
  };
}

bool LikenessKeeper::update(const Wanted& wanted, std::chrono::milliseconds patience) {
  left_ = false;
  bool changed = job_.poll_into(shown_);
  const bool little = !wanted.pooled && work_of(wanted.trace->layer(wanted.layer).input) <= kLittleWork;
  const auto version = wanted.pooled ? std::optional(wanted.version) : std::nullopt;
  if (const Asked asked{wanted.trace, wanted.layer, version, wanted.measures}; job_.asked() != asked)
    job_.ask(asked, measuring(wanted), little ? patience : std::chrono::milliseconds(0));
  changed = job_.poll_into(shown_) || changed;
  const bool pooling = wanted.pooled && job_.computing() && !wanted.marked->empty();
  shown_.progress = pooling ? static_cast<float>(job_.done()) / static_cast<float>(wanted.marked->size()) : 1;
  return changed;
}

void LikenessKeeper::leave(const std::shared_ptr<const Trace>& trace) {
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
