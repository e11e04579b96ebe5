// Runs as files: written and read to the same fields, trained again to the same bits, refused with one sentence.
#include "core/learn/runs/run_file.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/io/file.h"
#include "core/learn/model.h"
#include "core/learn/runs/run_command.h"
#include "core/learn/runs/train_again.h"
#include "core/learn/start.h"
#include "core/work/parallel.h"
#include "tests/support/faults.h"

using namespace hydra;
using Catch::Contains;
using learn::RunFile;
using nlohmann::json;
using test::fault_at;

namespace {

// A run of three branches: from a seed, with an edited weight and a silent head, with other data.
struct Branched {
  explicit Branched(const std::string& key = "collapse") : task(learn::make_task(key)) {
    learn::Recipe recipe = task->info().recipe;
    recipe.steps = 20;
    recipe.optimizer.rate = 0.01 / 3;  // no decimal of nine digits
    learn::Run root(task, learn::starting_document(*task, recipe, 3), recipe, 3);
    add(root, "seed 3", -1, 0, 20, recipe, 3, {}, {});

    std::vector<double> gates(static_cast<std::size_t>(recipe.layers * recipe.heads), 1);
    gates.front() = 0, gates.back() = 1.0 / 3;
    const Cell cell{{Quantity::W_Q, 0, kNoHead}, 1, 2};
    branch("edited", 0, 7, 15, recipe, 3, gates, {{cell, 0.1f}, {{{Quantity::E, 0, kNoHead}, 0, 3}, -2.5f}});

    learn::Recipe other = recipe;
    other.controls.drop = 0.2;
    other.optimizer.kind = learn::Optimizer::sgd, other.optimizer.momentum = 0.7;
    branch("other data", 1, 9, 14, other, 8, gates, {});
    file.task = key;
    file.branch = 2, file.step = 11;
  }

  void add(learn::Run& run, const std::string& name, int parent, int from, int last, const learn::Recipe& recipe,
           std::uint64_t seed, std::vector<double> gates, std::vector<learn::BranchCause::Edited> edited) {
    states.emplace_back();
    states.back().push_back(run.state());
    while (run.step() < last) run.take_step(nullptr), states.back().push_back(run.state());
    RunFile::Branch& branch = file.branches.emplace_back();
    branch.name = name, branch.parent = parent, branch.from = from, branch.last = last;
    branch.recipe = recipe, branch.seed = seed, branch.gates = std::move(gates), branch.edited = std::move(edited);
    branch.parameters = learn::parameters_hash(run.state().parameters);
  }
  void branch(const std::string& name, int parent, int from, int last, const learn::Recipe& recipe, std::uint64_t seed,
              const std::vector<double>& gates, const std::vector<learn::BranchCause::Edited>& edited) {
    const RunFile::Branch& left = file.branches[static_cast<std::size_t>(parent)];
    learn::RunState state = states[static_cast<std::size_t>(parent)][static_cast<std::size_t>(from - left.from)];
    learn::Run run(task, learn::starting_document(*task, file.branches.front().recipe, 3), recipe, seed);
    for (const auto& [cell, value] : edited) {
      const lanes::ParameterPlace* place = run.compiled().find(cell.site);
      state.parameters[static_cast<std::size_t>(place->at + cell.row * place->cols + cell.col)] = value;
    }
    run.go_to(state);
    run.set_gates(gates);
    add(run, name, parent, from, last, recipe, seed, gates, edited);
  }

  std::shared_ptr<const learn::Task> task;
  RunFile file;
  std::vector<std::vector<learn::RunState>> states;  // of each branch, from its first step on
};

// The text with one of its values another one.
std::string with_value(const std::string& text, const std::string& pointer, const json& value) {
  json whole = json::parse(text);
  whole[json::json_pointer(pointer)] = value;
  return whole.dump();
}
std::string without(const std::string& text, const std::string& object, const std::string& key) {
  json whole = json::parse(text);
  whole[json::json_pointer(object)].erase(key);
  return whole.dump();
}

}  // namespace

