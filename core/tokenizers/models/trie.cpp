#include "core/tokenizers/models/trie.h"

#include <algorithm>

namespace hydra {

Trie::Trie(std::vector<Entry> entries) {
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.text < b.text; });
  // Level by level: of each node, the entries that begin with it.
  struct Range {
    std::uint32_t node;
    std::size_t begin, end;
  };
  std::vector<Range> level = {{0, 0, entries.size()}}, next;
  nodes_.emplace_back();
  for (std::size_t depth = 0; !level.empty(); ++depth) {
    next.clear();
    for (const auto& [node, from, to] : level) {
      std::size_t begin = from;
      // Those that end here stand first.
      if (depth > 0 && begin < to && entries[begin].text.size() == depth) nodes_[node].id = entries[begin].id;
      while (begin < to && entries[begin].text.size() == depth) ++begin;
      nodes_[node].first = static_cast<std::uint32_t>(nodes_.size());
      while (begin < to) {
        const char byte = entries[begin].text[depth];
        std::size_t end = begin;
        while (end < to && entries[end].text[depth] == byte) ++end;
        next.push_back({static_cast<std::uint32_t>(nodes_.size()), begin, end});
        nodes_.emplace_back().byte = static_cast<std::uint8_t>(byte);
        ++nodes_[node].children;
        begin = end;
      }
    }
    std::swap(level, next);
  }
}

std::uint32_t Trie::child(std::uint32_t node, std::uint8_t byte) const {
  if (nodes_.empty()) return kNone;
  const auto begin = nodes_.begin() + nodes_[node].first, end = begin + nodes_[node].children;
  const auto found = std::lower_bound(begin, end, byte, [](const Node& a, std::uint8_t b) { return a.byte < b; });
  return found != end && found->byte == byte ? static_cast<std::uint32_t>(found - nodes_.begin()) : kNone;
}

}  // namespace hydra
