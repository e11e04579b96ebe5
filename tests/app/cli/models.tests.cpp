// Models of others on the command line, as a process.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/data.h"
#include "tests/support/program.h"

using Catch::Contains;
using hydra::test::Program;
using nlohmann::json;

namespace {

std::string model(const std::string& name) { return "'" + hydra::test::data("checkpoints/" + name) + "'"; }

}  // namespace

TEST_CASE("models command: info says what a model is", "[app][cli]") {
  const Program program;
  const auto result = program.run("info " + model("qwen3"));
  REQUIRE(result.code == 0);
  const json info = json::parse(result.out);
  CHECK(info.at("family") == "Llama");
  CHECK(info.at("layers") == 2);
  CHECK(info.at("heads") == 4);
  CHECK(info.at("kv_heads") == 2);
  CHECK(info.at("d_k") == 6);
  CHECK(info.at("words") == 11);
  CHECK(info.at("readout") == "tied");
  CHECK(info.at("not_known").empty());
  CHECK(info.at("sha256").get<std::string>().size() == 64);
  const json settings = info.at("settings");
  CHECK(std::ranges::count(settings, json("qk_norm")) == 1);
  CHECK(info.at("memory_bytes") > 4 * 2 * 12 * 12);
  CHECK(info.at("around") == json({"final_norm", "final_norm kind rms"}));
  const json arrays = json::parse(program.run("info --arrays " + model("qwen3")).out);
  CHECK(arrays.at("model.embed_tokens.weight").get<std::string>().ends_with(" 11 x 12"));
  CHECK_THAT(program.refusal("info '" + program.file_with("x.json", "{}") + "'"), Contains("no file of arrays"));
}

TEST_CASE("models command: trace, analyze and render take a model, with a text or with ids", "[app][cli]") {
  const Program program;
  const auto trace = program.run("trace " + model("gpt2") + " --token-ids 9,0,3");
  REQUIRE(trace.code == 0);
  CHECK(json::parse(trace.out).at("tokens") == json({"9", "0", "3"}));
  const auto text = program.run("trace " + model("gpt2") + " --text '1 2'");
  REQUIRE(text.code == 0);
  CHECK(json::parse(text.out).at("tokens") == json({"1", "2"}));
  const auto roles = program.run("analyze " + model("llama") + " --token-ids 1,2,3,4 --layer all");
  REQUIRE(roles.code == 0);
  CHECK(json::parse(roles.out).at("layers").size() == 2);
  const auto set = program.run("trace " + model("llama") + " --token-ids 1,2 --set /layers/0/temperature=2");
  CHECK(set.code == 0);
  CHECK(set.out != program.run("trace " + model("llama") + " --token-ids 1,2").out);
  CHECK_THAT(program.refusal("trace " + model("gpt2") + " --token-ids 11"),
             Contains("there is no token 11; the model has 0 to 10"));
  CHECK_THAT(program.refusal("trace " + model("gpt2") + " --token-ids 1,x"), Contains("\"x\" is not a whole number"));
  CHECK(program.run("trace " + model("gpt2") + " --token-ids 1 --text 2").code == 2);
}
