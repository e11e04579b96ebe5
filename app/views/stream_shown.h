// The residual stream as the Stream view shows it.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/direct_effect.h"

namespace hydra {

struct StreamShown {
  std::shared_ptr<const Trace> trace;            // what it is of: the present one or a moment older
  std::shared_ptr<const Stream> stream;          // null until the first is done
  std::shared_ptr<const DirectEffects> effects;  // on the logits; null where nothing is read out
  // The word that is likeliest after each token, where there is one, as an answer to a question of the readout; nothing
  // where that is not asked.
  std::vector<std::optional<Index>> next;
  Index question = 0;
  std::string failure;  // why the newest could not be measured; else empty
};

}  // namespace hydra
