// The residual stream of a token, and what its parts do to the readout (Stream, Words).
#pragma once
#include <optional>
#include <vector>

#include "app/measures/registry/registry.h"
#include "core/analysis/stream/direct_effect.h"

namespace hydra {

struct StreamMeasure : MeasureOfTrace {
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
  static constexpr const char* kFailed = "measures:stream.failed";
  static constexpr bool kLetsGo = true;
  static bool is_there(const Moment& now, const Wanted& wanted) {
    return wanted.token < std::ssize(now.trace->tokens) &&
           wanted.question < std::max<Index>(1, now.trace->model.next_words.parts());
  }
  static double cost(const Moment& now, const Wanted&) {
    double vectors = 0;
    for (const LayerTrace<float>& layer : now.trace->layers) vectors += static_cast<double>(layer.input.heads + 6);
    return 4 * vectors * static_cast<double>(now.trace->X->size());
  }
  static std::size_t bytes(const Result& result);
  static Result compute(const MeasuredOf& of, const Wanted& wanted, const JobTurn<Kept>& turn);
};

}  // namespace hydra
