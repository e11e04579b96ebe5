// Heads of several widths fitted to a pattern, and several heads to relations that hold at once (Trade-off, Needed
// width and Needed heads).
#pragma once
#include <limits>
#include <vector>

#include "app/measures/fit_choice.h"
#include "app/measures/registry/registry.h"
#include "core/learn/fit/fit_heads.h"

namespace hydra {

inline constexpr int kFitSeeds = 5;

struct FitWidthsMeasure : MeasureOfTrace {
  struct Wanted {
    int layer = 0, head = 0;  // in focus
    FitChoice choice;
    bool operator==(const Wanted&) const = default;
  };
  struct Result {
    std::shared_ptr<const learn::WidthCurve> curve;
    FitChoice choice;
    Array<float> target;             // [n x n], as it is drawn
    std::vector<Array<float>> made;  // the best pattern of each width
  };
  using Kept = KeptThreads;
  struct Key {
    Stamp X, mask, rows;  // rows: of what the target is taken from; none of what is drawn
    FitChoice choice;
    bool operator==(const Key&) const = default;
  };
  static constexpr const char* kFailed = nullptr;  // the page says it
  static constexpr bool kOfTrace = false;
  static Key key(const Moment& now, const Wanted& wanted);
  // A fit to what is no longer there ends.
  static bool is_kept(const Key& key, const Moment& now, bool computing);
  static bool is_there(const Moment& now, const Wanted& wanted);
  static double cost(const Moment&, const Wanted&) { return std::numeric_limits<double>::infinity(); }
  static std::size_t bytes(const Result& result);
  static Result compute(const MeasuredOf& of, const Wanted& wanted, const JobTurn<Kept>& turn);
};

struct FitHeadsMeasure : MeasureOfTrace {
  using Wanted = learn::HeadsProblem;
  struct Result {
    std::shared_ptr<const learn::HeadsCurve> curve;
    std::vector<Array<float>> served;                 // by head count: [h x m]
    std::vector<std::vector<Array<float>>> patterns;  // by head count and head
  };
  using Kept = KeptThreads;
  static constexpr const char* kFailed = nullptr;  // the page says it
  static constexpr bool kOfTrace = false;
  static Wanted key(const Moment&, const Wanted& wanted) { return wanted; }
  static bool is_kept(const Wanted&, const Moment&, bool) { return true; }  // it is of no document
  static bool is_there(const Moment&, const Wanted&) { return true; }
  static double cost(const Moment&, const Wanted&) { return std::numeric_limits<double>::infinity(); }
  static std::size_t bytes(const Result& result);
  static Result compute(const MeasuredOf& of, const Wanted& wanted, const JobTurn<Kept>& turn);
};

// The pattern that the choice asks for; of what there is nothing to take from, rows of zeros. marks: of the trace's
// sentence, or null.
Mat<float> fit_target_of(const Trace& trace, const FitWidthsMeasure::Wanted& wanted, const AnnotatedSentence* marks);

}  // namespace hydra
