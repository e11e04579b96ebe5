// `hydrascope train`: what it writes, what it saves, what it refuses.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/document/evaluate.h"
#include "core/io/file.h"
#include "tests/support/faults.h"
#include "tests/support/folder.h"
#include "tests/support/program.h"

using namespace hydra;
using Catch::Contains;
using nlohmann::json;
using test::fault_at;
using test::Program;

TEST_CASE("train command: a curve with all that the task asks, and the same again", "[app][cli]") {
  const Program program;
  const std::string command = "train --task induction --steps 8 --every 4 --seed 3";
  const json run = json::parse(program.run(command).out);
  CHECK(run.at("task") == "induction");
  CHECK(run.at("seed") == 3);
  CHECK(run.at("settings").at("heads") == 2);
  REQUIRE(run.at("curve").size() == 3);
  CHECK(run.at("curve")[1].at("step") == 4);
  for (const char* key : {"loss", "accuracy", "questions", "likeness", "roles"}) CHECK(run.at("final").contains(key));
  CHECK(run.at("final").at("roles").at("previous token").size() == 2);
  CHECK(run.at("final").at("loss") == run.at("curve")[2].at("loss"));
  CHECK(program.run(command).out == program.run(command).out);
  const json two = json::parse(program.run(command + " --seeds 2 --heads 4").out);
  REQUIRE(two.at("runs").size() == 2);
  CHECK(two.at("runs")[1].at("seed") == 4);
  CHECK(two.at("runs")[1].at("settings").at("heads") == 4);
}

TEST_CASE("train command: what it saves opens, to the same bits", "[app][cli]") {
  const Folder folder;
  const Program program;
  for (const std::string task : {"induction", "students", "grammar"}) {
    const std::string file = folder.file(task + ".json");
    REQUIRE(program.run("train --task " + task + " --steps 3 --save '" + file + "'").code == 0);
    const Document document = read_document(file, {});
    CHECK(same_document(parse_document(document_text(document), "again"), document));
    const auto trace = evaluate(document);
    CHECK(trace->model.probabilities);
    CHECK(trace->model.probabilities->allFinite());
  }
}

TEST_CASE("train command: what is wrong is said in one sentence", "[app][cli]") {
  const Program program;
  const auto refused = [&](const std::string& options, const std::string& place, const std::string& word) {
    CHECK_THAT(program.refusal("train " + options), fault_at(place, word));
  };
  refused("--task nothing", "task “nothing”", "induction");
  refused("--task text", "--task text", "--text FILE");
  refused("--text x --task induction", "--text", "--task text");
  refused("--heads 5", "5 heads", "do not divide d_model 48");
  refused("--drophead 2", "drophead", "from 0 to 0.95");
  refused("--steps 0", "steps", "from 1 to");
  refused("--optimizer magic", "--optimizer", "adamw");
  refused("--seeds 0", "--seeds", "from 1 to 1000");
  refused("--every 0", "--every", "1 step");
}

TEST_CASE("train command: runs of several processes are joined", "[app][cli]") {
  const Folder folder;
  const Program program;
  std::string files;
  for (const std::string seed : {"0", "1"}) {
    const std::string file = folder.file(seed + ".json");
    REQUIRE(program.run("train --task collapse --steps 2 --seed " + seed + " --out '" + file + "'").code == 0);
    files += " '" + file + "'";
  }
  const json joined = json::parse(program.run("train merge" + files).out);
  CHECK(joined.at("runs").size() == 2);
  CHECK(joined.at("summary").at(0).at("runs") == 2);
  CHECK(program.run("train merge '" + folder.file("none") + "'").code == 2);
}

TEST_CASE("gradients command: by every weight, under the names of the document", "[app][cli]") {
  const Folder folder;
  const Program program;
  const std::string file = folder.file("d.json"), target = folder.file("t.json");
  std::ofstream(file)
      << R"({"hydrascope": 1, "sentence": "a b", "d_model": 2, "layers": [{"heads": 1}, {"heads": 2}]})";
  std::ofstream(target) << "[[0, 1], [2, 3]]";
  const json made = json::parse(program.run("gradients '" + file + "' --loss mse --target '" + target + "'").out);
  REQUIRE(made.at("layers").size() == 2);
  for (const char* name : {"W_Q", "W_K", "W_V", "W_O"}) CHECK(made.at("layers")[1].at(name).size() == 2);
  std::ofstream(target) << "[[0, 1]]";
  const auto refused = program.run("gradients '" + file + "' --target '" + target + "'");
  CHECK(refused.code == 2);
  CHECK_THAT(refused.error, Contains("t.json: the target must be 2 rows of 2 numbers"));
}
