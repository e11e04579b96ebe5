#include "core/analysis/answer/direct_answer.h"

#include <limits>

namespace hydra {

namespace {

constexpr double kNoRival = std::numeric_limits<double>::quiet_NaN();

}  // namespace

DirectAnswer::DirectAnswer(const Trace& trace, const AskedAnswer& asked, ThreadPool* pool)
    : stream_(StreamMeasures(pool).of(trace, asked.token)),
      paths_(direct_paths(trace, stream_, asked.question)),
      answer_(asked.answer),
      rival_(asked.rival),
      reader_(paths_.reader(asked.answer)),
      rival_reader_(asked.rival ? paths_.reader(*asked.rival) : RowVec<double>()) {}

bool DirectAnswer::counts(int layer, int line) const {
  return paths_.parts[static_cast<std::size_t>(layer)][static_cast<std::size_t>(line)] == DirectPaths::Part::counts;
}

DirectAnswer::Part DirectAnswer::of_line(int layer, int line) const {
  const double effect = paths_.effect(layer, line, reader_);
  return {effect, rival_ ? effect - paths_.effect(layer, line, rival_reader_) : kNoRival};
}

DirectAnswer::Part DirectAnswer::of_added(int layer, MatView<float> added) const {
  const double effect = paths_.effect_of(layer, added, reader_);
  return {effect, rival_ ? effect - paths_.effect_of(layer, added, rival_reader_) : kNoRival};
}

DirectAnswer::Part DirectAnswer::of_constants() const {
  const double effect = paths_.constant(answer_);
  return {effect, rival_ ? effect - paths_.constant(*rival_) : kNoRival};
}

}  // namespace hydra
