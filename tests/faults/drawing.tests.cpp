// Training allocates nothing: neither drawing sequences nor a step.
#include <catch2/catch.hpp>

#include "core/learn/run.h"
#include "core/learn/start.h"
#include "core/learn/task.h"
#include "tests/faults/faults.h"

using namespace hydra;
using namespace hydra::learn;

TEST_CASE("faults: drawing a sequence of any task allocates nothing", "[faults]") {
  std::string text;
  for (int k = 0; k < 300; ++k) text += "the cat and w" + std::to_string(k % 40) + " sat . ";
  std::vector<std::shared_ptr<const Task>> tasks = {make_text_task(text, Unit::word),
                                                    make_text_task(text, Unit::character)};
  for (const std::string_view key : task_keys()) tasks.push_back(make_task(key));
  for (const auto& task : tasks) {
    INFO(task->info().title);
    Batch batch(task->info().shape, 8);
    long calls = -1;
    {
      const faults::Fault none(faults::Kind::allocation, -1, faults::Threads::own);
      for (std::uint64_t step = 0; step < 200; ++step)
        for (Index k = 0; k < batch.count(); ++k) draw(*task, 1, Stream::training, step, k, batch);
      calls = none.calls();
    }
    CHECK(calls == 0);
  }
  // The count is one that counts.
  const faults::Fault none(faults::Kind::allocation, -1, faults::Threads::own);
  const Batch made(tasks.front()->info().shape, 8);
  const long calls = none.calls();
  CHECK(calls > 0);
}

TEST_CASE("faults: a step of training allocates nothing", "[faults]") {
  for (const std::string_view key : {"induction", "students", "grammar"}) {
    INFO(key);
    const auto task = make_task(key);
    Recipe recipe = task->info().recipe;
    recipe.controls.drop = 0.1, recipe.controls.gates = 0.01, recipe.controls.repel = 0.1;
    Run run(task, starting_document(*task, recipe, 0), recipe, 0);
    ThreadPool pool(2);
    run.take_step(&pool);  // makes room for what it shows
    const faults::Fault none(faults::Kind::allocation, -1, faults::Threads::all);
    for (int k = 0; k < 5; ++k) run.take_step(&pool);
    CHECK(none.calls() == 0);
  }
}
