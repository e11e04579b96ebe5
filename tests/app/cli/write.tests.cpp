// hydrascope write as a process: the text, the JSON, what it refuses.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/checkpoints/open_model.h"
#include "core/writing/writing.h"
#include "tests/support/data.h"
#include "tests/support/program.h"

using Catch::Contains;
using hydra::test::Program;
using nlohmann::json;

namespace {

std::string written_model(const std::string& name) { return "'" + hydra::test::data("checkpoints/" + name) + "'"; }

// Three words, of which each is followed by the next.
constexpr const char* kRound = R"({"hydrascope": 1, "d_model": 3, "tokens": ["a"],
  "embedding": {"kind": "learned", "positions": "none", "vocabulary": ["a", "b", "c"],
                "E": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]},
  "layers": [{"heads": 1, "mask": "causal", "window": 1, "weights": {"kind": "random", "init": "identity"}}],
  "readout": {"kind": "own", "vocabulary": ["a", "b", "c"], "W_U": [[0, 9, 0], [0, 0, 9], [9, 0, 0]]}})";

}  // namespace

TEST_CASE("write command: it goes on with a text, as many words as are asked for", "[app][cli]") {
  const Program program;
  const auto text = program.run("write - --count 4 --temperature 0", kRound);
  CHECK(text.code == 0);
  CHECK(text.error.empty());
  CHECK(text.out == "a b c a b\n");
  CHECK(program.run("write - --count 2 --temperature 0 --text 'b c'", kRound).out == "b c a b\n");
  CHECK(program.run("write - --count 1 --temperature 0 --token-ids 0,1", kRound).out == "a b c\n");
}

TEST_CASE("write command: as JSON each token has its probability and the strongest others", "[app][cli]") {
  const Program program;
  const auto result = program.run("write - --count 3 --temperature 0 --json", kRound);
  REQUIRE(result.code == 0);
  const json out = json::parse(result.out);
  CHECK(out.at("text") == "a b c a");
  CHECK(out.at("continuation") == " b c a");
  CHECK(out.at("ended") == "count");
  CHECK(out.at("given") == json({"a"}));
  REQUIRE(out.at("written").size() == 3);
  const json& first = out.at("written").at(0);
  const double likely = std::exp(9) / (std::exp(9) + 2);
  CHECK(first.at("token") == "b");
  CHECK(first.at("id") == 1);
  CHECK(first.at("probability").get<double>() == Approx(likely));
  CHECK(first.at("drawn") == 1);
  REQUIRE(first.at("strongest").size() == 3);
  CHECK(first.at("strongest").at(1).at("token") == "a");
  CHECK(first.at("strongest").at(1).at("probability").get<double>() == Approx((1 - likely) / 2));
  CHECK(first.at("strongest").at(1).at("drawn") == 0);
}

TEST_CASE("write command: the seed draws, and a model's limit ends the text", "[app][cli]") {
  const Program program;
  const std::string drawing = "write - --count 40 --temperature 9 --seed ";
  const std::string three = program.run(drawing + "3", kRound).out;
  CHECK(three == program.run(drawing + "3", kRound).out);
  CHECK(three != program.run(drawing + "4", kRound).out);
  CHECK(program.run(drawing + "3 --top-k 1", kRound).out == program.run(drawing + "4 --top-p 0.01", kRound).out);

  const auto trained =
      program.run("write " + written_model("gpt2") + " --token-ids 9,0,3 --count 1000 --seed 2 --json");
  REQUIRE(trained.code == 0);
  const json out = json::parse(trained.out);
  CHECK(out.at("ended") == "limit");
  hydra::Document document = hydra::open_model(hydra::test::data("checkpoints/gpt2")).document;
  document.tokens = {{"9", "0", "3"}};
  hydra::Writing writing(document, {}, 2);
  while (writing.write()) {
  }
  REQUIRE(out.at("written").size() == writing.written().size());
  CHECK(std::ssize(writing.written()) + 3 == document.weights.P.rows());
  for (std::size_t k = 0; k < writing.written().size(); ++k)
    CHECK(out.at("written").at(k).at("id") == writing.written()[k].chosen.word);
}

TEST_CASE("write command: what cannot write, and what cannot be asked for", "[app][cli]") {
  const Program program;
  CHECK_THAT(program.refusal("write -", R"({"hydrascope": 1})"), Contains("no word is read out of this document"));
  CHECK_THAT(program.refusal("write - --set '/layers/0/mask=\"none\"' --set /layers/0/window=0", std::string(kRound)),
             Contains("layer 1 has no causal mask"));
  CHECK_THAT(program.refusal("write - --count 0", kRound), Contains("--count"));
  CHECK_THAT(program.refusal("write - --temperature -1", kRound), Contains("temperature must be 0 to 100"));
  CHECK_THAT(program.refusal("write - --top-p 0", kRound), Contains("share of probability"));
  CHECK_THAT(program.refusal("write - --top-k -2", kRound), Contains("number of words"));
}
