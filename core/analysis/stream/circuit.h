// Composition of all heads of a stack with all heads of later layers (composition.h), against that of random heads of
// the same sizes: who can read whom. Weights alone.
#pragma once
#include <array>
#include <atomic>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/analysis/stream/composition.h"
#include "core/attention/trace.h"

namespace hydra {

// From a head to one of a later layer.
struct CircuitLine {
  int layer = 0, head = 0, to_layer = 0, to_head = 0;
  Into into = Into::query;
  double score = 0;
  bool operator==(const CircuitLine&) const = default;
  bool same_place(const CircuitLine& other) const {
    return layer == other.layer && head == other.head && to_layer == other.to_layer && to_head == other.to_head &&
           into == other.into;
  }
};

// What random heads of given sizes reach: sorted scores of a few thousand pairs. Beyond their 98th percentile, where
// they are few, the share is taken to fall exponentially in the square of the score. Of so few pairs that is an
// estimate: far out, stacks were measured to show from a seventh of the lines told to twice as many.
class RandomScores {
 public:
  explicit RandomScores(std::vector<double> scores);
  double share(double least) const;  // of pairs that reach it
  double least(double share) const;  // what so many reach
  const std::vector<double>& sorted() const { return sorted_; }

 private:
  std::vector<double> sorted_;
  double from_ = 0, decay_ = 0;  // of the tail: the square where it begins, and how much more the mean of it is
};

struct Circuit {
  Index d_model = 0;
  std::vector<int> heads;                                 // by layer
  std::vector<std::shared_ptr<const Composition>> pairs;  // of layers: 0 and 1, 0 and 2, 1 and 2, 0 and 3, ..
  std::shared_ptr<const RandomScores> random;             // of heads as wide as these; null without two layers

  int layers() const { return static_cast<int>(heads.size()); }
  const Composition& between(int earlier, int later) const {
    return *pairs[static_cast<std::size_t>(later * (later - 1) / 2 + earlier)];
  }
  bool has(const CircuitLine& line) const;
  double score(const CircuitLine& line) const {
    return between(line.layer, line.to_layer).into(line.into)(line.head, line.to_head);
  }
  std::size_t count() const;  // of lines that could be: pairs of heads times three
  // Where a line begins to say something: what 1 in 100 lines between random heads reach, or, of so many heads that
  // these would be more than 20, what about 20 lines of such a stack reach.
  double usual_least() const;
};

// The lines that reach least, the strongest first; of equal ones those of earlier layers and heads. into: which to
// take.
std::vector<CircuitLine> lines_from(const Circuit& circuit, double least, const std::array<bool, kInto>& into);

// Scores of independent heads whose weights are uniform numbers: writers with d_k of writes, readers of reads, a few
// hundred to some thousand pairs, fewer of large ones. Always the same numbers.
std::vector<double> random_scores(Index d_model, Index writes, Index reads, ThreadPool* pool = nullptr);

// Measures stacks one after the other, keeping what did not change.
class CircuitMeasures {
 public:
  explicit CircuitMeasures(ThreadPool* pool = nullptr) : pool_(pool) {}
  // done: pairs of layers so far. Throws Stopped between two.
  Circuit of(const Trace& trace, const std::stop_token& stop = {}, std::atomic<int>* done = nullptr);

 private:
  struct Pair {
    Stamp of;
    std::shared_ptr<const Composition> scores;
  };
  std::shared_ptr<const RandomScores> random_of(const Trace& trace);

  ThreadPool* pool_;
  std::vector<Pair> kept_;  // as Circuit::pairs
  std::vector<Index> random_sizes_;
  std::shared_ptr<const RandomScores> random_;
};

}  // namespace hydra
