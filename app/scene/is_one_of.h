// Whether a variant holds one of several kinds.
#pragma once
#include <concepts>
#include <variant>

namespace hydra {

template <class... Kinds, class... All>
bool is_one_of(const std::variant<All...>& value) {
  return (std::holds_alternative<Kinds>(value) || ...);
}

template <class Kind, class... Kinds>
concept AnyOf = (std::same_as<Kind, Kinds> || ...);

}  // namespace hydra
