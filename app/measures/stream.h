// The residual stream of a token, and what its parts do to the readout (Stream, Words).
#pragma once
#include <optional>
#include <vector>

#include "app/measures/registry.h"
#include "core/analysis/direct_effect.h"

namespace hydra {

struct StreamMeasure {
  struct Wanted {
    Index token = 0, question = 0;
    bool operator==(const Wanted&) const = default;
  };
  struct Result {
    Stream stream;
    std::shared_ptr<const DirectEffects> effects;  // on the logits; null where nothing is read out
    // The word that is likeliest after each token, where there is one, as an answer to the question; nothing where that
    // is not asked.
    std::vector<std::optional<Index>> next;
  };
  struct Kept : KeptMeasures<StreamMeasures> {
    DirectMeasures effects{&pool};
  };
  static constexpr const char* kFailed = "The stream could not be measured";
  static constexpr bool kStops = false, kLetsGo = true;
  static bool is_there(const Trace& trace, const Wanted& wanted) {
    return wanted.token < std::ssize(trace.tokens) &&
           wanted.question < std::max<Index>(1, trace.model.next_words.parts());
  }
  static Result compute(const Trace& trace, const Wanted& wanted, Kept& kept, const std::stop_token& stop);
};

}  // namespace hydra
