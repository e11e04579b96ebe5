// The sweeps over head counts, and over numbers of keys and values, beside the frame loop (newest.h): asked for again
// whenever what it depends on changes.
#pragma once
#include <array>
#include <atomic>

#include "app/views/sweep_shown.h"
#include "app/work/newest.h"

namespace hydra {

class SweepKeeper {
 public:
  SweepKeeper();

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
  // Nobody looks any more: a sweep under way ends after the entry in work; what takes much memory is let go, and what
  // is not of this version of the document, to be computed again when it is wanted again.
  void leave(std::uint64_t version);
  void finish() { work_.finish(); }  // waits; update takes the result over
  bool computing() const { return work_.computing(); }
  // Called on the worker's thread when a sweep is finished.
  void on_finished(std::function<void()> wake) { work_.on_finished(std::move(wake)); }

  const SweepShown& shown() const { return shown_; }

 private:
  struct Sweep {
    Document document;
    int layer = 0;
    std::vector<Index> counts;
    Index head = 0;
    Swept swept = Swept::heads;
    std::stop_token stop;
    std::shared_ptr<const SweepTable> base;  // whose numbers are wanted over seeds; null: a table of the document
  };
  using Request = std::optional<Sweep>;  // none: let go of what is kept between sweeps
  struct Worker;

  struct Asked {
    std::uint64_t version = 0;
    int layer = 0;
    std::vector<Index> counts;
    Index head = 0;
    bool operator==(const Asked&) const = default;
  };

  static std::shared_ptr<const SweepTable> made(Worker& worker, const Sweep& sweep);
  static std::shared_ptr<const SweepTable> with_seeds(Worker& worker, const Sweep& sweep);
  bool take();
  bool is_new(const Wanted& wanted, bool busy);  // busy: with an earlier request
  bool wants_seeds(const Wanted& wanted);        // of what is shown; notes that they are asked for

  SweepShown shown_;
  std::array<std::optional<Asked>, 2> asked_;  // by Swept: what is shown, or will be
  std::array<bool, 2> seeds_asked_{};          // for it
  bool seeding_ = false;                       // what was asked for last are seeds
  std::size_t in_work_ = 1;                    // counts of what was asked for last, or seeds
  bool left_ = true;
  std::stop_source stop_;   // of what was asked for since the view was entered
  std::stop_source seeds_;  // of the seeds, which make way for another document
  std::shared_ptr<std::atomic<int>> done_ = std::make_shared<std::atomic<int>>(0);  // entries of the sweep in work
  Newest<Request, std::shared_ptr<const SweepTable>> work_;                         // null: ended before it was done
};

}  // namespace hydra
