#include <catch2/catch.hpp>

#include "core/error.h"
#include "core/files/utf8.h"
#include "core/json/fault.h"
#include "core/json/json.h"
#include "core/linalg/random.h"

using namespace hydra;
using Catch::Contains;

TEST_CASE("json fault: place, what stands there, what is needed", "[core][files]") {
  const std::string values = " where a value is needed: a number, a \"string\", true, false, null, [ or {";
  const std::pair<std::string, std::string> cases[] = {
      {"{\"a\": tru}", "line 1, column 7: here stands tru" + values},
      {"{\"a\": NaN}", "line 1, column 7: here stands NaN" + values},
      {"{\"a\": -Infinity}",
       "line 1, column 7: here stands -Infinity, which is no number as JSON writes them: 12, -0.5, 1e-3"},
      {"[01]", "line 1, column 2: here stands 01, which is no number as JSON writes them: 12, -0.5, 1e-3"},
      {"[1.]", "line 1, column 2: here stands 1., which is no number as JSON writes them: 12, -0.5, 1e-3"},
      {"[.5]", "line 1, column 2: here stands .5" + values},
      {"{“a”: 1}", "line 1, column 2: here stands “a” where a key in double quotes is needed, such as \"heads\""},
      {"{'a': 1}", "line 1, column 2: here stands 'a' where a key in double quotes is needed, such as \"heads\""},
      {"{\"a\" 1}", "line 1, column 6: here stands 1 where a colon is needed between the key and its value"},
      {"{\"a\": 1 \"b\": 2}", "line 1, column 9: here stands \"b\" where a comma or the closing } is needed"},
      {"[1 2]", "line 1, column 4: here stands 2 where a comma or ] is needed"},
      {"{\n  \"a\": 1,\n}",
       "line 2, column 9: a comma stands before the closing } where nothing follows; leave it out"},
      {"[1, ]", "line 1, column 3: a comma stands before the closing ] where nothing follows; leave it out"},
      {"{} x", "line 1, column 4: here stands x after the end of the document; nothing may follow it"},
      {"{} // x", "line 1, column 4: here stands a comment, and JSON has none; leave it out"},
      {"{\"a\": \"b\n\"}",
       "line 1, column 7: the string that begins here is not closed on its line; end it with a double quote (\\n is a "
       "new line within it)"},
      {"[\"a\tb\"]",
       "line 1, column 4: a control character stands within a string; write it as \\t, \\n or \\u and four hex digits"},
      {"[\"C:\\dir\"]", "line 1, column 5: a backslash stands within a string; write \\\\ for the backslash itself"},
      {"[\"\\ud800\"]", "line 1, column 3: half of a character stands within a string: such \\u come in pairs"},
      {"[\"\\udc00\"]", "line 1, column 3: half of a character stands within a string: such \\u come in pairs"},
      {"[\"\\ud83d\\ud1ee\"]", "line 1, column 3: half of a character stands within a string: such \\u come in pairs"},
      {"{\"a\": [1, 2",
       "line 1, column 12: the text ends in the middle of the document, and its last [ is not closed; it may have been "
       "cut off when it was copied"},
      {"{\"é",
       "line 1, column 4: the text ends in the middle of the document, and its last { is not closed; it may have "
       "been cut off when it was copied"},
  };
  for (const auto& [text, expected] : cases) {
    CAPTURE(text);
    CHECK(json_fault(text) == expected);
    CHECK_THROWS_WITH(parse_json(text, "f"), "f: " + expected);
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
  CHECK_THROWS_WITH(parse_json("{\"a\":\n \"\xE2\x80\"}", "f"),
                    "f: line 2, column 3: here is no UTF-8 text; save the document as UTF-8");
}
