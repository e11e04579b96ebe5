// Items and their number in the index types that the program counts with, which are signed.
#pragma once
#include <cstddef>
#include <utility>

namespace hydra {

template <class Items, class K>  // K: a whole number or an enumeration
decltype(auto) nth(Items&& items, K k) {
  return std::forward<Items>(items)[static_cast<std::size_t>(k)];
}

template <class Items>
int int_size(const Items& items) {
  return static_cast<int>(items.size());
}

// A whole number among places and sizes on the screen.
template <class K>
constexpr float real(K k) {
  return static_cast<float>(k);
}

}  // namespace hydra
