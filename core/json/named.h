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

// One name after the other.
class FieldNames {
 public:
  explicit FieldNames(std::string_view names) : rest_(names) {}
  std::string_view next() {
    const std::size_t end = rest_.find(',');
    const std::string_view name = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(rest_.find_first_not_of(" \n", end + 1));
    return name;
  }

 private:
  std::string_view rest_;
};

// visit(name, field), in the order in which they stand.
template <class S, class Visit>
void for_each_field(S& value, const Visit& visit) {
  const auto fields = named(value);
  FieldNames names(fields.names);
  std::apply([&](auto&... field) { (visit(names.next(), field), ...); }, fields.values);
}
// visit(name, field, that of the other).
template <class S, class Visit>
void for_each_field(const S& one, const S& other, const Visit& visit) {
  const auto fields = named(one), others = named(other);
  FieldNames names(fields.names);
  std::apply(
      [&](const auto&... field) {
        std::apply([&](const auto&... other_field) { (visit(names.next(), field, other_field), ...); }, others.values);
      },
      fields.values);
}

}  // namespace hydra

#define HYDRA_NAMED(Type, ...)                               \
  template <class S>                                         \
  requires std::same_as<std::remove_const_t<S>, Type>        \
  auto named(S& of_named) {                                  \
    auto& [__VA_ARGS__] = of_named;                          \
    return ::hydra::fields_named(#__VA_ARGS__, __VA_ARGS__); \
  }
