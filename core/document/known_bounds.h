// Bounds that were measured before: an edit of the weights leaves them as they are, and going back finds them again.
#pragma once
#include <deque>
#include <mutex>

#include "core/document/role_table.h"

namespace hydra {

// Safe to use from several threads. Keeps the last eight.
class KnownBounds {
 public:
  std::optional<NameBounds> find(const RandomInput& random) const;
  void keep(const RandomInput& random, const NameBounds& bounds);

 private:
  mutable std::mutex mutex_;
  std::deque<std::pair<RandomInput, NameBounds>> known_;  // the newest first
};

}  // namespace hydra
