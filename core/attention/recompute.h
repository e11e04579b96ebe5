// What was not kept of a trace and was recomputed: of each stage the heads asked for last, of layers the last two.
#pragma once
#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/linalg/array.h"
#include "core/model/site.h"

namespace hydra {

// The last so many, by their keys. From any thread.
template <class Key, class Value, std::size_t MOST>
class RecentlyComputed {
 public:
  template <class Make>
  Value get(const Key& key, const Make& make) {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const auto& entry) { return entry.first == key; });
    if (found != kept_.end()) return found->second;
    if (kept_.size() == MOST) kept_.erase(kept_.begin());
    kept_.emplace_back(key, make());
    return kept_.back().second;
  }

  bool empty() {
    const std::lock_guard lock(mutex_);
    return kept_.empty();
  }

 private:
  std::mutex mutex_;
  std::vector<std::pair<Key, Value>> kept_;  // the newest last
};

template <class S>
struct RecomputedStages {
  RecentlyComputed<std::pair<Quantity, Index>, Array<S>, 16> patterns;  // by stage and head
  RecentlyComputed<Index, Array<S>, 16> contributions;                  // by head
};

template <class S>
struct LayerTrace;
template <class S>
struct BlockTrace;
// By the stamp of what leaves them.
template <class S>
using RecomputedLayers = RecentlyComputed<Stamp, std::shared_ptr<const LayerTrace<S>>, 2>;
template <class S>
using RecomputedBlocks = RecentlyComputed<Stamp, std::shared_ptr<const BlockTrace<S>>, 2>;

}  // namespace hydra
