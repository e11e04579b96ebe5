// How values are spelled: as JSON, objects by the names of their fields, of several kinds ("variant") the kind's name
// before them, matrices by rows. What is written reads back to the same; what is not as it would be written is refused,
// with its place.
//
// Of structs and variants there are tables, made once (Type, FieldRow), through which one function goes: templates for
// each of the hundred of them took a minute to compile.
#pragma once
#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "app/scene/spelling/names.h"
#include "core/json/named.h"
#include "core/json/reader.h"
#include "core/linalg/array.h"
#include "core/model/one_of.h"
#include "core/model/site.h"
#include "core/type_key.h"

namespace hydra::spelling {

template <class T>
concept Struct = requires(const T& value) {
  named(value);
};
template <class T>
concept Listed = requires(const T& value) {
  value.begin(), value.size(), typename T::value_type();
}
&&!std::same_as<T, std::string>;

// At a place of a text; the reader knows its name.
struct Reading {
  const JsonReader& json;
  Node node;
};

// A type that is spelled: what is done with a value of which that alone is known.
struct Type;
struct FieldRow {
  std::string name;
  std::ptrdiff_t at;  // bytes from where the struct begins
  const Type* type;
};
struct Type {
  TypeKey key;  // of what is spelled
  void (*write)(std::string& out, const void* value);
  void (*read)(const Reading& from, void* value);
  const std::vector<FieldRow>& (*fields)();  // of a struct; null: it is none
};
template <class T>
const Type& type_of();
void write_fields(std::string& out, const void* value, const std::vector<FieldRow>& fields);
void read_fields(const Reading& from, void* value, const std::vector<FieldRow>& fields);

// A kind of a variant.
struct KindRow {
  std::string_view name;
  const Type* type;
  void* (*emplace)(void* variant);  // a fresh one in the place of whatever it holds; where that stands
};
void write_kind(std::string& out, const KindRow& kind, const void* value);
void read_kind(const Reading& from, void* variant, std::span<const KindRow> kinds);
// The number of the name among them.
std::size_t read_name(const Reading& from, std::span<const std::string_view> names);

// Of a type that is spelled as no other is: write(out, value) and read(from, value).
template <class T>
struct Own;
template <class T>
concept Owned = requires(std::string& out, const T& value) {
  Own<T>::write(out, value);
};

// Kinds of a variant that have no spelling.
template <class T>
inline constexpr bool kTooLarge = false;

inline void write(std::string& out, bool value) { out += value ? "true" : "false"; }
inline void write(std::string& out, const std::string& value) { append_string(out, value); }
inline void write(std::string& out, float value) { append_number(out, value); }
inline void write(std::string& out, double value) { append_number(out, value); }
template <std::integral T>
void write(std::string& out, T value) {
  out += std::to_string(value);
}
template <class T>
requires std::is_enum_v<T>
void write(std::string& out, T value) { append_string(out, name_of(value)); }
inline void write(std::string& out, const Site& site) { append_string(out, spelled(site)); }
inline void write(std::string& out, const Cell& cell) { append_string(out, spelled(cell)); }
template <class A, class B>
void write(std::string& out, const std::pair<A, B>& pair);
template <class T>
void write(std::string& out, const std::optional<T>& value);
template <Listed T>
void write(std::string& out, const T& list);
template <class S>
void write(std::string& out, const Array<S>& matrix);
template <class... Kinds>
void write(std::string& out, const std::variant<Kinds...>& value);
template <Struct T>
void write(std::string& out, const T& value);
template <Owned T>
void write(std::string& out, const T& value) {
  Own<T>::write(out, value);
}
template <class T>
requires std::is_empty_v<T>
void write(std::string& out, const T&) { out += "{}"; }

template <class A, class B>
void write(std::string& out, const std::pair<A, B>& pair) {
  out += '[', write(out, pair.first), out += ',', write(out, pair.second), out += ']';
}
template <class T>
void write(std::string& out, const std::optional<T>& value) {
  if (value)
    write(out, *value);
  else
    out += "null";
}
template <Listed T>
void write(std::string& out, const T& list) {
  out += '[';
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (k > 0) out += ',';
    write(out, static_cast<const typename T::value_type&>(list[k]));
  }
  out += ']';
}
template <Struct T>
const std::vector<FieldRow>& fields_of();
template <Struct T>
void write(std::string& out, const T& value) {
  write_fields(out, &value, fields_of<T>());
}

