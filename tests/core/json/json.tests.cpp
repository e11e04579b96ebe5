#include "core/json/json.h"

#include <catch2/catch.hpp>

#include "core/error.h"
#include "tests/support/faults.h"

using namespace hydra;
using Catch::Contains;
using test::fault_at;

namespace {

std::string again(std::string_view text, JsonNumbers numbers = JsonNumbers::floats) {
  std::string out;
  append_json(out, parse_json(text, "f", kMaxValues, numbers).root());
  return out;
}

}  // namespace

TEST_CASE("json: a tree has what the text has, in its order", "[core][file]") {
  const JsonTree tree =
      parse_json(R"( {"b": [1, -2, 3.5, "x", null, true, [], {}], "a": {"": {"c": [[0]]}, "d": ""}} )", "f");
  const Json& root = tree.root();
  REQUIRE(root.is_object());
  REQUIRE(root.size() == 2);
  CHECK(root.begin().key() == "b");
  CHECK(root.find("c") == nullptr);
  const Json& b = *root.find("b");
  REQUIRE(b.size() == 8);
  CHECK(b[0].as<int>() == 1);
  CHECK(b[0].is(1));
  CHECK((b[1].is_negative() && b[1].as<std::int64_t>() == -2));
  CHECK((b[2].is_number() && !b[2].is_whole() && b[2].as<float>() == 3.5f));
  CHECK(b[3].text() == "x");
  CHECK(b[4].is_null());
  CHECK((b[5].is_boolean() && b[5].truth()));
  CHECK((b[6].is_array() && b[6].empty() && b[7].is_object() && b[7].empty()));
  CHECK(b[6].begin() == b[6].end());
  const Json& a = *root.find("a");
  REQUIRE(a.size() == 2);
  CHECK((*a.find("")->find("c"))[0][0].is(0));
  CHECK(a.find("d")->text().empty());
  CHECK(b.find("a") == nullptr);
}

TEST_CASE("json: written again it is the same, with its keys sorted", "[core][file]") {
  CHECK(again(R"({"b": [1, -2, 0.1, 5.0, -0.0, 1e30], "a": {"y": "\u00e9\n", "x": [true, false, null]}})") ==
        R"({"a":{"x":[true,false,null],"y":"é\n"},"b":[1,-2,0.1,5.0,-0.0,1e+30]})");
  CHECK(again("[0.1, 0.30000000000000004, 1e-300, 18446744073709551615, -9223372036854775808]", JsonNumbers::doubles) ==
        "[0.1,0.30000000000000004,1e-300,18446744073709551615,-9223372036854775808]");
  const JsonTree tree = parse_json(R"({"optimizer": {"kind": "adam", "rate": 0.5}, "heads": 4})", "f");
  std::string out;
  append_json(out, tree.root(), tree.root().find("optimizer")->find("rate"));
  CHECK(out == R"({"heads":4,"optimizer":{"kind":"adam"}})");
}

TEST_CASE("json: a decimal is rounded once, to a float or to a double", "[core][file]") {
  // Halfway between two floats and a little more: by way of a double it would be the even one of the two.
  const char* text = "[1.00000017881393432617187499]";
  CHECK(parse_json(text, "f").root()[0].as<float>() == 1.0000001f);
  CHECK(parse_json("[1.00000017881393432617187501]", "f").root()[0].as<float>() == 1.0000002f);
  CHECK(parse_json(text, "f", kMaxValues, JsonNumbers::doubles).root()[0].as<double>() == 1.0000001788139343);
  CHECK_THROWS_WITH(parse_json("[[1e39]]", "f"), fault_at("f: /0/0", "1e39, which is beyond"));
  CHECK(parse_json("1e39", "f", kMaxValues, JsonNumbers::doubles).root().as<double>() == 1e39);
}

TEST_CASE("json: a key that is there twice is named, wherever it stands", "[core][file]") {
  CHECK_THROWS_WITH(parse_json(R"({"a": 1, "a": 2})", "f"), fault_at("f: /a", "twice"));
  CHECK_THROWS_WITH(parse_json(R"({"a": [{"": 1, "x/y": 1, "b": {}, "x/y": 2}]})", "f"),
                    fault_at("f: /a/0/x~1y", "twice"));
  CHECK_THROWS_WITH(parse_json(R"([{"": 1, "": 2}])", "f"), fault_at("f: /0/", "twice"));
  CHECK(parse_json(R"({"a": {"a": {"a": 1}}, "b": {"a": 1}})", "f").root().size() == 2);
}

TEST_CASE("json: an override changes one value, or makes the way to it", "[core][file]") {
  const auto changed = [](const char* text, const char* argument, std::string* pointer = nullptr) {
    JsonTree tree = parse_json(text, "f");
    const Override made = apply_override(tree, argument);
    if (pointer != nullptr) *pointer = made.pointer;
    std::string out;
    append_json(out, tree.root());
    return out;
  };
  std::string pointer;
  CHECK(changed(R"({"a": [1, {"b": "x"}], "c": null})", "/a/1/b=[2, {}]", &pointer) ==
        R"({"a":[1,{"b":[2,{}]}],"c":null})");
  CHECK(pointer == "/a/1/b");
  CHECK(changed(R"({"a": 1})", "/b/c=word", &pointer) == R"({"a":1,"b":{"c":"word"}})");
  CHECK(pointer == "/b");
  CHECK(changed(R"({"a": null})", "/a/c=1", &pointer) == R"({"a":{"c":1}})");
  CHECK(pointer == "/a/c");
  CHECK(changed(R"({"a": {"x": 1, "y": 2, "z": [3]}})", "/a/y=null") == R"({"a":{"x":1,"y":null,"z":[3]}})");
  CHECK(changed("[[1], [2], [3]]", "/1=4") == "[[1],4,[3]]");
  CHECK_THROWS_WITH(changed("[1]", "/1=4"), fault_at("--set /1=4", "none is 1"));
  CHECK_THROWS_WITH(changed("[1]", "/0/a=4"), fault_at("--set /0/a=4: /0", "nothing inside"));
  CHECK_THROWS_WITH(changed("{}", "/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a=4"),
                    fault_at("--set /a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a=4", "deeper than 16 levels"));
}
