// Bounds that were measured before: an edit of the weights leaves them as they are, and going back finds them again.
#pragma once
#include <deque>
#include <mutex>

#include "core/measures/role_table.h"

namespace hydra {

// Safe to use from several threads. Keeps the last 128, which is all layers of a stack, and more; of what they were
// measured on the stamps, not the matrices.
class KnownBounds {
 public:
  std::optional<NameBounds> find(const RandomInput& random) const;
  void keep(const RandomInput& random, const NameBounds& bounds);

 private:
  mutable std::mutex mutex_;
  struct Known {
    std::vector<Stamp> inputs;
    RandomInput rest;  // without inputs
    NameBounds bounds;
  };
  std::deque<Known> known_;  // the newest first
};

}  // namespace hydra
