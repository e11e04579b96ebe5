// What heads are worth, and heads cut away one after the other.
#include "core/learn/opened/pruning.h"

#include <catch2/catch.hpp>
#include <set>

#include "core/learn/start.h"
#include "tests/support/sanitized.h"

using namespace hydra;
using learn::Run;

namespace {

// The collapse task's model after so many steps.
struct Trained {
  Trained(int steps, ThreadPool* pool, std::uint64_t seed = 0)
      : run(task, learn::starting_document(*task, task->info().recipe, seed), task->info().recipe, seed) {
    for (int k = 0; k < steps; ++k) run.take_step(pool);
  }
  std::shared_ptr<const learn::Task> task = learn::make_task("collapse");
  Run run;
};

}  // namespace

TEST_CASE("pruning: ablation is the loss without the head, importance |dL/dgate|", "[learn]") {
  ThreadPool pool(2);
  Trained model(60, &pool);
  Run& run = model.run;
  const learn::HeadWorth worth = head_worth(run, &pool);
  REQUIRE(worth.heads.size() == 8);
  CHECK(run.gates().empty());  // as they were
  const double all = run.evaluate(&pool).loss;
  CHECK(worth.loss == all);
  std::vector<double> gates(8, 1);
  gates[3] = 0;
  run.set_gates(gates);
  CHECK(worth.ablation[3] == Approx(run.evaluate(&pool).loss - all));
  // |dL/dgate| is at least the slope of the mean loss: the mean of absolute values is no less than that of the mean.
  const double h = 1e-3;
  for (int head = 0; head < 8; ++head) {
    gates.assign(8, 1);
    gates[static_cast<std::size_t>(head)] = 1 + h;
    run.set_gates(gates);
    const double above = run.evaluate(&pool).loss;
    gates[static_cast<std::size_t>(head)] = 1 - h;
    run.set_gates(gates);
    const double slope = (above - run.evaluate(&pool).loss) / (2 * h);
    CHECK(worth.importance[static_cast<std::size_t>(head)] >= std::abs(slope) - 1e-3);
  }
}

TEST_CASE("pruning: both orders have each head once, and end with none", "[learn]") {
  ThreadPool pool(2);
  Trained model(80, &pool);
  Run& run = model.run;
  const learn::HeadWorth worth = head_worth(run, &pool);
  std::atomic<int> done = 0;
  const learn::Pruning greedy = prune_greedily(run, worth, &pool, {{}, &done});
  CHECK(done == learn::evaluations_of_greedy_pruning(8));
  const learn::Pruning important = prune_by_importance(run, worth, &pool);
  for (const learn::Pruning* pruning : {&greedy, &important}) {
    CHECK(std::set<int>(pruning->order.begin(), pruning->order.end()).size() == 8);
    REQUIRE(pruning->loss.size() == 9);
    CHECK(pruning->loss.front() == worth.loss);
  }
  // Without any head both are the same model.
  CHECK(greedy.loss.back() == important.loss.back());
  // The first that goes greedily is the one whose ablation costs least.
  const auto least = std::ranges::min_element(worth.ablation) - worth.ablation.begin();
  CHECK(greedy.order.front() == least);
  CHECK(greedy.loss[1] <= important.loss[1]);
}

TEST_CASE("pruning: a head that is silent already is nobody's business", "[learn]") {
  Trained model(5, nullptr);
  Run& run = model.run;
  run.set_gates({1, 0, 1, 1, 0, 1, 1, 1});
  const learn::HeadWorth worth = head_worth(run, nullptr);
  CHECK(worth.heads == std::vector<int>{0, 2, 3, 5, 6, 7});
  CHECK(run.gates()[1] == 0);
}

TEST_CASE("pruning: a price on open gates closes them, none leaves them open", "[learn]") {
  ThreadPool pool(2);
  Trained model(100, &pool);
  Run& run = model.run;
  const std::vector<int> heads{0, 1, 2, 3, 4, 5, 6, 7};
  const auto closed = [&](double price) {
    return close_gates(model.task, run.document(), run.recipe(), 1, price, 600, heads, &pool);
  };
  const learn::ClosedGates dear = closed(10), cheap = closed(1e-6);
  for (const double gate : dear.gates) CHECK(gate < 0.5);
  for (const int step : dear.closed) CHECK(step < 600);
  double open = 0;
  for (const double gate : cheap.gates) open += gate;
  CHECK(open > 4);
}

TEST_CASE("pruning: stops when it is told to", "[learn]") {
  Trained model(2, nullptr);
  Run& run = model.run;
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(head_worth(run, nullptr, {stop.get_token(), nullptr}), Stopped);
  CHECK(run.gates().empty());
}

TEST_CASE("pruning: places by several measures, worked by hand", "[learn]") {
  // Heads a, b, c, d: the first measure puts them in this order; the second has a last, and two that are equal.
  const learn::Placed placed = learn::placed({{1, 2, 3, 4}, {9, 5, 5, 7}});
  CHECK(placed.places[0] == std::vector<double>{1, 2, 3, 4});
  CHECK(placed.places[1] == std::vector<double>{4, 1.5, 1.5, 3});
  CHECK(placed.disagree == std::vector<bool>{true, false, false, false});
}

TEST_CASE("pruning: a price of .05 leaves open what two questions need, and little more", "[learn][slow]") {
  ThreadPool pool(2);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Trained model(600, &pool, seed);
    const learn::ClosedGates closed = close_gates(model.task, model.run.document(), model.run.recipe(), seed, 0.05, 800,
                                                  {0, 1, 2, 3, 4, 5, 6, 7}, &pool);
    const auto open = std::ranges::count_if(closed.gates, [](double gate) { return gate > 0.5; });
    CHECK(open >= 2);
    CHECK(open <= 3);
  }
}

TEST_CASE("pruning: half of eight heads go for free, by search six (report)", "[learn][slow]") {
  ThreadPool pool(2);
  double by_importance = 0, greedy = 0;
  const int seeds = 5;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Trained model(600, &pool, seed);
    Run& run = model.run;
    const learn::HeadWorth worth = head_worth(run, &pool);
    CHECK(worth.accuracy > 0.97);
    by_importance += prune_by_importance(run, worth, &pool).accuracy[4] / seeds;
    greedy += prune_greedily(run, worth, &pool).accuracy[6] / seeds;
  }
  CHECK(by_importance > 0.95);  // the report: 1.00
  CHECK(greedy > 0.88);         // the report: .96
}
