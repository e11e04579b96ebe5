// Spellings by their first bytes: which of them a text begins with.
#pragma once
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace hydra {

class Trie {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  struct Entry {
    std::string_view text;  // empty ones are left out
    std::uint32_t id = 0;
  };

  Trie() = default;
  explicit Trie(std::vector<Entry> entries);  // of one text twice, the first

  bool empty() const { return nodes_.size() <= 1; }
  // visit(bytes, id) for each that the text begins with, the shortest first.
  template <class Visit>
  void for_each(std::string_view text, const Visit& visit) const {
    std::uint32_t node = 0;
    for (std::size_t k = 0; k < text.size(); ++k) {
      node = child(node, static_cast<unsigned char>(text[k]));
      if (node == kNone) return;
      if (nodes_[node].id != kNone) visit(k + 1, nodes_[node].id);
    }
  }
  // Its bytes and its id; 0 bytes where there is none.
  std::pair<std::size_t, std::uint32_t> longest(std::string_view text) const {
    std::pair<std::size_t, std::uint32_t> found(0, kNone);
    for_each(text, [&](std::size_t bytes, std::uint32_t id) { found = {bytes, id}; });
    return found;
  }

 private:
  struct Node {
    std::uint32_t first = 0, id = kNone;  // its first child; the others stand behind that one, by their bytes
    std::uint16_t children = 0;
    std::uint8_t byte = 0;
  };
  std::uint32_t child(std::uint32_t node, std::uint8_t byte) const;

  std::vector<Node> nodes_;
};

}  // namespace hydra
