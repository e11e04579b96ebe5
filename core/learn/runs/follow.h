// Measures what is followed (followed.h) in each head of a run's model, at any of its steps.
#pragma once
#include <memory>
#include <vector>

#include "core/learn/run.h"
#include "core/learn/runs/followed.h"

namespace hydra::learn {

class Follower {
 public:
  // Of an offset: over all queries of so many held-out sequences that have such a place. Throws InputError for a
  // sentence that the task's model does not read: unknown words, more places than it has.
  static constexpr Index kSequences = 64;
  Follower(const Task& task, const Document& document, const Recipe& recipe, std::uint64_t seed, Followed followed);

  const Followed& followed() const { return followed_; }
  // [layers x heads]: the mean attention, 0 to 1. gates: Run::set_gates. No drawing, no noise.
  std::vector<double> measure(const std::vector<float>& parameters, const std::vector<double>& gates, ThreadPool* pool);

 private:
  Followed followed_;
  lanes::Compiled compiled_;
  Batch batch_;
  lanes::Executor<float> executor_;
};

}  // namespace hydra::learn
