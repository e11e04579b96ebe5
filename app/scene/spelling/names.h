// The names of enumerators, taken from the compiler: a new one has its name at once.
#pragma once
#include <array>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hydra {

namespace names {

// "cosine" of StreamStrips::cosine; empty where no enumerator has the value, which compilers write as a number.
template <auto value>
constexpr std::string_view of() {
  const std::string_view all = __PRETTY_FUNCTION__;
  const std::size_t from = all.find("value = ") + std::string_view("value = ").size();
  const std::string_view whole = all.substr(from, all.find_first_of(";]", from) - from);
  const std::size_t colon = whole.rfind(':');
  return colon == std::string_view::npos || whole.front() == '(' ? std::string_view() : whole.substr(colon + 1);
}

// "GoTo" of hydra::act::GoTo.
template <class T>
constexpr std::string_view of_type() {
  const std::string_view all = __PRETTY_FUNCTION__;
  const std::size_t from = all.find("T = ") + std::string_view("T = ").size();
  const std::string_view whole = all.substr(from, all.find_first_of(";]", from) - from);
  return whole.substr(whole.rfind(':') + 1);
}

// How many enumerators there are from k on.
template <class Enum, std::size_t k = 0>
constexpr std::size_t count() {
  if constexpr (of<static_cast<Enum>(k)>().empty())
    return k;
  else
    return count<Enum, k + 1>();
}
template <class Enum, std::size_t... k>
constexpr auto first(std::index_sequence<k...>) {
  return std::array<std::string_view, sizeof...(k)>{of<static_cast<Enum>(k)>()...};
}
template <class Enum>
inline constexpr auto kOf = first<Enum>(std::make_index_sequence<count<Enum>()>());

}  // namespace names

// Of enumerations that count from 0.
template <class Enum>
requires std::is_enum_v<Enum>
constexpr std::string_view name_of(Enum value) {
  const auto k = static_cast<std::size_t>(value);
  return k < names::kOf<Enum>.size() ? names::kOf<Enum>[k] : std::string_view();
}

}  // namespace hydra
