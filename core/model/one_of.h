// One of several kinds, as std::variant has it, whose beginning, copying, moving and end are compiled in one place
// rather than wherever one is passed on: with forty kinds that is half of what such a file takes to compile. A file
// states
//   extern template class OneOf<Kinds>;   below the alias of the variant, in its header,
//   template class OneOf<Kinds>;          in its source.
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <utility>
#include <variant>

namespace hydra {

template <class Kind, class... Kinds>
concept AnyOf = (std::same_as<Kind, Kinds> || ...);

// Whether a variant holds one of several kinds.
template <class... Kinds, class... All>
bool is_one_of(const std::variant<All...>& value) {
  return (std::holds_alternative<Kinds>(value) || ...);
}

template <class Variant>
class OneOf;
template <class... Kinds>
class OneOf<std::variant<Kinds...>> : public std::variant<Kinds...> {
 public:
  OneOf();  // of the first kind
  template <AnyOf<Kinds...> Kind>
  OneOf(Kind kind) : OneOf(kIndex<Kind>, &kind) {}  // NOLINT: implicit, as a variant's
  OneOf(const OneOf&);
  OneOf(OneOf&&) noexcept;
  OneOf& operator=(const OneOf&);
  OneOf& operator=(OneOf&&) noexcept;
  ~OneOf();

 private:
  template <class Kind>
  static constexpr std::size_t kIndex = [] {
    std::size_t before = 0;
    (void)((std::same_as<Kind, Kinds> || (++before, false)) || ...);
    return before;
  }();
  // Moves from a value of the kind at that index.
  OneOf(std::size_t kind, void* value);
};

template <class... Kinds>
OneOf<std::variant<Kinds...>>::OneOf() = default;
template <class... Kinds>
OneOf<std::variant<Kinds...>>::OneOf(std::size_t kind, void* value) {
  using Move = void (*)(OneOf&, void*);
  static constexpr std::array<Move, sizeof...(Kinds)> kMoves{
      [](OneOf& to, void* from) { to.template emplace<Kinds>(std::move(*static_cast<Kinds*>(from))); }...};
  kMoves[kind](*this, value);
}
template <class... Kinds>
OneOf<std::variant<Kinds...>>::OneOf(const OneOf&) = default;
template <class... Kinds>
OneOf<std::variant<Kinds...>>::OneOf(OneOf&&) noexcept = default;
template <class... Kinds>
OneOf<std::variant<Kinds...>>& OneOf<std::variant<Kinds...>>::operator=(const OneOf&) = default;
template <class... Kinds>
OneOf<std::variant<Kinds...>>& OneOf<std::variant<Kinds...>>::operator=(OneOf&&) noexcept = default;
template <class... Kinds>
OneOf<std::variant<Kinds...>>::~OneOf() = default;

}  // namespace hydra
