// Another model on the sentence that is shown, and how alike its heads are to those of the layer in focus (Heads,
// Likeness).
#pragma once
#include <string>

#include "app/measures/registry/registry.h"
#include "core/analysis/likeness/between_models.h"

namespace hydra {

// A model that was laid beside the one that is shown.
struct ModelBeside {
  std::string name;
  Document document;
};

// The one that stands there now, and those that were kept in this window.
struct ModelsBeside {
  std::shared_ptr<const ModelBeside> shown;  // null: none
  struct Kept {
    std::shared_ptr<const ModelBeside> model;
    bool unsaved;  // stands in no file, and was not opened since
  };
  std::vector<Kept> kept;  // in the order in which they were
};

struct BesideMeasure : MeasureOfTrace {
  struct Wanted {
    std::shared_ptr<const ModelBeside> model;  // null: none
    int layer = 0;
    Likeness likeness = Likeness::cosine;  // one of kBetweenModels
    bool operator==(const Wanted&) const = default;
  };
  struct Result {
    std::shared_ptr<const Trace> trace;  // null: see fault
    std::string fault;                   // why the model cannot be run on this sentence, or its heads not compared
    std::vector<std::string> unknown;    // words and places that it does not know, a sentence each
    BetweenModels between;               // of all its heads; no rows: see fault
  };
  struct Kept : KeptThreads {
    RecentlyComputed<std::tuple<std::shared_ptr<const ModelBeside>, std::vector<std::string>, Index, Index>,
                     std::shared_ptr<const Trace>, 1>
        traces;
  };
  static constexpr const char* kFailed = "measures:beside.failed";
  static constexpr bool kLetsGo = true;
  static bool is_there(const Moment& now, const Wanted& wanted) {
    return wanted.model && has_whole(*now.trace, wanted.layer);
  }
  static double cost(const Moment& now, const Wanted& wanted);
  static std::size_t bytes(const Result& result);
  static Result compute(const MeasuredOf& of, const Wanted& wanted, const JobTurn<Kept>& turn);
};

}  // namespace hydra
