#include <catch2/catch.hpp>

#include "core/error.h"
#include "core/files/utf8.h"
#include "core/json/fault.h"
#include "core/json/json.h"
#include "core/linalg/random.h"
#include "tests/support/faults.h"

using namespace hydra;
using test::fault_at;

TEST_CASE("json fault: place, what stands there, what is needed", "[core][files]") {
  const struct {
    std::string text, place, word;
  } cases[] = {
      {"{\"a\": tru}", "line 1, column 7", "stands tru where a value"},
      {"{\"a\": NaN}", "line 1, column 7", "stands NaN where a value"},
      {"{\"a\": -Infinity}", "line 1, column 7", "-Infinity, which is no number"},
      {"[01]", "line 1, column 2", "01, which is no number"},
      {"[1.]", "line 1, column 2", "1., which is no number"},
      {"[.5]", "line 1, column 2", ".5 where a value"},
      {"{“a”: 1}", "line 1, column 2", "a key in double quotes"},
      {"{'a': 1}", "line 1, column 2", "'a' where a key"},
      {"{\"a\" 1}", "line 1, column 6", "colon"},
      {"{\"a\": 1 \"b\": 2}", "line 1, column 9", "comma or the closing }"},
      {"[1 2]", "line 1, column 4", "comma or ]"},
      {"{\n  \"a\": 1,\n}", "line 2, column 9", "before the closing }"},
      {"[1, ]", "line 1, column 3", "before the closing ]"},
      {"{} x", "line 1, column 4", "x after the end"},
      {"{} // x", "line 1, column 4", "comment"},
      {"{\"a\": \"b\n\"}", "line 1, column 7", "not closed on its line"},
      {"[\"a\tb\"]", "line 1, column 4", "control character"},
      {"[\"C:\\dir\"]", "line 1, column 5", "backslash"},
      {"[\"\\ud800\"]", "line 1, column 3", "half of a character"},
      {"[\"\\udc00\"]", "line 1, column 3", "half of a character"},
      {"[\"\\ud83d\\ud1ee\"]", "line 1, column 3", "half of a character"},
      {"{\"a\": [1, 2", "line 1, column 12", "last [ is not closed"},
      {"{\"é", "line 1, column 4", "last { is not closed"},
  };
  for (const auto& [text, place, word] : cases) {
    CAPTURE(text);
    CHECK_THROWS_WITH(parse_json(text, "f"), fault_at("f: " + place, word));
    CHECK_THROWS_WITH(parse_json(text, "f"), "f: " + json_fault(text));
  }
}

TEST_CASE("json fault: whatever the parser refuses has a fault, in whole characters", "[core][files]") {
  const std::string base = "{\"a\": [1, -2.5e3, \"“é\\n\\ud83d\\ude00\", true, null], \"b\": {\"c\": {}}}";
  const std::string pieces[] = {"“", "é", "{", "}", "[", "]", ",", ":", "\"", "\\", "tru", "-", "1e", " ", "\n", "😀"};
  Random random(5);
  const auto below = [&](std::size_t count) { return static_cast<std::size_t>(random.bits() % count); };
  int refused = 0;
  for (int k = 0; k < 5000; ++k) {
    std::string text = base;
    for (std::size_t m = 1 + below(3); m > 0; --m) {
      std::size_t at = below(text.size());
      while ((text[at] & 0xC0) == 0x80) --at;
      if (below(2) == 0)
        text.insert(at, pieces[below(std::size(pieces))]);
      else
        text.erase(at, decode(text, at).end - at);
    }
    CAPTURE(k, text);
    try {
      parse_json(text, "f");
    } catch (const InputError& fault) {
      ++refused;
      const std::string sentence = fault.what();
      REQUIRE(is_utf8(sentence));
      REQUIRE(sentence.find('\n') == std::string::npos);
      REQUIRE(sentence.find("this is no JSON") == std::string::npos);
    }
  }
  CHECK(refused > 3000);
}

TEST_CASE("printable: cut between characters, broken bytes spelled", "[core][files]") {
  CHECK(printable("“quoted”", 60) == "“quoted”");
  CHECK(printable("“quoted”", 4) == "“q…");
  CHECK(printable("“quoted”", 2) == "…");
  CHECK(printable("a\xE2\x80", 60) == "a\\xe2\\x80");
  CHECK(printable("a\nb\"c", 60) == "a\\nb\"c");
  CHECK_THROWS_WITH(parse_json("{\"a\":\n \"\xE2\x80\"}", "f"), fault_at("f: line 2, column 3", "no UTF-8"));
}