template <class S>
void write(std::string& out, const Array<S>& matrix) {
  if (!matrix) {
    out += "null";
    return;
  }
  out +=
      "{\"rows\":" + std::to_string(matrix->rows()) + ",\"cols\":" + std::to_string(matrix->cols()) + ",\"values\":[";
  for (Index k = 0; k < matrix->size(); ++k) {
    if (k > 0) out += ',';
    write(out, static_cast<S>((*matrix)(k / matrix->cols(), k % matrix->cols())));
  }
  out += "]}";
}
template <class... Kinds>
const std::array<KindRow, sizeof...(Kinds)>& kinds_of(const std::variant<Kinds...>*);
template <class... Kinds>
void write(std::string& out, const std::variant<Kinds...>& value) {
  const void* held = std::visit([](const auto& kind) -> const void* { return &kind; }, value);
  write_kind(out, kinds_of(&value)[value.index()], held);
}

template <class T>
void read(const Reading& from, T& value);

namespace detail {
inline constexpr std::size_t kMostElements = 4096;  // of a list

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsPair : std::false_type {};
template <class A, class B>
struct IsPair<std::pair<A, B>> : std::true_type {};
template <class T>
struct IsArray : std::false_type {};
template <class T, std::size_t n>
struct IsArray<std::array<T, n>> : std::true_type {};
template <class T>
struct IsMatrix : std::false_type {};
template <class S>
struct IsMatrix<Array<S>> : std::true_type {};
template <class T>
struct IsVariant : std::false_type {};
template <class... Kinds>
struct IsVariant<std::variant<Kinds...>> : std::true_type {};
template <class Variant>
struct IsVariant<OneOf<Variant>> : std::true_type {};
}  // namespace detail

// A value to read into; of types that have none by themselves a specialization.
template <class T>
struct Fresh {
  static T make() { return T{}; }
};

template <class... Kinds>
void read_one_of(const Reading& from, std::variant<Kinds...>* value) {
  read_kind(from, value, kinds_of(value));
}
template <class S>
void read_matrix(const Reading& from, Array<S>& value);
template <class T>
void read(const Reading& from, T& value) {
  const JsonReader& json = from.json;
  const Node& node = from.node;
  const auto within = [&](std::size_t k) { return Reading{json, Elements(node, node.json->size())[k]}; };
  if constexpr (std::same_as<T, bool>) {
    value = json.flag(node, value);
  } else if constexpr (std::same_as<T, std::string>) {
    value = json.string(node);
  } else if constexpr (std::is_enum_v<T>) {
    value = static_cast<T>(read_name(from, names::kOf<T>));
  } else if constexpr (std::floating_point<T>) {
    if (!node.json->is_number()) json.fail_type(node, "a number");
    const T read = node.json->as<T>();
    if (!std::isfinite(read)) json.fail_type(node, "a number that fits");
    value = read;
  } else if constexpr (std::integral<T>) {
    if (!node.json->is_whole()) json.fail_type(node, "a whole number");
    const bool fits = node.json->is_negative() ? std::in_range<T>(node.json->as<std::int64_t>())
                                               : std::in_range<T>(node.json->as<std::uint64_t>());
    if (!fits) json.fail_type(node, "a whole number that fits");
    value = node.json->as<T>();
  } else if constexpr (std::same_as<T, Site>) {
    json.check_at(node.pointer, [&] { value = parse_site(json.string(node)); });
  } else if constexpr (std::same_as<T, Cell>) {
    json.check_at(node.pointer, [&] { value = parse_cell(json.string(node)); });
  } else if constexpr (detail::IsOptional<T>::value) {
    if (node.json->is_null()) return value.reset();
    read(from, value.emplace());
  } else if constexpr (detail::IsPair<T>::value) {
    if (!node.json->is_array() || node.json->size() != 2) json.fail_type(node, "an array of 2");
    read(within(0), value.first), read(within(1), value.second);
  } else if constexpr (detail::IsArray<T>::value) {
    // What may be chosen or not may be fewer in older programs: what came since stays as it is.
    constexpr bool may_be_fewer = std::same_as<typename T::value_type, std::optional<bool>>;
    if (!node.json->is_array() || (may_be_fewer ? node.json->size() > value.size() : node.json->size() != value.size()))
      json.fail_type(node, "an array of " + std::to_string(value.size()));
    for (std::size_t k = 0; k < node.json->size(); ++k) read(within(k), value[k]);
  } else if constexpr (detail::IsMatrix<T>::value) {
    read_matrix(from, value);
  } else if constexpr (detail::IsVariant<T>::value) {
    read_one_of(from, &value);
  } else if constexpr (std::is_empty_v<T>) {
    json.check_object(node, {});
  } else if constexpr (Owned<T>) {
    Own<T>::read(from, value);
  } else if constexpr (Listed<T>) {
    if (!node.json->is_array()) json.fail_type(node, "an array");
    json.check_count(node, detail::kMostElements, "elements");
    T list;
    std::size_t k = 0;
    for (const Node& element : Elements(node, node.json->size())) {
      typename T::value_type one{};
      read(Reading{json, element}, one);
      list.push_back(std::move(one)), ++k;
    }
    value = std::move(list);
  } else {
    static_assert(Struct<T>, "it has no spelling");
    read_fields(from, &value, fields_of<T>());
  }
}

