// Where in a text that the model knows a head looks the most (Heads, Lights up).
#pragma once
#include "app/measures/registry/registry.h"
#include "core/analysis/roles/lit_pairs.h"
#include "core/learn/tasks/known_text.h"

namespace hydra {

struct LitMeasure : MeasureOfTrace {
  static constexpr std::size_t kMost = 200;
  struct Wanted {
    int layer = 0, head = 0;
    bool unknown = true;  // only what nothing is known of
    bool operator==(const Wanted&) const = default;
  };
  struct Result {
    LitPairs lit;
    MarkedSentences sentences;
    std::string text;  // "40 sentences"
  };
  struct Kept : KeptThreads {
    learn::KnownTexts texts;
    PooledTraces traces;
  };
  static constexpr const char* kFailed = "measures:lit.failed";
  static constexpr bool kLetsGo = true;
  static bool is_there(const Moment& now, const Wanted& wanted) {
    return wanted.layer < std::ssize(now.trace->layers) &&
           wanted.head < static_cast<int>(now.trace->layer(wanted.layer).input.heads);
  }
  static std::size_t bytes(const Result& result) { return result.lit.pairs.size() * sizeof(LitPair); }
  // Throws InputError where the document can be put on no other sentence.
  static Result compute(const MeasuredOf& of, const Wanted& wanted, const MeasureTurn<LitMeasure>& turn);
};

}  // namespace hydra
