#include "core/document/known_bounds.h"

namespace hydra {

std::optional<NameBounds> KnownBounds::find(const RandomInput& random) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [input, bounds] : known_)
    if (same_random_input(input, random)) return bounds;
  return std::nullopt;
}

void KnownBounds::keep(const RandomInput& random, const NameBounds& bounds) {
  constexpr std::size_t kMost = 8;
  const std::lock_guard lock(mutex_);
  known_.emplace_front(random, bounds);
  if (known_.size() > kMost) known_.pop_back();
}

}  // namespace hydra
