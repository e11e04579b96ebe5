// For each of some things a list of indices, all of them in one piece of memory.
#pragma once
#include <span>
#include <vector>

#include "core/linalg/types.h"

namespace hydra {

class IndexLists {
 public:
  IndexLists() = default;
  IndexLists(std::initializer_list<std::initializer_list<Index>> lists) {
    for (const auto& list : lists) add({list.begin(), list.size()});
  }

  void add(std::span<const Index> list) {
    indices_.insert(indices_.end(), list.begin(), list.end());
    ends_.push_back(indices_.size());
  }
  Index size() const { return std::ssize(ends_); }
  std::span<const Index> of(Index k) const {
    const auto at = static_cast<std::size_t>(k);
    const std::size_t first = at == 0 ? 0 : ends_[at - 1];
    return {indices_.data() + first, ends_[at] - first};
  }
  bool operator==(const IndexLists&) const = default;

 private:
  std::vector<Index> indices_;
  std::vector<std::size_t> ends_;  // of each list
};

}  // namespace hydra
