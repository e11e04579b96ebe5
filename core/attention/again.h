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

// The two that were made last, by the stamp of what leaves them. From any thread.
template <class T>
class LastTwo {
 public:
  template <class Make>
  std::shared_ptr<const T> get(Stamp stamp, const Make& make) {
    const std::lock_guard lock(mutex_);
    const auto found =
        std::find_if(kept_.begin(), kept_.end(), [&](const auto& entry) { return entry.first == stamp; });
    if (found != kept_.end()) return found->second;
    if (kept_.size() == 2) kept_.erase(kept_.begin());
    kept_.emplace_back(stamp, std::make_shared<const T>(make()));
    return kept_.back().second;
  }

  bool empty() {
    const std::lock_guard lock(mutex_);
    return kept_.empty();
  }

 private:
  std::mutex mutex_;
  std::vector<std::pair<Stamp, std::shared_ptr<const T>>> kept_;  // the newest last
};

template <class S>
struct LayerTrace;
template <class S>
using WholeAgain = LastTwo<LayerTrace<S>>;

}  // namespace hydra
