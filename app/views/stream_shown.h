// The residual stream as the Stream view shows it.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/direct_effect.h"

namespace hydra {

struct StreamShown {
  std::shared_ptr<const Trace> trace;            // what it is of: the present one or a moment older
  std::shared_ptr<const Stream> stream;          // null until the first is done
  std::shared_ptr<const DirectEffects> effects;  // on the logits; null where nothing is read out
  std::vector<Index> next;                       // the word that is likeliest after each token, where there is one:
  Index question = 0;                            // as an answer to this question of the readout
  std::string failure;                           // why the newest could not be measured; else empty
};

}  // namespace hydra
