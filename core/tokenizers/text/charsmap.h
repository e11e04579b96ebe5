// SentencePiece's table of what is written otherwise: a trie of texts ("ﬁ") and what stands for each ("fi").
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hydra {

class Charsmap {
 public:
  Charsmap() = default;
  // A little-endian size in bytes, a double array of so many, texts that end with a zero. Throws InputError, without
  // the name of a file.
  explicit Charsmap(std::string_view bytes);

  bool empty() const { return units_.empty(); }
  // Of the longest text that this one begins with: its bytes, and what stands for it. 0 bytes where there is none.
  std::pair<std::size_t, std::string_view> longest(std::string_view text) const;

 private:
  std::vector<std::uint32_t> units_;
  std::string texts_;
};

}  // namespace hydra
