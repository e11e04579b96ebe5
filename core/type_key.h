// A key for each type, its address in the program: std::type_index hashes and compares names, which every frame would
// pay some hundred times.
#pragma once

namespace hydra {

using TypeKey = const void*;

namespace detail {
template <class T>
inline char type_mark;
}
template <class T>
constexpr TypeKey type_key() {
  return &detail::type_mark<T>;
}

}  // namespace hydra
