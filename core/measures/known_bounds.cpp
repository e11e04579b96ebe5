#include "core/measures/known_bounds.h"

namespace hydra {

namespace {

std::vector<Stamp> stamps_of(const std::vector<Array<float>>& inputs) {
  std::vector<Stamp> stamps;
  for (const Array<float>& input : inputs) stamps.push_back(input.stamp());
  return stamps;
}

RandomInput without_inputs(RandomInput random) {
  random.inputs.clear();
  return random;
}

}  // namespace

std::optional<NameBounds> KnownBounds::find(const RandomInput& random) const {
  const std::vector<Stamp> inputs = stamps_of(random.inputs);
  const RandomInput rest = without_inputs(random);
  const std::lock_guard lock(mutex_);
  for (const Known& known : known_)
    if (known.inputs == inputs && same_random_input(known.rest, rest)) return known.bounds;
  return std::nullopt;
}

void KnownBounds::keep(const RandomInput& random, const NameBounds& bounds) {
  constexpr std::size_t kMost = 128;
  const std::lock_guard lock(mutex_);
  known_.push_front({stamps_of(random.inputs), without_inputs(random), bounds});
  if (known_.size() > kMost) known_.pop_back();
}

}  // namespace hydra
