// Sets of code points as sorted tables of ranges.
#pragma once
#include <algorithm>
#include <cstddef>
#include <iterator>

namespace hydra {

struct CodeRange {
  char32_t first, last;  // inclusive
};

inline constexpr bool within(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

template <std::size_t N>
bool contains(const CodeRange (&sorted)[N], char32_t code) {
  const auto* range = std::lower_bound(std::begin(sorted), std::end(sorted), code,
                                       [](const CodeRange& r, char32_t c) { return r.last < c; });
  return range != std::end(sorted) && code >= range->first;
}

}  // namespace hydra
