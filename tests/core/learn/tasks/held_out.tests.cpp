// What a run is evaluated on, against all that it is trained on, drawn here once more and compared word by word.
#include "core/learn/tasks/held_out.h"

#include <catch2/catch.hpp>
#include <set>

#include "core/document/evaluate.h"
#include "core/learn/run.h"
#include "core/learn/start.h"
#include "core/work/parallel.h"

using namespace hydra;
using namespace hydra::learn;

namespace {

using Words = std::vector<std::int32_t>;

Words words_of(const Batch& batch, Index k) { return {batch.words(k).begin(), batch.words(k).end()}; }

std::set<Words> drawn_in_training(const Task& task, const DrawnSteps& steps) {
  std::set<Words> all;
  Batch batch(task.outline().shape, 1);
  for (int step = steps.from; step < steps.to; ++step)
    for (Index k = 0; k < steps.batch; ++k) {
      Random random =
          random_of(steps.seed, Stream::training, static_cast<std::uint64_t>(step), static_cast<std::uint64_t>(k));
      task.draw(random, Stream::training, batch.sequence(0));
      all.insert(words_of(batch, 0));
    }
  return all;
}

Batch as_drawn(const Task& task, std::uint64_t seed, Index count) {
  Batch batch(task.outline().shape, count);
  for (Index k = 0; k < count; ++k) draw(task, seed, Stream::evaluation, 0, k, batch);
  return batch;
}

double share_in(const Batch& batch, const std::set<Words>& all) {
  double count = 0;
  for (Index k = 0; k < batch.count(); ++k) count += all.contains(words_of(batch, k));
  return count / static_cast<double>(batch.count());
}

DrawnSteps steps_of(const Recipe& recipe, std::uint64_t seed) { return {seed, 0, recipe.steps, recipe.batch}; }

}  // namespace

TEST_CASE("held out: answers that a task tells apart are counted by themselves", "[learn]") {
  const std::string key = GENERATE("pronoun", "animal");
  const auto task = learn::make_task(key);
  const learn::TaskInfo& info = task->info();
  const learn::AnswerSplit& split = info.split;
  REQUIRE(info.relations.at(static_cast<std::size_t>(split.relation)) == "deciding word");
  learn::Recipe recipe = info.recipe;
  learn::Run run(task, learn::starting_document(*task, recipe, 1), recipe, 1);
  for (int k = 0; k < 40; ++k) run.take_step(nullptr);
  const double share = run.split_accuracy(nullptr, 64);
  // By the document's own readout.
  const learn::Batch& batch = run.held_out(nullptr).batch;
  int sequences = 0;
  double right = 0, answers = 0;
  for (Index k = 0; k < batch.count() && sequences < 64; ++k) {
    bool any = false;
    Document document = run.document();
    learn::show_sequence(document, info, batch.words(k).first(static_cast<std::size_t>(batch.length(k))));
    const auto trace = evaluate(document);
    const Mat<float>& logits = *trace->model.of_question(trace->model.logits, split.question);
    for (Index i = 0; i < batch.length(k); ++i) {
      const Index target = batch.targets(k)[static_cast<std::size_t>(i * info.shape.questions + split.question)];
      if (batch.gold(k)[static_cast<std::size_t>(i * info.shape.relations + split.relation)] == 0 ||
          target == learn::kNone)
        continue;
      any = true;
      Index best = 0;
      logits.row(i).maxCoeff(&best);
      ++answers, right += best == target;
    }
    sequences += any;
  }
  REQUIRE(answers >= 10);
  CHECK(share == Approx(right / answers).margin(1e-9));
  const auto plain = learn::make_task("grammar");
  learn::Run none(plain, learn::starting_document(*plain, plain->info().recipe, 0), plain->info().recipe, 0);
  CHECK(std::isnan(none.split_accuracy(nullptr, 64)));
}

