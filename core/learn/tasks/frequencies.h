// How often an answer follows a context, and what one can reach who knows no more than that.
#pragma once
#include <vector>

#include "core/linalg/types.h"

namespace hydra::learn {

// The mean of what was scored: accuracy, cross-entropy in nats, and the standard error of the accuracy, at most.
class Score {
 public:
  void add(double right, double loss) { count_ += 1, right_ += right, loss_ += loss; }
  double count() const { return count_; }
  double accuracy() const { return right_ / count_; }
  double loss() const { return loss_ / count_; }
  double error() const;

 private:
  double count_ = 0, right_ = 0, loss_ = 0;
};

class Frequencies {
 public:
  Frequencies(Index contexts, Index answers);
  void add(Index context, Index answer);
  // One more of each answer: (c_j + 1) / (n + answers).
  double single(Index answer) const;
  // One more of each context, spread as the single ones: (c_ij + single(j)) / (c_i + 1).
  double pair(Index context, Index answer) const;
  double plain_pair(Index context, Index answer) const;  // c_ij / c_i; of a context that came
  Index most_frequent() const;                           // the first of the most frequent answers
  std::vector<Index> most_frequent_after() const;        // the same by context; of all where a context never came

 private:
  std::size_t at(Index context, Index answer) const { return static_cast<std::size_t>(context * answers_ + answer); }
  Index answers_;
  double count_ = 0;
  std::vector<double> singles_, contexts_;
  std::vector<float> pairs_;  // [contexts x answers]
};

}  // namespace hydra::learn
