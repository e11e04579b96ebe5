// How alike the heads are, of a layer or of all, in the sentence or over all that are marked (Likeness).
#pragma once
#include <optional>
#include <string>

#include "app/measures/registry/registry.h"
#include "core/measures/likeness_table.h"

namespace hydra {

struct LikenessMeasure : MeasureOfTrace {
  static constexpr int kAllLayers = -1;
  struct Wanted {
    int layer = 0;        // or kAllLayers
    bool pooled = false;  // over all marked sentences; else over the trace's own
    LikenessWanted measures{};
    bool operator==(const Wanted& other) const;
  };
  struct Result {
    std::shared_ptr<const LikenessTable> table;  // null: the heads of all layers are too many
    std::string fault;                           // why it is not pooled, though asked for; else empty
  };
  struct Kept : KeptThreads {
    LikenessTables tables{&pool};
  };
  struct Key : TraceKey<Wanted> {
    std::optional<Stamp> pooled;  // the document, where its model is run on other sentences
    bool operator==(const Key&) const = default;
  };
  static constexpr const char* kFailed = "measures:likeness.failed";
  static constexpr bool kLetsGo = true;
  static Key key(const Moment& now, const Wanted& wanted) {
    return {MeasureOfTrace::key(now, wanted), wanted.pooled ? std::optional(now.stamp) : std::nullopt};
  }
  static bool is_there(const Moment& now, const Wanted& wanted);
  static double cost(const Moment& now, const Wanted& wanted);
  static std::size_t bytes(const Result& result);
  static Result compute(const MeasuredOf& of, const Wanted& wanted, const JobTurn<Kept>& turn);

  // Why not all layers' heads are compared; empty: they are. fault: the newest result's.
  static std::string why_not(const Trace& trace, const Wanted& wanted, const std::string& fault);
};

}  // namespace hydra
