// The fields of structs by their names. NAMED beside a struct lists them all: one that is added does not compile until
// it stands there, too.
#pragma once
#include <concepts>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace hydra {

template <class... T>
struct NamedFields {
  std::string_view names;  // "page, circuit, strips"
  std::tuple<T&...> values;
};
template <class... T>
NamedFields<T...> fields_named(std::string_view names, T&... values) {
  return {names, {values...}};
}

// visit(name, field), in the order in which they stand.
template <class S, class Visit>
void for_each_field(S& value, const Visit& visit) {
  const auto fields = named(value);
  std::string_view rest = fields.names;
  const auto next = [&] {
    const std::size_t end = rest.find(',');
    const std::string_view name = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(rest.find_first_not_of(" \n", end + 1));
    return name;
  };
  std::apply([&](auto&... field) { (visit(next(), field), ...); }, fields.values);
}

}  // namespace hydra

#define HYDRA_NAMED(Type, ...)                               \
  template <class S>                                         \
  requires std::same_as<std::remove_const_t<S>, Type>        \
  auto named(S& of_named) {                                  \
    auto& [__VA_ARGS__] = of_named;                          \
    return ::hydra::fields_named(#__VA_ARGS__, __VA_ARGS__); \
  }