TEST_CASE("run file: what is written is read as it was, number by number", "[learn]") {
  const Branched made;
  const std::string text = learn::run_file_text(made.file);
  CHECK(learn::is_run_file(text));
  CHECK(text.size() < 4096);  // of 20 + 8 + 5 steps and their weights
  const RunFile read = learn::parse_run_file(text, "run");
  CHECK(learn::run_file_text(read) == text);
  REQUIRE(read.branches.size() == 3);
  CHECK(read.task == "collapse");
  CHECK((read.branch == 2 && read.step == 11));
  for (std::size_t k = 0; k < 3; ++k) {
    const RunFile::Branch &a = made.file.branches[k], &b = read.branches[k];
    CAPTURE(a.name);
    CHECK(a.recipe == b.recipe);  // doubles to the bit
    CHECK((a.name == b.name && a.parent == b.parent && a.from == b.from && a.last == b.last && a.seed == b.seed));
    CHECK(a.gates == b.gates);
    CHECK(a.edited == b.edited);
    CHECK(a.parameters == b.parameters);
  }
}

TEST_CASE("run file: every field of a recipe is in it", "[learn]") {
  // Each field changed alone must come back changed.
  const Branched made;
  const auto changed = [&](const auto& change) {
    RunFile file = made.file;
    file.branches.resize(1);
    file.branch = 0, file.step = 0;
    change(file.branches.front().recipe);
    CHECK_FALSE(file.branches.front().recipe == made.file.branches.front().recipe);
    CHECK(learn::parse_run_file(learn::run_file_text(file), "run").branches.front().recipe ==
          file.branches.front().recipe);
  };
  changed([](learn::Recipe& r) { r.layers = 3; });
  changed([](learn::Recipe& r) { r.d_model = 48; });
  changed([](learn::Recipe& r) { r.batch = 7; });
  changed([](learn::Recipe& r) { r.positions.kind = learn::PositionRecipe::Kind::sinusoid; });
  changed([](learn::Recipe& r) { r.positions.base = 77; });
  changed([](learn::Recipe& r) { r.positions.scale = 0.3; });
  changed([](learn::Recipe& r) { r.optimizer.kind = learn::Optimizer::adamw; });
  changed([](learn::Recipe& r) { r.optimizer.beta_1 = 0.8; });
  changed([](learn::Recipe& r) { r.optimizer.beta_2 = 0.9991; });
  changed([](learn::Recipe& r) { r.optimizer.epsilon = 1e-7; });
  changed([](learn::Recipe& r) { r.optimizer.decay = 0.01; });
  changed([](learn::Recipe& r) { r.optimizer.decay_query_key_only = true; });
  changed([](learn::Recipe& r) { r.optimizer.schedule = learn::Schedule::constant; });
  changed([](learn::Recipe& r) { r.optimizer.warm_up = 3; });
  changed([](learn::Recipe& r) { r.optimizer.least = 0.5; });
  changed([](learn::Recipe& r) { r.optimizer.clip = 0; });
  changed([](learn::Recipe& r) { r.controls.noise = 0.5; });
  changed([](learn::Recipe& r) { r.controls.repel = 0.5; });
  changed([](learn::Recipe& r) { r.controls.gates = 0.5; });
  changed([](learn::Recipe& r) { r.controls.identical = true; });
  changed([](learn::Recipe& r) { r.controls.apart = 0.5; });
  changed([](learn::Recipe& r) { r.question_weights = {1.0 / 3, 2}; });
  changed([](learn::Recipe& r) { r.by_question = !r.by_question; });
}

TEST_CASE("run file: each branch is trained again to the same bits, at any number of threads", "[learn]") {
  const Branched made(GENERATE("collapse", "induction"));
  const RunFile file = learn::parse_run_file(learn::run_file_text(made.file), "run");
  ThreadPool pool(3);
  for (int k = 0; k < 3; ++k) {
    CAPTURE(k);
    std::vector<int> steps;
    const auto run = learn::train_again(file, k, made.task, k == 1 ? &pool : nullptr,
                                        [&](learn::Run& at) { steps.push_back(at.step()); });
    const auto& own = made.states[static_cast<std::size_t>(k)];
    CHECK(run->state().parameters == own.back().parameters);
    CHECK(learn::parameters_hash(run->state().parameters) == file.branches[static_cast<std::size_t>(k)].parameters);
    CHECK(steps.size() == own.size());
    CHECK(steps.front() == file.branches[static_cast<std::size_t>(k)].from);
    // Its gates are those of the document that is saved.
    const std::vector<double> gates = learn::gates_of(run->document());
    const std::vector<double>& wanted = made.file.branches[static_cast<std::size_t>(k)].gates;
    REQUIRE(gates.size() == wanted.size());
    for (std::size_t h = 0; h < gates.size(); ++h) CHECK(gates[h] == Approx(wanted[h]));
  }
}

