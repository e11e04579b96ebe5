// The sweeps over head counts, and over numbers of keys and values, beside the frame loop (job.h): asked for again
// whenever what they depend on changes; what other seeds give comes after what the document gives.
#pragma once
#include <array>

#include "app/views/sweep_shown.h"
#include "app/work/job.h"
#include "core/learn/known_text.h"

namespace hydra {

class SweepKeeper {
 public:
  // Numbers of each sweep that are kept while nobody looks, in patterns, scores and contributions: 64 MB.
  static constexpr Index kNumbersKeptAway = 16'000'000;
  explicit SweepKeeper(Index kept_away = kNumbersKeptAway) : kept_away_(kept_away) {}

  struct Wanted {
    const Document& document;
    int layer;                  // that is swept
    std::uint64_t version;      // of the document
    Index tokens;               // about how many it has: tells much work from little
    std::vector<Index> counts;  // of which each can be (sweep.h)
    Index head;                 // whose singular values are wanted; -1: none
    Swept swept = Swept::heads;
  };
  // Takes over what is finished, and asks for what is missing, waiting for it up to patience when it is not much work.
  // True when shown() has another table.
  bool update(const Wanted& wanted, std::chrono::milliseconds patience);
  // Nobody looks: a sweep goes on unless it would take much memory. What does, or is not of this version of the
  // document, is let go, to be computed again when it is wanted again.
  void leave(std::uint64_t version);
  std::array<Beside*, 4> beside() { return {&heads_.table, &heads_.seeds, &sharing_.table, &sharing_.seeds}; }

  const SweepShown& shown() const { return shown_; }

 private:
  using Table = std::shared_ptr<const SweepTable>;
  struct Asked {
    std::uint64_t version = 0;
    int layer = 0;
    std::vector<Index> counts;
    Index head = 0;
    bool operator==(const Asked&) const = default;
  };
  template <Swept SWEPT>
  struct Sweeping {
    ThreadPool pool{half_of_the_machine()};
    Sweeps sweeps{&pool, SWEPT};
    learn::KnownTexts texts;
  };
  struct Pool {
    ThreadPool pool{half_of_the_machine()};
  };
  template <Swept SWEPT>
  struct Sweep {
    Job<Asked, Table, Sweeping<SWEPT>> table;
    Job<Nothing, Table, Pool> seeds;  // what is shown, over seeds
    Index numbers = 0;                // that the table has, or will have
    int others = 0;                   // seeds asked for
  };

  template <Swept SWEPT>
  bool take(Sweep<SWEPT>& sweep, Table& shown);
  template <Swept SWEPT>
  bool update(Sweep<SWEPT>& sweep, Table& shown, const Wanted& wanted, std::chrono::milliseconds patience);
  template <Swept SWEPT>
  void leave(Sweep<SWEPT>& sweep, Table& shown, std::uint64_t version);

  Index kept_away_;
  SweepShown shown_;
  Sweep<Swept::heads> heads_;
  Sweep<Swept::kv_heads> sharing_;
};

}  // namespace hydra
