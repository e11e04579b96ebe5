#include "app/scene/choose.h"

#include <stdexcept>

#include "app/scene/apply.h"
#include "app/scene/spelling.h"
#include "core/error.h"

namespace hydra {

namespace {

// visit(key, field) for the field and all that stands in it.
template <class T, class Visit>
void walk(const std::string& key, T& field, const Visit& visit) {
  visit(key, field);
  if constexpr (spelling::Struct<T>)
    for_each_field(field,
                   [&](std::string_view name, auto& inner) { walk(key + "." + std::string(name), inner, visit); });
}

template <class View, class Visit>
void walk(View& view, const Visit& visit) {
  const auto part = [&](auto& of) {
    for_each_field(of, [&](std::string_view name, auto& field) { walk(std::string(name), field, visit); });
  };
  if constexpr (std::is_const_v<View>)
    part(static_cast<const Place&>(view)), part(static_cast<const Choices&>(view)),
        part(static_cast<const Preferences&>(view));
  else
    part(static_cast<Place&>(view)), part(static_cast<Choices&>(view)), part(static_cast<Preferences&>(view));
}

// What is put right where its parts do not go together.
template <class T>
constexpr bool kOnlyWhole = std::same_as<T, learn::HeadsProblem>;

// Where they differ, or everywhere.
template <class T>
void differ(const std::string& key, const T& from, const T& to, std::vector<act::Choose>& out, bool all = false) {
  if (!all && from == to) return;
  if constexpr (spelling::Struct<T> && !kOnlyWhole<T>) {
    std::vector<std::pair<std::string, const void*>> others;
    for_each_field(to, [&](std::string_view name, const auto& field) { others.emplace_back(name, &field); });
    std::size_t k = 0;
    for_each_field(from, [&](std::string_view name, const auto& field) {
      differ((key.empty() ? "" : key + ".") + std::string(name), field,
             *static_cast<const std::remove_cvref_t<decltype(field)>*>(others[k++].second), out, all);
    });
  } else {
    act::Choose& choose = out.emplace_back(act::Choose{key, {}});
    spelling::write(choose.value, to);
  }
}

}  // namespace

std::vector<act::Choose> differences(const ViewState& from, const ViewState& to) {
  std::vector<act::Choose> out;
  const bool all = from.view != to.view || from.layer != to.layer;
  differ("", static_cast<const Place&>(from), static_cast<const Place&>(to), out, all);
  std::erase_if(out, [](const act::Choose& choose) { return choose.key == "narrow"; });
  differ("", static_cast<const Choices&>(from), static_cast<const Choices&>(to), out);
  return out;
}

act::Choose chosen(const ViewState& view, const void* field, const std::type_info& type, const void* value) {
  act::Choose choose;
  walk(view, [&](const std::string& key, const auto& found) {
    using T = std::remove_cvref_t<decltype(found)>;
    if (&found != field || typeid(T) != type) return;
    choose = {key, {}};
    spelling::write(choose.value, *static_cast<const T*>(value));
  });
  if (choose.key.empty()) throw std::logic_error("what is chosen is no field of the view state");
  return choose;
}

void apply(ViewState& view, const act::Choose& choose) {
  const JsonTree tree = parse_json(choose.value, choose.key, kMaxValues, JsonNumbers::doubles);
  const JsonReader reader(choose.key, "the value");
  bool found = false;
  walk(view, [&](const std::string& key, auto& field) {
    if (key != choose.key) return;
    auto value = field;
    spelling::read({reader, {&tree.root(), ""}}, value);
    field = std::move(value);
    found = true;
  });
  if (!found) throw InputError("There is no choice named " + choose.key + ".");
}

}  // namespace hydra
