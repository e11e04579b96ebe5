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

TEST_CASE("sweep command: keys and values shared, at the document's own head count", "[app][cli]") {
  const Program program;
  const json all = json::parse(program.run("sweep --heads 1,2").out);
  const Document document = read_document("", {});
  const std::vector<SweepEntry> expected = Sweeps(nullptr, Swept::kv_heads).of(document, {8, 4, 2, 1}, -1);
  const json& sharing = all.at("kv_sharing");
  REQUIRE(sharing.size() == 4);
  const char* names[] = {"multi-head", "grouped-query", "grouped-query", "multi-query"};
  for (std::size_t k = 0; k < 4; ++k) {
    const json& entry = sharing.at(k);
    const SweepEntry& e = expected[k];
    CAPTURE(e.kv_heads);
    CHECK(entry.at("kv_heads") == e.kv_heads);
    CHECK(entry.at("group") == 8 / e.kv_heads);
    CHECK(entry.at("name") == names[k]);
    CHECK(entry.at("weights") == 8192 + 1024 * e.kv_heads);
    CHECK(entry.at("kv_cache").at("numbers_per_token") == 16 * e.kv_heads);
    CHECK(entry.at("kv_cache").at("bytes") == 4096 * 2 * 16 * e.kv_heads);
    CHECK(entry.at("decoding_step").at("projections") == 4096 + 1024 * e.kv_heads);
    for (const auto& [key, value] : {std::pair{"effective_heads", e.effective_heads},
                                     {"mean_cosine", e.mean_cosine},
                                     {"mean_js_bits", e.mean_js_bits},
                                     {"entropy_bits", e.entropy_bits},
                                     {"output_change", e.output_change}})
      CHECK(entry.at(key).get<double>() == Approx(value));
  }
  CHECK(all.at("kv_left_out").empty());
  CHECK(all.at("entries").at(0).at("kv_heads") == 1);
  const json one = json::parse(program.run("sweep --heads 1 --set /layers/0/heads=1").out);
  CHECK(one.at("kv_sharing").size() == 1);
  CHECK(one.at("kv_sharing").at(0).at("mean_cosine").is_null());
  CHECK_FALSE(json::parse(program.run("sweep --heads 1 --set /layers/0/split=slice").out).contains("kv_sharing"));
  CHECK_FALSE(json::parse(program.run("sweep --heads 1 --set /layers/0/split=slice").out).contains("kv_left_out"));
}

TEST_CASE("sweep command: bad head counts are one sentence", "[app][cli]") {
  const Program program;
  for (const char* list : {"1,,2", ",1", "1,", "1;2"})
    CHECK_THAT(program.refusal("sweep --heads '" + std::string(list) + "'"),
               Contains("--heads: ") && Contains("is not a whole number"));
  CHECK_THAT(program.refusal("sweep --heads 1,3"), Contains("--heads: 3 heads do not divide d_model 64"));
  for (const char* count : {"0", "-1", "1000000"}) {
    CAPTURE(count);
    CHECK_THAT(program.refusal(std::string("sweep --heads=") + count),
               Contains("--heads: heads is " + std::string(count)));
  }
  CHECK_THAT(program.refusal("sweep --heads two"), Contains("\"two\" is not a whole number"));
  CHECK_THAT(program.refusal("sweep --head 0"), Contains("counted from 1"));
  CHECK_THAT(program.refusal("sweep --head 1000"), Contains("--head: there is no head 1000") && Contains("64"));
  CHECK_THAT(program.refusal("sweep --heads 1,2 --head 3"), Contains("there is no head 3") && Contains("are 2"));
  CHECK_THAT(program.refusal("sweep --heads '1, '"), Contains("is not a whole number"));
  CHECK_THAT(program.refusal("sweep --heads '1 2'"), Contains("\"1 2\" is not a whole number"));
}

TEST_CASE("sweep command: spaces around head counts", "[app][cli]") {
  const Program program;
  const json all = json::parse(program.run("sweep --heads ' 4 ,1, 2' --head 4").out);
  REQUIRE(all.at("entries").size() == 3);
  CHECK(all.at("entries").at(2).at("heads") == 4);
  CHECK(all.at("entries").at(2).at("ranks").at("head") == 3);
  CHECK(all.at("entries").at(0).at("ranks").at("head") == 0);  // the last where there are fewer
}

TEST_CASE("sweep command: a file without a name is refused by its option", "[app][cli]") {
  const Program program;
  for (const char* command : {"sweep", "trace", "analyze", "render"})
    CHECK_THAT(program.refusal(std::string(command) + " --out ''"), Contains("--out: ") && Contains("needs a name"));
}