TEST_CASE("run file: one that began with a document holds it", "[learn]") {
  const auto task = learn::make_task("collapse");
  const learn::Recipe recipe = task->info().recipe;
  Document document = learn::starting_document(*task, recipe, 1);
  document.layers.front().mask.kind = Mask::Kind::causal;
  learn::Run run(task, document, recipe, 5);
  for (int k = 0; k < 6; ++k) run.take_step(nullptr);
  RunFile file;
  file.task = "collapse";
  file.document = std::make_shared<const Document>(document);
  RunFile::Branch& branch = file.branches.emplace_back();
  branch.name = "from the document", branch.last = 6, branch.recipe = recipe, branch.seed = 5;
  branch.from_document = true;
  const RunFile read = learn::parse_run_file(learn::run_file_text(file), "run");
  CHECK(learn::train_again(read, 0, task, nullptr)->state().parameters == run.state().parameters);
  CHECK(learn::command_of(read, 0, task->info()).empty());
}

TEST_CASE("run file: the differences of parameters are what is edited, and are put back", "[learn]") {
  const Branched made("induction");
  const learn::Run run(made.task, learn::starting_document(*made.task, made.file.branches.front().recipe, 3),
                       made.file.branches.front().recipe, 3);
  const std::vector<float> before = made.states[0][4].parameters;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    std::vector<float> after = before;
    const auto& places = run.compiled().parameters();
    for (int k = 0; k < 5; ++k) {
      const lanes::ParameterPlace& place = places[random.bits() % places.size()];
      const auto at = random.bits() % static_cast<std::uint64_t>(place.count());
      after[static_cast<std::size_t>(place.at) + at] = static_cast<float>(random.normal());
    }
    const auto edits = learn::edits_between(run.compiled(), before, after);
    CHECK(edits.size() <= 5);
    std::vector<float> put = before;
    learn::apply_edits(run.compiled(), edits, put);
    CHECK(put == after);
  }
}

