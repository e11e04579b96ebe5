#include "app/work/mixing_keeper.h"

namespace hydra {

bool MixingKeeper::update(const std::shared_ptr<const Trace>& trace, int layer, Written written,
                          std::chrono::milliseconds patience) {
  const auto measure = [trace, layer, written](const auto& turn) {
    return MixingShown{trace, layer,
                       std::make_shared<const Mixing>(turn.kept.measures.of(trace->layer(layer), written)), ""};
  };
  if (const Asked asked{trace, layer, written}; job_.asked() != asked) job_.ask(asked, measure, patience);
  return job_.poll_into(shown_);
}

void MixingKeeper::leave(const std::shared_ptr<const Trace>& trace) {
  job_.leave(shown_, [&](const Asked& asked) { return asked.trace == trace; });
}

}  // namespace hydra