TEST_CASE("held out: where the task has room no sequence of the evaluation is one of training's", "[learn]") {
  const auto task = make_task("grammar");
  int drawn_again = 0;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const DrawnSteps steps = steps_of(task->info().recipe, seed);
    const std::set<Words> training = drawn_in_training(*task, steps);
    const Batch before = as_drawn(*task, seed, 256);
    const HeldOut held = hold_out(*task, seed, 256, {steps}, nullptr);
    CHECK(held.as_drawn.all == share_in(before, training));
    CHECK(share_in(held.batch, training) == 0);
    CHECK(held.shares.all == 0);
    for (const double share : held.shares.by_question) CHECK(share == 0);
    // All others stay what they were.
    Index changed = 0;
    for (Index k = 0; k < 256; ++k) changed += words_of(before, k) != words_of(held.batch, k);
    CHECK(changed == held.drawn_again);
    drawn_again += static_cast<int>(held.drawn_again);
    ThreadPool pool(3);
    const HeldOut shared = hold_out(*task, seed, 256, {steps}, &pool);
    for (Index k = 0; k < 256; ++k) REQUIRE(words_of(shared.batch, k) == words_of(held.batch, k));
  }
  CHECK(drawn_again > 0);  // else nothing was tried here
}

TEST_CASE("held out: where too few sequences are left they stay as drawn, and it is said how many recur", "[learn]") {
  const std::string key = GENERATE("animal", "pronoun");
  const auto task = make_task(key);
  const DrawnSteps steps = steps_of(task->info().recipe, 0);
  const std::set<Words> training = drawn_in_training(*task, steps);
  const Batch before = as_drawn(*task, 0, 256);
  const HeldOut held = hold_out(*task, 0, 256, {steps}, nullptr);
  for (Index k = 0; k < 256; ++k) {
    REQUIRE(words_of(before, k) == words_of(held.batch, k));
    REQUIRE(held.repeats[static_cast<std::size_t>(k)] == training.contains(words_of(before, k)));
  }
  CHECK(held.drawn_again == 0);
  CHECK(held.shares.all == share_in(before, training));
  CHECK(held.shares.all > HeldOut::kMostReplaced);
  // What the pages of these tasks say of sentences in which an adjective decides.
  CHECK(held.shares.by_relation.back() > (key == "animal" ? 0.999 : 0.85));
  CHECK(held.shares.by_relation.back() < (key == "animal" ? 1.001 : 0.97));
}

TEST_CASE("held out: of tasks in which nothing comes twice the evaluation is what its stream draws", "[learn]") {
  const std::string key = GENERATE("induction", "collapse", "markov");
  const auto task = make_task(key);
  DrawnSteps steps = steps_of(task->outline().recipe, 5);
  steps.to = 200;
  const Batch before = as_drawn(*task, 5, 64);
  const HeldOut held = hold_out(*task, 5, 64, {steps, {6, 10, 20, 8}}, nullptr);
  CHECK(held.as_drawn.all == 0);
  CHECK(held.drawn_again == 0);
  for (Index k = 0; k < 64; ++k) CHECK(words_of(before, k) == words_of(held.batch, k));
}

TEST_CASE("held out: what a model was trained on before counts as well", "[learn]") {
  const auto task = make_task("animal");
  const HeldOut none = hold_out(*task, 3, 256, {}, nullptr), few = hold_out(*task, 3, 256, {{3, 0, 2, 32}}, nullptr),
                other = hold_out(*task, 3, 256, {{3, 0, 2, 32}, {9, 50, 200, 32}}, nullptr);
  CHECK(none.shares.all == 0);
  CHECK(few.as_drawn.all < other.as_drawn.all);
  const auto in_run = [&](std::vector<DrawnSteps> training) {
    Run run(task, starting_document(*task, task->info().recipe, 3), task->info().recipe, 3);
    run.set_training(std::move(training));
    return run.held_out(nullptr).shares.all;
  };
  CHECK(in_run({{3, 0, 2, 32}, {9, 50, 200, 32}}) == other.shares.all);
}
