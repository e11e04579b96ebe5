// Which heads read the same keys and values: neighbours, in groups of one size (grouped-query attention, Ainslie et al.
// 2023), or as they are given.
#pragma once
#include <algorithm>
#include <span>

#include "core/linalg/types.h"

namespace hydra {

struct KeyGroups {
  Index heads = 1;
  Index size = 1;                  // of each group, a divisor of heads, where none are given
  std::span<const Index> of = {};  // by head its set of keys and values, from 0 on, neighbours alike; empty: not given

  Index sets() const { return of.empty() ? heads / size : of.back() + 1; }
  Index set_of(Index head) const { return of.empty() ? head / size : of[static_cast<std::size_t>(head)]; }
  // The heads of a set: the first, and the one behind the last.
  Index first(Index set) const { return of.empty() ? set * size : std::ranges::lower_bound(of, set) - of.begin(); }
  Index last(Index set) const { return first(set + 1); }
  Index heads_of(Index set) const { return last(set) - first(set); }
  bool shares() const { return sets() < heads; }
  bool operator==(const KeyGroups& other) const {
    if (heads != other.heads) return false;
    for (Index h = 0; h < heads; ++h)
      if (set_of(h) != other.set_of(h)) return false;
    return true;
  }
};

}  // namespace hydra
