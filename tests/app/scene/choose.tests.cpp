// Choices by name: every field there and back, what is refused, what an address means.
#include "app/scene/choose.h"

#include <catch2/catch.hpp>

#include "app/scene/actions/apply.h"
#include "app/scene/spelling/spelling.h"
#include "core/error.h"
#include "tests/support/faults.h"

using namespace hydra;
using test::fault_at;

namespace {

// Another value than it has.
template <class T>
void alter(T& value);

template <class T>
void alter_list(T& list) {
  for (std::size_t k = 0; k < list.size(); ++k) {
    typename T::value_type element = list[k];
    alter(element);
    list[k] = element;
  }
}

template <class T>
void alter(T& value) {
  if constexpr (std::same_as<T, bool>) {
    value = !value;
  } else if constexpr (std::same_as<T, std::string>) {
    value += " \"é\"\n";
  } else if constexpr (std::is_enum_v<T>) {
    const auto next = static_cast<T>(static_cast<int>(value) + 1);
    value = name_of(next).empty() ? T{} : next;
  } else if constexpr (std::is_arithmetic_v<T>) {
    value = static_cast<T>(value + static_cast<T>(1)) / (std::is_floating_point_v<T> ? static_cast<T>(3) : T{1});
  } else if constexpr (std::same_as<T, Site>) {
    value = {Quantity::attention, 3, 2};
  } else if constexpr (std::same_as<T, Cell>) {
    value = {{Quantity::W_Q, 1, 2}, 7, 5};
  } else if constexpr (spelling::detail::IsOptional<T>::value) {
    if (value) return value.reset();
    value.emplace();
    alter(*value);
  } else if constexpr (spelling::detail::IsPair<T>::value) {
    alter(value.first), alter(value.second);
  } else if constexpr (spelling::detail::IsArray<T>::value) {
    alter_list(value);
  } else if constexpr (spelling::Listed<T>) {
    value.resize(value.size() + 2);
    alter_list(value);
  } else {
    for_each_field(value, [](std::string_view, auto& field) { alter(field); });
  }
}

// visit(state, field) for each outermost field of a part.
template <class Part, class Visit>
void each_field(const Visit& visit) {
  ViewState shape;
  std::size_t count = 0;
  for_each_field(static_cast<Part&>(shape), [&](std::string_view, auto&) { ++count; });
  for (std::size_t k = 0; k < count; ++k) {
    ViewState state;
    std::size_t at = 0;
    for_each_field(static_cast<Part&>(state), [&](std::string_view name, auto& field) {
      if (at++ == k) visit(state, name, field);
    });
  }
}

template <class Part>
void there_and_back() {
  each_field<Part>([](ViewState& state, std::string_view name, auto& field) {
    CAPTURE(name);
    const ViewState before = state;
    for (int times = 0; times < 3; ++times) {
      auto other = field;
      alter(other);
      const act::Choose choose = chosen(state, &field, type_key<decltype(other)>(), &other);
      CAPTURE(choose.value);
      CHECK(choose.key == name);
      ViewState read = before;
      apply(read, choose);
      field = other;
      CHECK(read == state);
      if (times == 0) CHECK_FALSE(read == before);
    }
  });
}

}  // namespace

TEST_CASE("choose: every field of the view state is spelled and read back", "[scene][choose]") {
  there_and_back<Place>();
  there_and_back<Choices>();
  there_and_back<Preferences>();
}

TEST_CASE("choose: a field is known by where it stands, whatever stands first in it", "[scene][choose]") {
  const ViewState view;
  CHECK(chosen(view, view.stream, StreamState{}).key == "stream");
  CHECK(chosen(view, view.stream.page, StreamPage::circuit).key == "stream.page");
  CHECK(chosen(view, view.stream.page, StreamPage::circuit).value == "\"circuit\"");
  CHECK(chosen(view, view.learn.setup.recipe.optimizer.rate, 0.25).key == "learn.setup.recipe.optimizer.rate");
  CHECK(chosen(view, view.learn.setup.recipe.optimizer.rate, 0.25).value == "0.25");
  CHECK(chosen(view, view.selection, {Cell{{Quantity::W_Q, 0, 3}, 2, 1}}).value == "\"layers.0.heads.3.W_Q[2,1]\"");
  const bool elsewhere = false;
  CHECK_THROWS_AS(chosen(view, elsewhere, true), std::logic_error);
}

TEST_CASE("choose: folds of a program that had fewer are read, and the new ones stay as they are", "[scene][choose]") {
  ViewState view;
  apply(view, act::Choose{"model_panel.open", "[true,null,false]"});
  CHECK(view.model_panel.open[0] == true);
  CHECK(view.model_panel.open[2] == false);
  CHECK_FALSE(view.model_panel.open[kFolds - 1]);
  CHECK_THROWS_AS(apply(view, act::Choose{"model_panel.open", "[1]"}), InputError);
  std::string list = "[null";
  for (std::size_t k = 0; k < kFolds; ++k) list += ",null";
  CHECK_THROWS_AS(apply(view, act::Choose{"model_panel.open", list + "]"}), InputError);
}

TEST_CASE("choose: what is not spelled as it should be is refused, and changes nothing", "[scene][choose]") {
  ViewState view;
  const ViewState before = view;
  for (const auto& [key, value] :
       {std::pair("stream.pages", "0"), std::pair("stream.page", "\"word\""), std::pair("stream.page", "1"),
        std::pair("roles.threshold", "\"high\""), std::pair("layer", "1.5"), std::pair("layer", "5000000000"),
        std::pair("stream.circuit.into", "[true]"), std::pair("dark", "yes"),
        std::pair("selection", "\"layers.0.W_Q\""), std::pair("roles.filter", "{\"text\": 1}"),
        std::pair("roles.filter", "{\"letters\": \"a\"}"), std::pair("", "true")}) {
    CAPTURE(key, value);
    CHECK_THROWS_AS(apply(view, act::Choose{key, value}), InputError);
    CHECK(view == before);
  }
  CHECK_THROWS_WITH(apply(view, act::Choose{"stream.page", "\"word\""}),
                    fault_at("stream.page", "\"words\" or \"circuit\" or \"routing\""));
}
