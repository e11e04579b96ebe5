// Texts by key: places, forms of words by number, other languages, and what is wrong with a table.
#include "core/text/wording.h"

#include <catch2/catch.hpp>

#include "core/error.h"
#include "tests/support/faults.h"

using namespace hydra;
using test::fault_at;

namespace {

// A table in the place of English while a test runs.
struct Speaking {
  explicit Speaking(std::string_view json) { use_wording(parse_wording(json, "t.json")); }
  ~Speaking() { use_wording({}); }
};

std::string fault_of(std::string_view json, const Wording* stands_for = nullptr) {
  try {
    parse_wording(json, "t.json", stands_for);
  } catch (const InputError& fault) {
    return fault.what();
  }
  return "";
}

}  // namespace

TEST_CASE("wording: places take words and numbers, and forms go by the number") {
  const Speaking english(R"({"forms": "one, other", "t": {
      "plain": "As it is", "of": "{n} {n:head|heads} of {name}", "twice": "{a}{{{b}} {a}"}})");
  CHECK(wording("t:plain") == "As it is");
  CHECK(wording("t:of", {{"n", 1}, {"name", "“cat”"}}) == "1 head of “cat”");
  CHECK(wording("t:of", {{"n", 0}, {"name", "x"}}) == "0 heads of x");
  CHECK(wording("t:of", {{"n", 8}, {"name", "x"}}) == "8 heads of x");
  CHECK(wording("t:of", {{"name", "x"}, {"n", "many"}}) == "many heads of x");
  CHECK(wording("t:twice", {{"a", "A"}, {"b", "B"}}) == "A{B} A");
  SECTION("a key that is not there shows itself, and a place without a value, too") {
    CHECK(wording("t:none") == "t:none");
    CHECK(wording("t:none", {{"n", 1}}) == "t:none");
    CHECK(wording("t:of", {{"n", 2}}) == "2 heads of {name}");
  }
}

TEST_CASE("wording: languages choose among their own forms") {
  const auto forms = [](const char* name, std::initializer_list<int> numbers) {
    const Wording table = parse_wording(R"({"forms": ")" + std::string(name) + R"("})", "w");
    std::vector<int> found;
    for (const int n : numbers) found.push_back(table.forms->of(n));
    return found;
  };
  CHECK(forms("other", {0, 1, 2}) == std::vector{0, 0, 0});
  CHECK(forms("one, other", {0, 1, 2, 21}) == std::vector{1, 0, 1, 1});
  CHECK(forms("zero or one, other", {0, 1, 2}) == std::vector{0, 0, 1});
  CHECK(forms("one, few, many", {0, 1, 2, 5, 11, 12, 14, 21, 22, 111, 112, 121}) ==
        std::vector{2, 0, 1, 2, 2, 2, 2, 0, 1, 2, 2, 0});
  CHECK(forms("one alone, few, many", {0, 1, 2, 5, 12, 21, 22, 112}) == std::vector{2, 0, 1, 2, 2, 2, 1, 2});
  const Speaking polish(R"({"forms": "one alone, few, many", "t": {"of": "{n} {n:głowa|głowy|głów}"}})");
  CHECK(wording("t:of", {{"n", 1}}) == "1 głowa");
  CHECK(wording("t:of", {{"n", 22}}) == "22 głowy");
  CHECK(wording("t:of", {{"n", 25}}) == "25 głów");
}

TEST_CASE("wording: English stands where another table has no text") {
  REQUIRE(shipped_wording().texts.size() > 0);
  const auto& [key, text] = *shipped_wording().texts.begin();
  const Speaking nothing(R"({"forms": "other"})");
  CHECK(wording(key) == text);
}

TEST_CASE("wording: a wrong table says where and what") {
  const Wording english = parse_wording(R"({"t": {"of": "{n} heads"}})", "e.json");
  CHECK_THAT(fault_of("[]"), fault_at("t.json: the table of texts", "object"));
  CHECK_THAT(fault_of(R"({"forms": "two"})"), fault_at("t.json: /forms", "\"one, other\""));
  CHECK_THAT(fault_of(R"({"t": 3})"), fault_at("t.json: /t", "object of texts"));
  CHECK_THAT(fault_of(R"({"t": {"of": 3}})"), fault_at("t.json: /t/of", "string"));
  CHECK_THAT(fault_of(R"({"t": {"of": "{n heads"}})"), fault_at("t.json: /t/of", "not closed"));
  CHECK_THAT(fault_of(R"({"t": {"of": "{N} heads"}})"), fault_at("t.json: /t/of", "a place {N}"));
  CHECK_THAT(fault_of(R"({"t": {"of": "{} heads"}})"), fault_at("t.json: /t/of", "a place {}"));
  CHECK_THAT(fault_of(R"({"t": {"of": "{n:head}"}})"), fault_at("t.json: /t/of", "2 forms", "not {n:head}"));
  CHECK_THAT(fault_of(R"({"t": {"if": ""}})", &english), fault_at("t.json: /t/if", "no text of the program"));
  CHECK_THAT(fault_of(R"({"t": {"of": "{m}"}})", &english), fault_at("t.json: /t/of", "a place {m}"));
  CHECK(fault_of(R"({"t": {"of": "{n} köpfe"}})", &english).empty());
}

TEST_CASE("wording: what a table lacks is a table again") {
  const Wording english = parse_wording(R"({"a": {"x": "X", "y": "\"Y\""}, "b": {"z": "Z\n"}})", "e.json");
  const Wording german = parse_wording(R"({"language": "Deutsch", "a": {"x": "Ix"}})", "g.json", &english);
  const Wording rest = parse_wording(text_of(lacking(german, english)), "rest.json", &english);
  CHECK(rest.language == "Deutsch");
  CHECK(rest.texts == std::map<std::string, std::string, std::less<>>{{"a:y", "\"Y\""}, {"b:z", "Z\n"}});
  CHECK(parse_wording(text_of(english), "e.json").texts == english.texts);
}
