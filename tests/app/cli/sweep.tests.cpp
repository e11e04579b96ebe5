// hydrascope sweep as a process: the JSON it writes, what it refuses.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/document/file.h"
#include "core/document/sweep.h"
#include "tests/support/program.h"

using namespace hydra;
using Catch::Contains;
using hydra::test::Program;
using hydra::test::Result;
using nlohmann::json;

TEST_CASE("sweep command: an entry per head count, as the core has it", "[app][cli]") {
  const Program program;
  const Result result = program.run("sweep --heads 8,1,2 --head 2");
  REQUIRE(result.code == 0);
  CHECK(result.error.empty());  // no progress where there is no terminal
  const json entries = json::parse(result.out).at("entries");
  const std::vector<SweepEntry> expected = Sweeps().of(read_document("", {}), {1, 2, 8}, 1);
  REQUIRE(entries.size() == 3);
  for (std::size_t k = 0; k < 3; ++k) {
    const json& entry = entries.at(k);
    CHECK(entry.at("heads") == expected[k].heads);
    CHECK(entry.at("d_k") == expected[k].d_k);
    CHECK(entry.at("effective_heads").get<double>() == Approx(expected[k].effective_heads));
    CHECK(entry.at("output_change").get<double>() == Approx(expected[k].output_change));
    CHECK(entry.at("shares").size() == static_cast<std::size_t>(expected[k].heads));
    CHECK(entry.at("ranks").at("scores").at("numerical_rank") == expected[k].scores.numerical_rank);
    CHECK(entry.at("weights") == 4 * 64 * 64);
  }
  CHECK(json::parse(program.run("sweep").out).at("entries").size() == 7);
}

TEST_CASE("sweep command: bad head counts are one sentence", "[app][cli]") {
  const Program program;
  CHECK_THAT(program.refusal("sweep --heads 1,3"), Contains("--heads: 3 heads do not divide d_model 64"));
  for (const char* count : {"0", "-1", "1000000"}) {
    CAPTURE(count);
    CHECK_THAT(program.refusal(std::string("sweep --heads=") + count), Contains("--heads: heads is " + std::string(count)));
  }
  CHECK_THAT(program.refusal("sweep --heads two"), Contains("\"two\" is not a whole number"));
  CHECK_THAT(program.refusal("sweep --head 0"), Contains("counted from 1"));
}
