// Whether a variant holds one of several kinds.
#pragma once
#include <variant>

namespace hydra {

template <class... Kinds, class... All>
bool is_one_of(const std::variant<All...>& value) {
  return (std::holds_alternative<Kinds>(value) || ...);
}

}  // namespace hydra
