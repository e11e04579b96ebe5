// Sequences of a task, as a test looks at them.
#pragma once
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/learn/task.h"
#include "tests/support/sanitized.h"

namespace hydra::test {

inline constexpr Index kManySequences = kSanitized ? 2000 : 4000;

// A sequence with its numbers by place, slot, question and relation.
class Drawn {
 public:
  Drawn(const learn::Task& task, learn::Stream stream = learn::Stream::training)
      : task_(task), stream_(stream), shape_(task.info().shape), batch_(shape_, 1) {}
  void draw(std::uint64_t seed) { learn::draw(task_, seed, stream_, 0, 0, batch_); }

  Index length() const { return batch_.length(0); }
  Index word(Index place, Index slot = 0) const { return batch_.words(0)[at(place * shape_.slots + slot)]; }
  Index target(Index place, Index question = 0) const {
    return batch_.targets(0)[at(place * shape_.questions + question)];
  }
  std::uint64_t gold(Index place, Index relation) const {
    return batch_.gold(0)[at(place * shape_.relations + relation)];
  }
  const std::string& spelled(Index place, Index slot = 0) const { return task_.info().words.word(word(place, slot)); }
  const std::string& answer(Index place, Index question = 0) const {
    return task_.info().answers.word(target(place, question));
  }
  std::vector<std::string> tokens() const { return learn::tokens_of(task_.info(), batch_.words(0)); }
  const learn::Batch& batch() const { return batch_; }

 private:
  static std::size_t at(Index k) { return static_cast<std::size_t>(k); }
  const learn::Task& task_;
  learn::Stream stream_;
  learn::TaskShape shape_;
  learn::Batch batch_;
};

// How far counts are from expected ones, in standard deviations: chi-square, made normal (Wilson and Hilferty 1931).
// Beyond 5 once in millions of times.
inline double surprise(const std::vector<double>& counts, const std::vector<double>& expected) {
  double chi_square = 0;
  for (std::size_t k = 0; k < counts.size(); ++k)
    chi_square += (counts[k] - expected[k]) * (counts[k] - expected[k]) / expected[k];
  const double freedom = static_cast<double>(counts.size()) - 1, spread = 2 / (9 * freedom);
  return (std::cbrt(chi_square / freedom) - (1 - spread)) / std::sqrt(spread);
}
inline double surprise_of_uniform(const std::vector<double>& counts) {
  double sum = 0;
  for (const double count : counts) sum += count;
  return surprise(counts, std::vector<double>(counts.size(), sum / static_cast<double>(counts.size())));
}

// The baseline of that name, of all answers or of a question's, at all places or at those of a relation.
inline const learn::Baseline& baseline_of(const learn::TaskInfo& info, const std::string& name,
                                          Index question = learn::kNone, Index relation = learn::kNone) {
  for (const learn::Baseline& baseline : info.baselines)
    if (baseline.name == name && baseline.question == question && baseline.relation == relation) return baseline;
  throw std::runtime_error(info.key + " has no baseline " + name);
}

}  // namespace hydra::test
