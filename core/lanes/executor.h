// Runs a compiled model for so many sequences at once: in groups of as many as a register has lanes, each group's whole
// way forward and back by one thread, in a room that the next group takes after it. Nothing is allocated after it is
// made.
#pragma once
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "core/lanes/compile.h"
#include "core/lanes/kernels.h"
#include "core/work/parallel.h"

namespace hydra::lanes {

// Zeros at first, at the beginning of a cache line.
template <class S>
class Aligned {
 public:
  explicit Aligned(Size count = 0) : values_(count > 0 ? allocate(count) : nullptr), count_(count) {}
  S* data() const { return values_.get(); }
  Size count() const { return count_; }
  S& operator[](Size k) const { return values_.get()[k]; }
  std::span<S> span() const { return {data(), static_cast<std::size_t>(count_)}; }

 private:
  struct Free {
    void operator()(S* values) const { ::operator delete (values, std::align_val_t{64}); }
  };
  static S* allocate(Size count) {
    auto* values = static_cast<S*>(::operator new (static_cast<std::size_t>(count) * sizeof(S), std::align_val_t{64}));
    std::fill_n(values, count, S());
    return values;
  }
  std::unique_ptr<S, Free> values_;
  Size count_ = 0;
};

// What a run measured: sums over all sequences.
struct Totals {
  std::vector<double> losses, right;  // by question: of -log p, and of answers that were right
  std::vector<double> answers;        // so many were asked
  std::vector<double> masses;         // [layers x heads x relations] of attention to where gold says
  std::vector<double> queries;        // [relations] that have such a place
  std::vector<double> alike;          // [layers] of the cosine of two heads' rows, over their pairs and rows
  std::vector<double> importance;     // [layers x heads] of |dL/dgate| of each sequence
  double rows = 0;                    // tokens
};

// What it is for: learning, which gathers the gradient of all groups; or looking, which may go back for what that
// measures, but gathers nothing and holds a small part of the memory.
enum class Purpose { learning, looking };

template <class S>
class Executor {
 public:
  // sequences: as many as are run at most.
  Executor(const Compiled& compiled, Index sequences, const Set<S>& set, Purpose purpose = Purpose::learning);

  const Compiled& compiled() const { return compiled_; }
  const Set<S>& set() const { return set_; }
  Index sequences() const { return sequences_; }
  std::span<S> parameters() const { return parameters_.span(); }
  std::span<S> parameter(const ParameterPlace& place) const {
    return parameters().subspan(static_cast<std::size_t>(place.at), static_cast<std::size_t>(place.count()));
  }

  // words [length x slots], targets [length x questions], gold [length x relations], each or none. key: of its random
  // numbers.
  struct Sequence {
    std::span<const std::int32_t> words, targets;
    std::span<const std::uint64_t> gold;
    std::int32_t length = 0;
    std::uint64_t key = 0;
  };
  void load(Index k, const Sequence& sequence);
  void load_targets(std::span<const S> values) { target_values_ = values; }  // of the mean square; must stay

  struct Request {
    Index sequences = 0;  // the first so many
    bool back = false;
    std::span<const double> weights = {};  // of each question's mean in the loss; empty: 1 / questions each
    bool by_question = false;              // else one mean over all answers, and weights are not looked at
    bool masses = false, alike = false, importance = false;
    Controls controls = {};
  };
  void run(const Request& request, ThreadPool* pool);
  const Totals& totals() const { return totals_; }
  // The mean cross-entropy as the request weighs it, or the mean square.
  double loss() const { return loss_; }
  // Of the last run, which went back to learn: the whole batch's gradient. Returns the sum of its squares.
  double gather(ThreadPool* pool = nullptr);
  std::span<S> gradient() const { return gradient_.span(); }
  std::span<S> gradient(const ParameterPlace& place) const {
    return gradient().subspan(static_cast<std::size_t>(place.at), static_cast<std::size_t>(place.count()));
  }
  // A number of a sequence, of what the last run made (Compiled::value_of); of a pattern row = head n + row. Where the
  // compiled model keeps all, or no more sequences are run than a register has lanes.
  S number(Index sequence, const Place& place, Index row, Index col) const;

 private:
  bool keeps() const { return compiled_.shape().keeps; }
  Index groups_of(Index sequences) const { return (sequences + set_.lanes - 1) / set_.lanes; }
  void count_answers(const Request& request);
  void sum_up();

  const Compiled& compiled_;
  const Set<S>& set_;
  Index sequences_;
  Purpose purpose_;
  Size room_count_;  // one for each thread; where what is made is looked at afterwards, for each group
  Aligned<S> parameters_, constants_, rooms_;
  Aligned<S> gradients_;  // of each group; of those that look, of each room
  Aligned<S> gradient_;
  Aligned<std::int32_t> words_, targets_, lengths_;
  Aligned<unsigned long long> gold_;
  Aligned<unsigned> keys_;
  Aligned<double> counts_;  // of each sequence: answers by question, queries by relation
  std::span<const S> target_values_;
  std::vector<S> scales_;
  std::vector<double> sums_;     // of each group: losses, right, masses, alike, importance
  std::vector<double> squares_;  // of each chunk of the gradient
  Totals totals_;
  double loss_ = 0;
  Index groups_ = 0;  // of the last run
};

}  // namespace hydra::lanes
