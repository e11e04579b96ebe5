// What was not kept of a trace and was made again: of each stage the heads asked for last, of layers the last two.
#pragma once
#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/linalg/array.h"

namespace hydra {

template <class S>
struct AgainByHead {
  static constexpr std::size_t kMost = 16;

  template <class Make>
  Array<S> get(Index head, const Make& make) {
    const std::lock_guard lock(mutex);
    const auto found = std::find_if(kept.begin(), kept.end(), [&](const auto& entry) { return entry.first == head; });
    if (found != kept.end()) return found->second;
    if (kept.size() == kMost) kept.erase(kept.begin());
    kept.emplace_back(head, make());
    return kept.back().second;
  }

  std::mutex mutex;
  std::vector<std::pair<Index, Array<S>>> kept;
};

template <class S>
struct MadeAgain {
  AgainByHead<S> scores, contributions;
};

template <class S>
struct LayerTrace;

template <class S>
struct WholeAgain {
  static constexpr std::size_t kMost = 2;
  std::mutex mutex;
  std::vector<std::shared_ptr<const LayerTrace<S>>> kept;  // the newest last
};

}  // namespace hydra
