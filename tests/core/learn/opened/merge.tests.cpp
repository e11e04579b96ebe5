// Results of several processes, joined.
#include "core/learn/opened/merge.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "tests/support/faults.h"

using namespace hydra;
using Catch::Contains;
using learn::merged;
using nlohmann::json;
using test::fault_at;

namespace {

std::string run(int seed, int heads, double accuracy, double rate = 0.01, int steps = 1500) {
  return json{{"task", "students"},
              {"seed", seed},
              {"settings",
               {{"heads", heads}, {"d_model", 32}, {"layers", 1}, {"steps", steps}, {"optimizer", {{"rate", rate}}}}},
              {"curve", json::array()},
              {"final", {{"accuracy", accuracy}, {"loss", 1 - accuracy}, {"questions", {{"question 1", accuracy}}}}}}
      .dump();
}

}  // namespace

TEST_CASE("merge: by size the mean and the spread, of runs that are there once", "[learn]") {
  const json joined = json::parse(merged({{"a", run(0, 4, 0.5)},
                                          {"b", R"({"runs": [)" + run(1, 4, 1) + "," + run(0, 1, 0.25) + "]}"},
                                          {"again", run(0, 4, 0.5)}}));
  CHECK(joined.at("runs").size() == 3);
  REQUIRE(joined.at("summary").size() == 2);
  const json &one = joined.at("summary")[0], &four = joined.at("summary")[1];
  CHECK(one.at("heads") == 1);
  CHECK(one.at("accuracy").at("deviation").is_null());
  CHECK(four.at("runs") == 2);
  CHECK(four.at("accuracy").at("mean") == Approx(0.75).epsilon(1e-9));
  CHECK(four.at("accuracy").at("deviation").get<double>() == Approx(0.353553).epsilon(1e-5));
  CHECK(four.at("loss").at("most") == 0.5);
  CHECK(four.at("questions").at("question 1") == 0.75);
  // What it gave can be joined with more.
  const json again = json::parse(merged({{"joined", joined.dump()}, {"c", run(2, 4, 0.75)}}));
  CHECK(again.at("runs").size() == 4);
}

TEST_CASE("merge: what it gave, joined again, is the same byte for byte", "[learn]") {
  // 0.126953125 is a float, whose fewest digits as a float, 0.12695312, are another double.
  const std::string joined = merged({{"a", run(0, 4, 0.126953125)}, {"b", run(1, 4, 1.0 / 3)}, {"c", run(2, 4, 0.1)}});
  CHECK(joined.find("0.126953125") != std::string::npos);
  CHECK(merged({{"joined", joined}}) == joined);
}

TEST_CASE("merge: runs of another rate or budget are not mixed, and the best rate is told", "[learn]") {
  const json joined = json::parse(merged({{"a", run(0, 16, 0.5)},
                                          {"b", run(0, 16, 0.7, 0.03)},
                                          {"c", run(1, 16, 0.9, 0.03)},
                                          {"d", run(2, 16, 0.95, 0.03)},
                                          {"e", run(0, 16, 1, 0.01, 6000)}}));
  REQUIRE(joined.at("summary").size() == 3);
  for (const json& one : joined.at("summary")) {
    const double rate = one.at("settings").at("optimizer").at("rate");
    const int steps = one.at("settings").at("steps");
    CHECK(one.at("best_rate") == (steps == 6000 || rate == 0.03));
    CHECK(one.at("runs") == (rate == 0.03 ? 3 : 1));
    if (rate != 0.03) continue;
    CHECK(one.at("accuracy").at("median") == 0.9);
    CHECK(one.at("accuracy").at("mean") == Approx(0.85));
  }
}

TEST_CASE("merge: what no run has written is refused by its name", "[learn]") {
  CHECK_THROWS_WITH(merged({{"x.json", "{"}}), fault_at("x.json: line 1, column 2", "last { is not closed"));
  CHECK_THROWS_WITH(merged({{"x.json", std::string(100'000, '[')}}),
                    fault_at("x.json: /0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0", "deeper than 16 levels"));
  CHECK_THROWS_WITH(merged({{"x.json", "[]"}}), fault_at("x.json: the file", "no run"));
  CHECK_THROWS_WITH(merged({{"a", run(0, 1, 1)}, {"y.json", R"({"task": 1, "settings": {}, "final": {}})"}}),
                    fault_at("y.json: /task", "string"));
  CHECK_THROWS_WITH(merged({{"z.json", R"({"task": "students", "settings": {"heads": 1}, "final": {}})"}}),
                    fault_at("z.json: /settings/d_model", "missing"));
  CHECK_THROWS_WITH(merged({{"z.json", R"({"runs": [{"task": 1, "settings": [], "final": 1e400}]})"}}),
                    fault_at("z.json: /runs/0/final", "1e400, which is beyond"));
  CHECK_THROWS_AS(merged({}), InputError);
}
