// What is followed over a run's steps, against the patterns of the document that the step is.
#include "core/learn/runs/follow.h"

#include <catch2/catch.hpp>

#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/learn/start.h"
#include "tests/support/faults.h"

using namespace hydra;
using Catch::Contains;
using learn::Followed;
using learn::Follower;
using test::fault_at;

namespace {

struct Steps {
  explicit Steps(const std::string& key, std::uint64_t seed = 0)
      : task(learn::make_task(key)),
        recipe(task->info().recipe),
        document(learn::starting_document(*task, recipe, seed)),
        run(task, document, recipe, seed) {
    for (int k = 0; k < 12; ++k) run.take_step(nullptr);
  }
  std::shared_ptr<const learn::Task> task;
  learn::Recipe recipe;
  Document document;
  learn::Run run;
};

}  // namespace

TEST_CASE("follow: a cell is the number that the document's pattern has there, in every head", "[learn]") {
  const std::string key = GENERATE("induction", "students", "grammar", "animal");
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Steps steps(key, seed);
    const Document document = steps.run.document();
    const auto trace = evaluate(document);
    Followed followed{Followed::What::cell, 0, *document.tokens, 0, 0};
    Random random(seed);
    for (int k = 0; k < 8; ++k) {
      const auto words = static_cast<std::uint64_t>(document.tokens->size());
      followed.row = static_cast<Index>(random.bits() % words),
      followed.col = static_cast<Index>(random.bits() % words);
      Follower follower(*steps.task, steps.document, steps.recipe, seed, followed);
      const std::vector<double> masses = follower.measure(steps.run.state().parameters, {}, nullptr);
      REQUIRE(std::ssize(masses) == steps.recipe.layers * steps.recipe.heads);
      std::size_t at = 0;
      for (const auto& layer : trace->layers)
        for (const auto& head : layer.heads)
          CHECK(masses[at++] ==
                Approx(static_cast<double>((*head.attention)(followed.row, followed.col))).margin(2e-5));
    }
  }
}

TEST_CASE("follow: an offset is the mean over all queries that have such a place", "[learn]") {
  const std::string key = GENERATE("induction", "students", "markov");
  Steps steps(key);
  const learn::TaskInfo& info = steps.task->info();
  for (const int offset : {-1, 0, -5}) {
    Follower follower(*steps.task, steps.document, steps.recipe, 0, {Followed::What::offset, offset, {}, 0, 0});
    const std::vector<double> masses = follower.measure(steps.run.state().parameters, {}, nullptr);
    std::vector<double> sums(masses.size());
    double queries = 0;
    learn::Batch batch(info.shape, Follower::kSequences);
    for (Index k = 0; k < Follower::kSequences; ++k) {
      learn::draw(*steps.task, 0, learn::Stream::evaluation, 0, k, batch);
      Document document = steps.run.document();
      learn::show_sequence(document, info,
                           batch.words(k).first(static_cast<std::size_t>(batch.length(k) * info.shape.slots)));
      const auto trace = evaluate(document);
      for (Index query = std::max(0, -offset); query < batch.length(k); ++query) {
        ++queries;
        std::size_t at = 0;
        for (const auto& layer : trace->layers)
          for (const auto& head : layer.heads)
            sums[at++] += static_cast<double>((*head.attention)(query, query + offset));
      }
    }
    for (std::size_t k = 0; k < sums.size(); ++k) CHECK(masses[k] == Approx(sums[k] / queries).margin(2e-5));
  }
}

TEST_CASE("follow: a sentence that the model does not read is refused", "[learn]") {
  const Steps steps("collapse");
  const auto follow = [&](std::vector<std::string> tokens) {
    return Follower(*steps.task, steps.document, steps.recipe, 0, {Followed::What::cell, 0, std::move(tokens), 0, 0});
  };
  CHECK_THROWS_WITH(follow({"zzz"}), fault_at("“zzz”", "no word of the task"));
  CHECK_THROWS_WITH(follow(std::vector<std::string>(65, steps.document.tokens->front())),
                    fault_at("the sentence", "65 words", "12 at most"));
}
