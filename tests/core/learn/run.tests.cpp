// Runs: the same seed gives the same bits at any number of threads; what is left and taken up again goes on as before;
// what was learned is the document's.
#include "core/learn/run.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/io/file.h"
#include "core/learn/model.h"
#include "core/learn/start.h"
#include "core/text/vocabulary.h"
#include "tests/support/faults.h"

using namespace hydra;
using learn::Run;
using test::fault_at;

namespace {

Run run_of(const std::string& key, std::uint64_t seed = 0, learn::HeadControls controls = {}) {
  const auto task = learn::make_task(key);
  learn::Recipe recipe = task->info().recipe;
  if (controls != learn::HeadControls()) recipe.controls = controls;
  return Run(task, learn::starting_document(*task, recipe, seed), recipe, seed);
}

void steps(Run& run, int count, ThreadPool* pool = nullptr) {
  for (int k = 0; k < count; ++k) run.take_step(pool);
}

}  // namespace

TEST_CASE("run: the same seed gives the same bits, at any number of threads", "[learn]") {
  const std::string key = GENERATE("induction", "students", "grammar");
  learn::HeadControls all;
  all.drop = 0.3, all.noise = 0.1, all.repel = 0.1, all.gates = 0.01;
  const auto controls = GENERATE_COPY(learn::HeadControls(), all);
  Run alone = run_of(key, 5, controls);
  steps(alone, 6);
  for (const int threads : {2, 3, 5}) {
    ThreadPool pool(threads);
    Run run = run_of(key, 5, controls);
    steps(run, 6, &pool);
    CHECK(run.state().parameters == alone.state().parameters);
    CHECK(run.evaluate(&pool).loss == alone.evaluate(nullptr).loss);
  }
  Run other = run_of(key, 6, controls);
  steps(other, 6);
  CHECK(other.state().parameters != alone.state().parameters);
}

TEST_CASE("run: taken up where it was left, it goes on to the same bits", "[learn]") {
  Run whole = run_of("collapse"), first = run_of("collapse");
  steps(whole, 9);
  steps(first, 4);
  const learn::RunState left = first.state();
  steps(first, 2);  // what is done after it changes nothing
  Run second = run_of("collapse");
  second.go_to(left);
  CHECK(second.step() == 4);
  steps(second, 5);
  CHECK(second.state().parameters == whole.state().parameters);
  first.go_to(left);
  steps(first, 5);
  CHECK(first.state().parameters == whole.state().parameters);
}

TEST_CASE("run: what was learned is the document's: evaluated as any other, it gives what the run has", "[learn]") {
  Run run = run_of("induction", 2);
  steps(run, 3);
  const Document document = run.document();
  check_document(document);
  CHECK(same_document(parse_document(document_text(document), "f"), document));
  const auto trace = evaluate(document);
  // The loss of its sentence by the trace's probabilities, and that of a run that has only this sequence to look at.
  learn::Batch batch(run.task().info().shape, 1);
  learn::draw(run.task(), run.seed(), learn::Stream::evaluation, 0, 0, batch);
  double loss = 0;
  int answers = 0;
  for (Index i = 0; i < batch.length(0); ++i) {
    const std::int32_t target = batch.targets(0)[static_cast<std::size_t>(i)];
    if (target == learn::kNone) continue;
    loss -= std::log(static_cast<double>((*trace->model.probabilities)(i, target)));
    ++answers;
  }
  lanes::Executor<float> executor(run.compiled(), 1, lanes::chosen());
  std::ranges::copy(run.state().parameters, executor.parameters().begin());
  executor.load(0, {batch.words(0), batch.targets(0), batch.gold(0), batch.length(0), 0});
  lanes::Executor<float>::Request request;
  request.sequences = 1;
  executor.run(request, nullptr);
  CHECK(executor.loss() == Approx(loss / answers).epsilon(1e-4));
}

TEST_CASE("run: heads that begin alike stay alike, and dropping them sets them apart", "[learn]") {
  learn::HeadControls controls;
  controls.identical = true;
  Run alike = run_of("collapse", 0, controls);
  controls.drop = 0.3;
  Run dropped = run_of("collapse", 0, controls);
  steps(alike, 60);
  steps(dropped, 60);
  CHECK(alike.evaluate(nullptr).alike[0] == Approx(1).epsilon(1e-4));
  CHECK(dropped.evaluate(nullptr).alike[0] < 0.99);
}

TEST_CASE("run: a step that is no number is not taken", "[learn]") {
  const auto task = learn::make_task("collapse");
  learn::Recipe recipe = task->info().recipe;
  recipe.optimizer.kind = learn::Optimizer::sgd;
  recipe.optimizer.rate = 10, recipe.optimizer.clip = 0, recipe.optimizer.warm_up = 0;
  Run run(task, learn::starting_document(*task, recipe, 0), recipe, 0);
  int taken = 0;
  while (taken < 2000 && run.take_step(nullptr).is_finite()) ++taken;
  REQUIRE(taken < 2000);
  CHECK(run.step() == taken);
  for (const float value : run.state().parameters) REQUIRE(std::isfinite(value));
}

TEST_CASE("run: a head whose gate is shut gives nothing, and the importance of what gives nothing to the loss is 0",
          "[learn]") {
  Run run = run_of("collapse", 3);
  steps(run, 100);
  const learn::Scores open = run.evaluate(nullptr, true);
  REQUIRE(open.importance.size() == 8);
  for (const double importance : open.importance) CHECK(importance > 0);
  std::vector<double> gates(8, 0);
  run.set_gates(gates);
  const learn::Scores shut = run.evaluate(nullptr);
  CHECK(shut.accuracy < 0.3);
  CHECK(open.accuracy > shut.accuracy + 0.2);
}