template <class S>
void read_matrix(const Reading& from, Array<S>& value) {
  const JsonReader& json = from.json;
  const Node& node = from.node;
  if (node.json->is_null()) return void(value = nullptr);
  json.check_object(node, {"rows", "cols", "values"});
  const Index rows = json.whole_number(json.member(node, "rows"), 1, 1 << 16, 0);
  const Index cols = json.whole_number(json.member(node, "cols"), 1, 1 << 16, 0);
  const Node values = json.member(node, "values");
  if (!values) json.fail(node.pointer, "must have values");
  json.array(*values.json, values.pointer, rows * cols, "matrix");
  Mat<S> matrix(rows, cols);
  Index k = 0;
  for (const Node& element : Elements(values, values.json->size())) {
    S one{};
    read(Reading{json, element}, one);
    matrix(k / cols, k % cols) = one, ++k;
  }
  value = share(std::move(matrix));
}

template <class T>
const Type& type_of() {
  static constexpr Type type{type_key<T>(),
                             [](std::string& out, const void* value) {
                               if constexpr (kTooLarge<T>)
                                 throw InputError(std::string(names::of_type<T>()) + " is too large to be spelled");
                               else
                                 write(out, *static_cast<const T*>(value));
                             },
                             [](const Reading& from, void* value) {
                               if constexpr (kTooLarge<T>)
                                 from.json.fail(from.node.pointer, "is too large to be spelled");
                               else
                                 read(from, *static_cast<T*>(value));
                             },
                             [] {
                               if constexpr (Struct<T> && !kTooLarge<T>)
                                 return &fields_of<T>;
                               else
                                 return static_cast<const std::vector<FieldRow>& (*)()>(nullptr);
                             }()};
  return type;
}
template <Struct T>
const std::vector<FieldRow>& fields_of() {
  static const std::vector<FieldRow> rows = [] {
    std::vector<FieldRow> made;
    T value = Fresh<T>::make();
    const char* const begin = reinterpret_cast<const char*>(&value);
    for_each_field(value, [&]<class F>(std::string_view name, F& field) {
      made.push_back({std::string(name), reinterpret_cast<const char*>(&field) - begin, &type_of<F>()});
    });
    return made;
  }();
  return rows;
}
template <class... Kinds>
const std::array<KindRow, sizeof...(Kinds)>& kinds_of(const std::variant<Kinds...>*) {
  static const std::array<KindRow, sizeof...(Kinds)> kinds{
      KindRow{names::of_type<Kinds>(), &type_of<Kinds>(), [](void* variant) -> void* {
                if constexpr (kTooLarge<Kinds>)
                  return nullptr;
                else
                  return &static_cast<std::variant<Kinds...>*>(variant)->template emplace<Kinds>(Fresh<Kinds>::make());
              }}...};
  return kinds;
}

}  // namespace hydra::spelling
