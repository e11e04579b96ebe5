// Neighbours become one, the best pair first, until none is left that may. For .cpp files of this folder only.
#pragma once
#include <queue>
#include <vector>

#include "core/tokenizers/models/model.h"

namespace hydra {

// A doubly linked list, by index; one that was merged away has no length.
struct Symbol {
  static constexpr std::uint32_t kEnd = 0xFFFFFFFF;
  std::uint32_t id = kNoId, begin = 0, end = 0;
  std::uint32_t before = kEnd, next = kEnd;
};

inline void link(std::vector<Symbol>& symbols) {
  for (std::uint32_t k = 0; k < symbols.size(); ++k) {
    symbols[k].before = k == 0 ? Symbol::kEnd : k - 1;
    symbols[k].next = k + 1 == symbols.size() ? Symbol::kEnd : k + 1;
  }
}

// find(left, right) gives the merge of two symbols. n symbols take n log n steps whatever the merges are: each makes
// one symbol fewer, and two new pairs at most.
template <class Find>
void merge_all(std::vector<Symbol>& symbols, const Find& find) {
  struct Pair {
    std::uint32_t rank, left, id, end;  // end: of its right one, when it was found
    bool operator<(const Pair& other) const { return rank != other.rank ? rank > other.rank : left > other.left; }
  };
  std::vector<Pair> first;
  first.reserve(symbols.size());
  std::priority_queue<Pair> pairs(std::less<Pair>(), std::move(first));
  const auto add = [&](std::uint32_t left) {
    if (left == Symbol::kEnd || symbols[left].next == Symbol::kEnd) return;
    const Symbol& right = symbols[symbols[left].next];
    const Merges::Merge merge = find(symbols[left], right);
    if (merge.id != kNoId) pairs.push({merge.rank, left, merge.id, right.end});
  };
  for (std::uint32_t k = 0; k < symbols.size(); ++k) add(k);
  while (!pairs.empty()) {
    const Pair best = pairs.top();
    pairs.pop();
    Symbol& left = symbols[best.left];
    if (left.begin == left.end || left.next == Symbol::kEnd) continue;
    Symbol& right = symbols[left.next];
    // The right one is another by now; the left one has grown only if it has another right one.
    if (right.end != best.end) continue;
    left.id = best.id;
    left.end = right.end;
    right.begin = right.end;
    left.next = right.next;
    if (left.next != Symbol::kEnd) symbols[left.next].before = best.left;
    add(left.before);
    add(best.left);
  }
}

}  // namespace hydra