TEST_CASE("run: a bias that a document leaves out is zeros of its plan, one that the plan lacks is told", "[learn]") {
  const auto task = learn::make_task("collapse");
  const learn::Recipe recipe = task->info().recipe;
  Document document = learn::starting_document(*task, recipe, 1);
  const learn::Run run(task, document, recipe, 1);
  const lanes::ParameterPlace* place = run.compiled().find({Quantity::b_U, 0});
  REQUIRE(place);
  document.weights.b_U = nullptr;
  const std::vector<float> own = learn::parameters_of(document, run.compiled());
  CHECK(std::all_of(own.begin() + place->at, own.begin() + place->at + place->count(), [](float b) { return b == 0; }));
  CHECK(learn::has_all(run.compiled(), document));
  document.layers[0].weights.b_Q = share(Mat<float>(Mat<float>::Ones(1, document.d_model)));
  CHECK_FALSE(learn::has_all(run.compiled(), document));
}

TEST_CASE("run: of answers that are as likely the first is given, so a readout of zeros is right by chance alone",
          "[learn]") {
  const auto task = learn::make_task("markov");
  const learn::Recipe recipe = task->info().recipe;
  REQUIRE(task->info().readout_scale == 0);
  Run run(task, learn::starting_document(*task, recipe, 4), recipe, 4);
  const learn::Scores scores = run.evaluate(nullptr);
  CHECK(scores.loss == Approx(std::log(3.0)));
  CHECK(scores.accuracy == Approx(1.0 / 3).margin(0.03));
}

TEST_CASE("run: what cannot be trained is refused in one sentence", "[learn]") {
  const auto task = learn::make_task("collapse");
  const learn::Recipe recipe = task->info().recipe;
  Document document = learn::starting_document(*task, recipe, 0);
  const auto refused = [&](const Document& changed, const std::string& place, const std::string& word) {
    CHECK_THROWS_WITH(Run(task, changed, recipe, 0), fault_at(place, word));
  };
  Document hashed = document;
  hashed.embedding.kind = Embedding::Kind::hashed;
  refused(hashed, "the words", "no rows of a table");
  Document mute = document;
  mute.settings.readout = ReadoutKind::none;
  refused(mute, "the model", "no readout");
  Document sliced = document;
  sliced.layers.front().split = Split::slice;
  refused(sliced, "the heads of layer 1", "slices");
  learn::Recipe wrong = recipe;
  wrong.heads = 5;
  CHECK_THROWS_AS(learn::check_recipe(wrong), InputError);
  wrong = recipe, wrong.controls.drop = 1;
  CHECK_THROWS_AS(learn::check_recipe(wrong), InputError);
}

TEST_CASE("run: what is measured on the way changes no bit of what is learned", "[learn]") {
  Run plain = run_of("grammar", 1), measured = run_of("grammar", 1);
  for (int k = 0; k < 4; ++k) {
    plain.take_step(nullptr);
    CHECK_FALSE(measured.take_step(nullptr, true).alike.empty());
  }
  CHECK(plain.state().parameters == measured.state().parameters);
  CHECK(plain.take_step(nullptr).alike.empty());
}

TEST_CASE("run: a silenced head gives nothing, gets no gradient, and stays as it was", "[learn]") {
  const auto task = learn::make_task("students");
  const learn::Recipe recipe = task->info().recipe;
  Document document = learn::starting_document(*task, recipe, 4);
  document.layers[0].gates = {1, 0, 1, 1};
  Run run(task, document, recipe, 4);
  CHECK(run.gates() == std::vector<double>{1, 0, 1, 1});
  steps(run, 4);
  const Document after = run.document();
  CHECK(after.layers[0].gates == document.layers[0].gates);
  const Index d_k = recipe.d_model / recipe.heads;
  const auto part = [&](const Document& of, Index head) -> Mat<float> {
    return of.layers[0].weights.W_V->middleCols(head * d_k, d_k);
  };
  CHECK(part(after, 1) == part(document, 1));
  CHECK(part(after, 0) != part(document, 0));
}

TEST_CASE("run: heads that are not needed go dark one by one, and what was learned stays", "[learn]") {
  learn::HeadControls controls;
  controls.gates = 0.1;
  for (const std::uint64_t seed : {0, 1, 2}) {
    Run run = run_of("collapse", seed, controls);
    std::vector<int> closed(8, -1);  // the first step after which each was closed to the end
    for (int step = 1; step <= run.recipe().steps; ++step) {
      steps(run, 1);
      const Document document = run.document();
      for (std::size_t h = 0; h < closed.size(); ++h)
        closed[h] = document.layers[0].gates[h] > 0 ? -1 : closed[h] < 0 ? step : closed[h];
    }
    std::vector<int> when;
    std::ranges::copy_if(closed, std::back_inserter(when), [](int step) { return step > 0; });
    std::ranges::sort(when);
    REQUIRE(when.size() >= 3);
    CHECK(when.size() <= 6);             // two questions
    CHECK(when.front() > 60);            // when there is something to tell heads by
    CHECK(when.back() > when[0] + 100);  // not all at once
    const learn::Scores scores = run.evaluate(nullptr);
    CHECK(scores.accuracy > 0.99);
    CHECK(std::ranges::count(scores.gates, 0.0) == std::ssize(when));
  }
}

TEST_CASE("run: L0 gates are gates of the document", "[learn]") {
  learn::HeadControls controls;
  controls.gates = 0.01;
  Run run = run_of("collapse", 2, controls);
  steps(run, 2);
  const Document document = run.document();
  REQUIRE(document.layers[0].gates.size() == 8);
  for (const float gate : document.layers[0].gates) {
    CHECK(gate > 0.9f);
    CHECK(gate < 1);
  }
}
