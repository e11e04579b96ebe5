// `hydrascope fit`: what it writes, and what it refuses.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/faults.h"
#include "tests/support/program.h"

using namespace hydra;
using nlohmann::json;
using test::fault_at;
using test::Program;

TEST_CASE("fit command: the errors of every width, by seed, with the pattern and its target", "[app][cli]") {
  const Program program;
  const std::string file =
      program.file_with("features.json", R"({"hydrascope": 1, "embedding": {"kind": "features"}})");
  const std::string command = "fit '" + file + "' --pattern previous --d-k 4,1,2,2 --seeds 3 --seed 5";
  const auto result = program.run(command);
  REQUIRE(result.code == 0);
  CHECK(result.error.empty());
  const json made = json::parse(result.out);
  CHECK(made.at("pattern") == "previous");
  CHECK(made.at("n") == 12);
  CHECK(made.at("d_model") == 64);
  CHECK(made.at("rank") == 12);
  CHECK(made.at("enough") == 11);
  CHECK(made.at("asked") == 11);
  CHECK(made.at("seeds") == json::parse("[5, 6, 7]"));
  CHECK(made.at("target").at(3) == json::parse("[0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]"));
  REQUIRE(made.at("widths").size() == 3);
  for (std::size_t k = 0; k < 3; ++k) {
    const json& width = made.at("widths")[k];
    CHECK(width.at("d_k") == 1 << k);
    CHECK(width.at("misplaced").at("seeds").size() == 3);
    CHECK(width.at("misplaced").at("least") <= width.at("misplaced").at("most"));
    CHECK(width.at("attention").size() == 12);
  }
  CHECK(made.at("widths")[0].at("misplaced").at("least") > 0.5);
  CHECK(made.at("widths")[1].at("misplaced").at("most") < 0.01);
  CHECK(program.run(command).out == result.out);
}

TEST_CASE("fit command: a mask is the layer's, unless it is left out, equal rows are told by the rank", "[app][cli]") {
  const Program program;
  const std::string file = program.file_with(
      "a.json", R"({"hydrascope": 1, "tokens": ["a", "b", "a"], "d_model": 4, "embedding": {"kind": "explicit",
      "X": [[1, 0, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0]]}, "layers": [{"heads": 1, "mask": "causal"}]})");
  const json masked = json::parse(program.run("fit '" + file + "' --pattern any --d-k 1").out);
  CHECK(masked.at("rank") == 2);
  CHECK(masked.at("enough").is_null());
  CHECK(masked.at("target")[0] == json::parse("[1, 0, 0]"));
  CHECK(masked.at("widths")[0].at("attention")[1][2] == 0);
  const json open = json::parse(program.run("fit '" + file + "' --pattern any --no-mask").out);
  CHECK(open.at("target")[0][2] > 0);
  CHECK(open.at("widths").size() == 3);  // 1, 2 = n - 1, 4
}

TEST_CASE("fit command: heads for several relations, and one head for two", "[app][cli]") {
  const Program program;
  const json made = json::parse(program.run("fit --heads '1, 2,4' --relations 2 --tokens 6 --d-model 8 --seeds 2").out);
  CHECK(made.at("relations") == 2);
  CHECK(made.at("tokens") == 6);
  CHECK(made.at("d_model") == 8);
  REQUIRE(made.at("heads").size() == 3);
  CHECK(made.at("heads")[0].at("bound") == 0.5);
  CHECK(made.at("heads")[0].at("error").at("least") > 0.499);
  CHECK(made.at("heads")[1].at("d_k") == 4);
  CHECK(made.at("heads")[1].at("error").at("seeds").size() == 2);
  CHECK(made.at("heads")[2].at("served").size() == 4);
  CHECK(made.at("two_targets").at("on_first") > 0.45);
  CHECK(!json::parse(program.run("fit --heads 1 --relations 1 --tokens 6 --d-model 8").out).contains("two_targets"));
}

TEST_CASE("fit command: what is wrong is said in one sentence", "[app][cli]") {
  const Program program;
  const auto refused = [&](const std::string& options, const std::string& place, const std::string& word) {
    CHECK_THAT(program.refusal("fit " + options), fault_at(place, word));
  };
  refused("--pattern next", "--pattern", "no pattern to fit");
  refused("--d-k 1,two", "--d-k", "\"two\" is not a whole number");
  refused("--d-k 0", "--d-k", "0 is not from 1 to 1024");
  refused("--d-k 1,,2", "--d-k", "\"\" is not a whole number");
  refused("--seeds 0", "--seeds", "from 1 to 1000");
  refused("--layer 2", "--layer", "no layer 2");
  refused("--relations 4", "--relations", "go with --heads");
  refused("--heads 4 --pattern identity", "--heads", "leave out the document");
  refused("--heads 3", "--heads", "do not divide d_model = 32");
  refused("--heads 64", "--heads", "64 is not from 1 to 32");
  refused("--heads 4 --relations 5", "5 relations", "do not divide d_model = 32");
  refused("--set /sentence=a", "the pattern", "asks nothing of any token");
}
