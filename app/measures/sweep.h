// The document's layer cut into other numbers of heads, or with other numbers of keys and values (Trade-off, Side by
// side, Cost and Sharing), and what other seeds give.
#pragma once
#include <limits>
#include <vector>

#include "app/measures/registry/registry.h"
#include "core/learn/tasks/known_text.h"
#include "core/measures/sweep_seeds.h"

namespace hydra {

struct SweepWanted {
  int layer = 0;
  std::vector<Index> counts;  // of which each can be (sweep.h)
  Index head = -1;            // whose singular values are wanted; -1: none
  bool operator==(const SweepWanted&) const = default;
};

struct SweepTable {
  SweepWanted asked;
  Swept swept = Swept::heads;
  Stamp document;                   // that was swept
  Index own_kv_heads = 1;           // of the document that was swept, which may be a moment older
  std::vector<SweepEntry> entries;  // by head count, ascending; by number of keys and values, descending
  bool has_seeds = false;  // other seeds make other documents like it; over_seeds has them as soon as they are swept
  SeedSweep over_seeds;    // the document's own alone until then
  // Of the last entry, when its heads are one number wide: how many queries give the most to the largest or the
  // smallest k that they see, over heads; and how many there are.
  Spread at_ends;
  Index queries = 0;
  double largest_change = 0;  // of the output, over entries
  float largest_weight = 1;   // in any pattern
};

template <Swept SWEPT>
struct SweepMeasure : MeasureOfTrace {
  using Wanted = SweepWanted;
  using Result = SweepTable;
  struct Kept : KeptThreads {
    Sweeps sweeps{&pool, SWEPT};
    learn::KnownTexts texts;
  };
  struct Key {
    Stamp document;
    Wanted wanted;
    bool operator==(const Key& other) const = default;
  };
  static constexpr const char* kFailed = "measures:sweep.failed";
  static Key key(const Moment& now, const Wanted& wanted) { return {now.stamp, wanted}; }
  static constexpr bool kOfTrace = false;
  // What would be too much to keep is not gone on with.
  static bool is_kept(const Key& key, const Moment& now, bool computing);
  static bool is_there(const Moment& now, const Wanted& wanted);
  static double cost(const Moment& now, const Wanted& wanted);
  static std::size_t bytes(const Result& result);
  static Result compute(const MeasuredOf& of, const Wanted& wanted, const JobTurn<Kept>& turn);
};

// A table with what other seeds give, where they make other documents like it.
template <Swept SWEPT>
struct SweepSeedsMeasure : MeasureOfTrace {
  struct Wanted {
    std::shared_ptr<const SweepTable> base;
    bool operator==(const Wanted&) const = default;
  };
  using Result = SweepTable;
  using Kept = KeptThreads;
  struct Key {
    std::shared_ptr<const SweepTable> base;
    typename SweepMeasure<SWEPT>::Key of;
    bool operator==(const Key&) const = default;
  };
  static constexpr const char* kFailed = SweepMeasure<SWEPT>::kFailed;
  static constexpr bool kOfTrace = false, kForgets = true;
  static Key key(const Moment& now, const Wanted& wanted) {
    return {wanted.base, SweepMeasure<SWEPT>::key(now, wanted.base->asked)};
  }
  static bool is_kept(const Key& key, const Moment& now, bool computing) {
    return SweepMeasure<SWEPT>::is_kept(key.of, now, computing);
  }
  static bool is_there(const Moment& now, const Wanted& wanted);
  static double cost(const Moment&, const Wanted&) { return std::numeric_limits<double>::infinity(); }
  static std::size_t bytes(const Result& result) { return SweepMeasure<SWEPT>::bytes(result); }  // it holds the sweep
  static Result compute(const MeasuredOf& of, const Wanted& wanted, const JobTurn<Kept>& turn);
};

extern template struct SweepMeasure<Swept::heads>;
extern template struct SweepMeasure<Swept::kv_heads>;
extern template struct SweepSeedsMeasure<Swept::heads>;
extern template struct SweepSeedsMeasure<Swept::kv_heads>;

}  // namespace hydra