TEST_CASE("run file: what is no run, or cannot be one, is refused by place and remedy", "[learn]") {
  const Branched made;
  const std::string text = learn::run_file_text(made.file);
  const auto refused = [](const std::string& file, const std::string& place, const std::string& word) {
    CAPTURE(file.substr(0, 200));
    CHECK_THROWS_WITH(learn::parse_run_file(file, "x.run.json"), fault_at("x.run.json: " + place, word));
  };
  refused("{", "line 1, column 2", "last { is not closed");
  refused("[]", "the run", "object");
  refused(without(text, "", "branches"), "/branches", "missing; give a file that Learn has saved");
  refused(without(text, "/branches/1", "from"), "/branches/1/from", "missing");
  refused(without(text, "/branches/0", "recipe"), "/branches/0/recipe", "missing");
  refused(without(text, "/branches/0", "seed"), "/branches/0/seed", "missing");
  refused(with_value(text, "/hydrascope_run", 2), "/hydrascope_run", "a newer program");
  refused(R"({"hydrascope": 1})", "the run", "is a document");
  refused(with_value(text, "/branches", json::array()), "/branches", "a branch");
  refused(with_value(text, "/branches/0/parent", 0), "/branches/0/parent", "the first branch has none");
  refused(with_value(text, "/branches/1/parent", 1), "/branches/1/parent", "from 0 to 0");
  refused(with_value(text, "/branches/1/from", 21), "/branches/1/from", "from 0 to 20");
  refused(with_value(text, "/branches/2/from", 6), "/branches/2/from", "from 7 to 15");
  refused(with_value(text, "/branches/1/last", 3), "/branches/1/last", "from 7 to 1000000");
  refused(with_value(text, "/branches/1/name", ""), "/branches/1/name", "1 to 200 bytes");
  refused(with_value(text, "/branches/1/name", "two\nlines"), "/branches/1/name", "in one line");
  refused(with_value(text, "/branches/1/gates/0", 1e300), "/branches/1/gates", "from 0 to 2");
  refused(with_value(text, "/branches/1/gates", {1, 2}), "/branches/1/gates", "8 numbers, one for each head");
  refused(with_value(text, "/branches/1/edited/layers.0.W_Z", json::array()), "/branches/1/edited/layers.0.W_Z",
          "a layer's matrix");
  refused(with_value(text, "/branches/1/edited/E", {{1, 2}}), "/branches/1/edited/E/0",
          "2 [row, column, value]s where 3");
  refused(with_value(text, "/branches/0/recipe/rate", 1e9), "/branches/0/recipe", "the learning rate is 1e+09");
  refused(with_value(text, "/branches/0/recipe/beta_2", 1), "/branches/0/recipe", "beta-2 is 1");
  refused(with_value(text, "/branches/0/recipe/optimizer", "sdg"), "/branches/0/recipe/optimizer",
          "\"adam\" or \"adamw\"");
  refused(with_value(text, "/branches/0/recipe/hads", 3), "/branches/0/recipe/hads", "not known");
  refused(with_value(text, "/branches/1/recipe/heads", 4), "/branches/1/recipe", "the parent's sizes");
  refused(with_value(with_value(text, "/branches/0/recipe/layers", 12), "/branches/0/recipe/d_model", 1024),
          "/branches/0/recipe", "50331648 weights");
  refused(with_value(text, "/branches/0/start", "document"), "/branches/0/start", "/document");
  refused(with_value(text, "/branches/1/parameters", "xyz"), "/branches/1/parameters", "16 digits, 0 to f");
  refused(with_value(text, "/shown/branch", 3), "/shown/branch", "from 0 to 2");
  refused(with_value(text, "/task", "inductoin"), "/task", "“inductoin”");
  refused(with_value(text, "/task", "two\nlines"), "/task", "“two\\nlines”");
  refused(with_value(text, "/branches/1/edited/W_Z\n", json::array()), "/branches/1/edited/W_Z\\n",
          "a matrix of the model");
  refused(with_value(text, "/text", "words"), "/text", "the task \"text\"");
  refused(with_value(with_value(text, "/task", "text"), "/text", "few words"), "/task", "2 words");
  // What a recipe leaves out is the task's own.
  const RunFile short_one = learn::parse_run_file(
      R"({"hydrascope_run": 1, "task": "collapse", "branches": [{"name": "a", "last": 5, "seed": 0, "recipe": {"heads": 4}}]})",
      "x");
  learn::Recipe recipe = made.task->info().recipe;
  recipe.heads = 4;
  CHECK(short_one.branches.front().recipe == recipe);
  // A number that the model does not have is found when the branch begins.
  const RunFile beyond =
      learn::parse_run_file(with_value(text, "/branches/1/edited/layers.0.W_Q", json::parse("[[9999, 0, 1]]")), "x");
  CHECK_THROWS_WITH(learn::train_again(beyond, 1, made.task, nullptr),
                    fault_at("layers.0.W_Q[9999,0]", "the run's model has no"));
}

TEST_CASE("run file: a branch that a seed began is a command with what is not the task's own", "[learn]") {
  const Branched made;
  RunFile file = made.file;
  learn::Recipe& recipe = file.branches.front().recipe;
  recipe = made.task->info().recipe;
  recipe.steps = file.branches.front().last = 40;
  CHECK(learn::command_of(file, 0, made.task->info()) ==
        "hydrascope train --task collapse --seed 3 --steps 40 --save collapse.json --out collapse.result.json");
  recipe.optimizer.kind = learn::Optimizer::sgd;
  recipe.optimizer.warm_up = 5, recipe.controls.identical = true;
  CHECK(learn::command_of(file, 0, made.task->info()) ==
        "hydrascope train --task collapse --seed 3 --steps 40 --optimizer sgd --warm-up 5 --identical --save "
        "collapse.json --out collapse.result.json");
  CHECK(learn::command_of(file, 1, made.task->info()).empty());  // it has a parent
  file.branches.front().last = 39;
  CHECK(learn::command_of(file, 0, made.task->info()).empty());
}
