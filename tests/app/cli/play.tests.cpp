// hydrascope play: what a list of actions leaves, and what is said where it cannot be performed.
#include <catch2/catch.hpp>

#include "core/io/file.h"
#include "tests/support/program.h"

using namespace hydra;
using namespace hydra::test;
using Catch::Matchers::Contains;

namespace {

const std::string kSmall = R"({"hydrascope": 1, "sentence": "The cat sat.", "d_model": 8, "layers": [{"heads": 2}]})";
const std::string kFourHeads = R"({"Do":{"edit":{"what":{"SetHeads":{"heads":4}},"layer":0}}})";

}  // namespace

TEST_CASE("play command: the document, the scene and the picture that a list leaves", "[app][cli][play]") {
  const Program program;
  const std::string document = program.file_with("small.json", kSmall);
  const std::string list =
      program.file_with("a.actions", "# four heads\r\n\r\n" + kFourHeads + "\r\n" + R"({"GoTo":{"head":3}})" + "\n" +
                                         R"({"Choose":{"key":"view","value":"\"mixing\""}})");
  const std::string scene = program.file("scene.json"), picture = program.file("end.png");
  const auto play = [&](const std::string& more) {
    return program.run("play '" + document + "' '" + list + "'" + more);
  };
  const Result first = play(" --scene '" + scene + "' --picture '" + picture + "'");
  CAPTURE(first.error);
  REQUIRE(first.code == 0);
  CHECK(parse_document(first.out, "what was played").layers.front().heads == 4);
  CHECK_THAT(read_whole(scene), Contains("\"view\":\"mixing\"") && Contains("\"focused_head\":3"));
  CHECK(read_whole(picture).substr(1, 3) == "PNG");
  CHECK(play("").out == first.out);
  CHECK(read_whole(document) == kSmall);
  // The same with render: what is done before it draws.
  const auto drawn = [&](const std::string& more) {
    return program.run("render '" + document + "' --view mixing --size 800x500 --out - " + more).out;
  };
  const std::string done = drawn("--do '" + kFourHeads + R"(' --do '{"GoTo":{"head":3}}')");
  CHECK(done.size() > 1000);
  CHECK((done == drawn("--do '" + kFourHeads + R"(' --do '{"GoTo":{"head":3}}')")));
  CHECK_FALSE((done == drawn("")));
  CHECK((drawn(R"(--do '{"GoTo":{"head":1}}')") == drawn("--head 2")));
}

TEST_CASE("play command: what cannot be performed is one sentence with its line, and nothing is written",
          "[app][cli][play]") {
  const Program program;
  const std::string document = program.file_with("small.json", kSmall), out = program.file("out.json");
  const auto refused = [&](const std::string& text) {
    const std::string list = program.file_with("a.actions", text);
    const std::string sentence = program.refusal("play '" + document + "' '" + list + "' --out '" + out + "'");
    CHECK_FALSE(std::filesystem::exists(out));
    return sentence;
  };
  CHECK_THAT(refused(kFourHeads + "\n{\"GoTo\":{\"head\":4}}"), Contains("a.actions:2: There is no head 4"));
  CHECK_THAT(refused("{\"Nothing\":{}}"), Contains("a.actions:1") && Contains("is no kind that there is here"));
  CHECK_THAT(refused("{\"GoTo\":{\"row\":4}}"), Contains("a.actions:1") && Contains("row"));
  CHECK_THAT(refused("four heads"), Contains("a.actions:1"));
  CHECK_THAT(refused("{\"Save\":{\"path\":\"x.json\"}}"), Contains("writes no file of its own"));
  CHECK_THAT(program.refusal("play - -"), Contains("cannot both be standard input"));
  CHECK_THAT(program.refusal("play '" + document + "' nowhere.actions"), Contains("nowhere.actions"));
  CHECK_THAT(program.refusal("play '" + document + "' - --size 9", ""), Contains("--size"));
}
