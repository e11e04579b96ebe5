// hydrascope sweep as a process: the JSON it writes, what it refuses.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/io/file.h"
#include "core/measures/sweep.h"
#include "tests/support/faults.h"
#include "tests/support/program.h"

using namespace hydra;
using Catch::Contains;
using hydra::test::Program;
using hydra::test::Result;
using nlohmann::json;
using test::fault_at;

TEST_CASE("sweep command: an entry per head count, as the core has it", "[app][cli]") {
  const Program program;
  const Result result = program.untrained("sweep", "--heads 8,1,2 --head 2");
  REQUIRE(result.code == 0);
  CHECK(result.error.empty());  // no progress where there is no terminal
  const json entries = json::parse(result.out).at("entries");
  const std::vector<SweepEntry> expected = Sweeps().of(default_document(), 0, {1, 2, 8}, 1);
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
    const json& over = entry.at("ranks").at("over_heads");
    CHECK(over.at("scores").at("heads") == expected[k].heads);
    CHECK(over.at("scores").at("numerical_rank").at("median").get<double>() ==
          expected[k].scores_over_heads.rank.median);
    CHECK(over.at("pattern").at("numerical_rank").at("most").get<double>() == expected[k].pattern_over_heads.rank.most);
    if (k > 0)
      CHECK(entry.at("independent_heads").at("effective_heads").at("mean").get<double>() ==
            Approx(expected[k].independent.effective_heads.mean));
    else
      CHECK(entry.at("independent_heads").at("effective_heads").at("mean").is_null());
  }
  CHECK(json::parse(program.untrained("sweep").out).at("entries").size() == 7);
}

TEST_CASE("sweep command: keys and values shared, at the document's own head count", "[app][cli]") {
  const Program program;
  const json all = json::parse(program.untrained("sweep", "--heads 1,2").out);
  const Document document = default_document();
  const std::vector<SweepEntry> expected = Sweeps(nullptr, Swept::kv_heads).of(document, 0, {8, 4, 2, 1}, -1);
  const json& sharing = all.at("kv_sharing");
  REQUIRE(sharing.size() == 7);  // each mean also with its norm kept
  for (std::size_t k = 0; k < 7; ++k) {
    const json& entry = sharing.at(k);
    const SweepEntry& e = expected[k];
    CAPTURE(e.kv_heads, e.rescaled);
    CHECK(entry.at("kv_heads") == e.kv_heads);
    CHECK(entry.at("norm_kept") == e.rescaled);
    CHECK(entry.at("group") == 8 / e.kv_heads);
    CHECK(entry.at("name") == (e.kv_heads == 8 ? "multi-head" : e.kv_heads == 1 ? "multi-query" : "grouped-query"));
    CHECK(entry.at("independent_heads").at("mean_js_bits").at("mean").get<double>() ==
          Approx(e.independent.mean_js_bits.mean));
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
  const json one = json::parse(program.untrained("sweep", "--heads 1 --set /layers/0/heads=1").out);
  CHECK(one.at("kv_sharing").size() == 1);
  CHECK(one.at("kv_sharing").at(0).at("mean_cosine").is_null());
  CHECK_FALSE(
      json::parse(program.untrained("sweep", "--heads 1 --set /layers/0/split=slice").out).contains("kv_sharing"));
  CHECK_FALSE(
      json::parse(program.untrained("sweep", "--heads 1 --set /layers/0/split=slice").out).contains("kv_left_out"));
}

TEST_CASE("sweep command: every number as a spread over seeds, the document's own among them", "[app][cli]") {
  const Program program;
  const json all = json::parse(program.untrained("sweep", "--heads 2,8 --seeds 3").out);
  CHECK(all.at("seeds") == json::parse("[7, 8, 9]"));
  for (const json& entry : all.at("entries")) {
    const json& over = entry.at("over_seeds");
    CHECK(over.size() == 12);
    for (const char* key : {"entropy_bits", "effective_heads", "mean_cosine", "mean_js_bits", "output_change"}) {
      CAPTURE(key);
      const double own = entry.at(key), least = over.at(key).at("least"), most = over.at(key).at("most");
      CHECK(least <= own);
      CHECK(own <= most);
      if (std::string_view(key) == "output_change" && entry.at("heads") == 8)
        CHECK(most == 0);  // the document's own cut
      else
        CHECK(least < most);
    }
  }
  // Seed 9 is one of them: alone it lies within.
  const json nine = json::parse(program.untrained("sweep", "--heads 2,8 --seeds 1 --set /layers/0/weights/seed=9").out);
  CHECK(nine.at("seeds").empty());
  const json &own = nine.at("entries").at(1), &over = all.at("entries").at(1).at("over_seeds");
  CHECK_FALSE(own.contains("over_seeds"));
  CHECK(own.at("mean_js_bits").get<double>() >= over.at("mean_js_bits").at("least").get<double>());
  CHECK(own.at("mean_js_bits").get<double>() <= over.at("mean_js_bits").at("most").get<double>());
  // A document that was edited is the only one of its kind.
  const json one =
      json::parse(program.untrained("sweep", "--heads 2 --set '/layers/0/weights/edits={\"W_O\": [[0, 0, 1]]}'").out);
  CHECK(one.at("seeds").empty());
  CHECK_THAT(program.refusal("sweep --seeds 0"), fault_at("--seeds", "to 1000"));
}

TEST_CASE("sweep command: bad head counts are one sentence", "[app][cli]") {
  const Program program;
  for (const char* list : {"1,,2", ",1", "1,", "1;2"})
    CHECK_THAT(program.refusal("sweep --heads '" + std::string(list) + "'"),
               fault_at("--heads", "is not a whole number"));
  CHECK_THAT(program.refusal("sweep --heads 1,3"), fault_at("--heads", "3 heads do not divide d_model 64"));
  for (const char* count : {"0", "-1", "1000000"}) {
    CAPTURE(count);
    CHECK_THAT(program.refusal(std::string("sweep --heads=") + count),
               fault_at("--heads", "heads is " + std::string(count)));
  }
  CHECK_THAT(program.refusal("sweep --heads two"), fault_at("--heads", "\"two\" is not a whole number"));
  CHECK_THAT(program.refusal("sweep --head 0"), fault_at("--head", "counted from 1"));
  CHECK_THAT(program.refusal("sweep --head 1000"), fault_at("--head", "no head 1000", "64"));
  CHECK_THAT(program.refusal("sweep --heads 1,2 --head 3"), fault_at("--head", "no head 3", "are 2"));
  CHECK_THAT(program.refusal("sweep --heads '1, '"), fault_at("--heads", "is not a whole number"));
  CHECK_THAT(program.refusal("sweep --heads '1 2'"), fault_at("--heads", "\"1 2\" is not a whole number"));
}

TEST_CASE("sweep command: spaces around head counts", "[app][cli]") {
  const Program program;
  const json all = json::parse(program.untrained("sweep", "--heads ' 4 ,1, 2' --head 4").out);
  REQUIRE(all.at("entries").size() == 3);
  CHECK(all.at("entries").at(2).at("heads") == 4);
  CHECK(all.at("entries").at(2).at("ranks").at("head") == 3);
  CHECK(all.at("entries").at(0).at("ranks").at("head") == 0);  // the last where there are fewer
}

TEST_CASE("sweep command: a file without a name is refused by its option", "[app][cli]") {
  const Program program;
  for (const char* command : {"sweep", "trace", "analyze", "render"})
    CHECK_THAT(program.refusal(std::string(command) + " --out ''"), fault_at("--out", "needs a name"));
}
