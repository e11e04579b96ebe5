// Training in the background: pausing, going on, branches to the same bits as a run by itself, ends, faults.
#include "app/work/learner.h"

#include <catch2/catch.hpp>
#include <thread>

#include "core/learn/model.h"
#include "core/learn/start.h"
#include "tests/support/wait_until.h"

using namespace hydra;
using learn::Timeline;

namespace {

struct Trained {
  explicit Trained(const std::string& key = "collapse", std::uint64_t seed = 0) : task(learn::make_task(key)) {
    settings.recipe = task->info().recipe;
    settings.recipe.optimizer.schedule = learn::Schedule::constant;
    settings.seed = seed;
    document = std::make_shared<const Document>(learn::starting_document(*task, settings.recipe, seed));
    const lanes::Compiled compiled(learn::shape_of(*document, task->info(), settings.recipe));
    start = std::make_shared<const std::vector<float>>(learn::parameters_of(*document, compiled));
  }

  // The first branch from its beginning, or on from where it is.
  Stretch stretch(int from, int to) const {
    Stretch stretch;
    stretch.task = task, stretch.document = document;
    stretch.settings = stretch.replayed = settings;
    stretch.begin = {0, start, nullptr};
    stretch.step = from, stretch.first = from == 0;
    stretch.stop_at.step = to;
    return stretch;
  }
  std::vector<Learner::Taken> finish() {
    std::vector<Learner::Taken> all;
    test::wait_until([&] {
      const bool over = !learner.training();
      for (Learner::Taken& taken : learner.fetch()) all.push_back(std::move(taken));
      return over;
    });
    return all;
  }
  std::vector<float> alone(int steps, const Stretch::Settings& of) const {
    learn::Run run(task, *document, of.recipe, of.seed);
    run.set_gates(of.gates);
    for (int k = 0; k < steps; ++k) run.take_step(nullptr);
    return run.state().parameters;
  }

  std::shared_ptr<const learn::Task> task;
  Stretch::Settings settings;
  std::shared_ptr<const Document> document;
  learn::Parameters start;
  Learner learner;
};

}  // namespace

TEST_CASE("learner: takes every step up to where it ends, to the bits of a run by itself", "[learn][beside]") {
  Trained t;
  t.learner.train(t.stretch(0, 70));
  const auto taken = t.finish();
  CHECK(t.learner.take_ended() == Learner::Ended::step);
  REQUIRE(taken.size() == 71);
  CHECK(taken.front().row.empty());  // the moments that it begins with
  for (int k = 1; k <= 70; ++k) {
    CHECK(taken[static_cast<std::size_t>(k)].step == k);
    CHECK(static_cast<bool>(taken[static_cast<std::size_t>(k)].moments) == (k == 64));
  }
  CHECK(*taken.back().parameters == t.alone(70, t.settings));
}

TEST_CASE("learner: paused in the middle, it goes on to the same bits", "[learn][beside]") {
  Trained t;
  t.learner.set_pace(200);
  t.learner.train(t.stretch(0, 1000));
  std::vector<Learner::Taken> taken;
  test::wait_until([&] {
    for (Learner::Taken& one : t.learner.fetch()) taken.push_back(std::move(one));
    return taken.size() >= 6;
  });
  t.learner.pause();
  for (Learner::Taken& one : t.finish()) taken.push_back(std::move(one));
  CHECK(t.learner.take_ended() == Learner::Ended::stopped);
  const int at = taken.back().step;
  CHECK(at < 1000);
  t.learner.set_pace(0);
  t.learner.train(t.stretch(at, at + 5));
  const auto more = t.finish();
  REQUIRE(more.size() == 5);
  CHECK(more.front().step == at + 1);
  CHECK(*more.back().parameters == t.alone(at + 5, t.settings));
}

TEST_CASE("learner: a branch takes its parent's steps again, then goes its own way", "[learn][beside]") {
  Trained t;
  t.learner.train(t.stretch(0, 10));
  t.finish();
  // Another seed from step 6 on, as a run would that changes its seed there.
  Stretch branch = t.stretch(6, 9);
  branch.branch = 1, branch.first = true, branch.settings.seed = 5;
  t.learner.train(branch);
  const auto taken = t.finish();
  REQUIRE(taken.size() == 4);
  learn::Run parent(t.task, *t.document, t.settings.recipe, t.settings.seed);
  for (int k = 0; k < 6; ++k) parent.take_step(nullptr);
  learn::Run own(t.task, *t.document, t.settings.recipe, 5);
  own.go_to(parent.state());
  for (int k = 0; k < 3; ++k) own.take_step(nullptr);
  CHECK(*taken.back().parameters == own.state().parameters);
}

TEST_CASE("learner: ends when the loss or the accuracy is as wanted", "[learn][beside]") {
  Trained t;
  Stretch low = t.stretch(0, 400);
  low.stop_at.loss = 10;
  t.learner.train(low);
  CHECK(t.finish().back().step == StopAt::kRecent);
  CHECK(t.learner.take_ended() == Learner::Ended::loss);
  Stretch high = t.stretch(0, 400);
  high.stop_at.accuracy = 0.3;
  t.learner.train(high);
  CHECK(t.finish().back().step < 400);
  CHECK(t.learner.take_ended() == Learner::Ended::accuracy);
}

TEST_CASE("learner: a loss that is no number ends it with the last good weights", "[learn][beside]") {
  Trained t;
  t.settings.recipe.optimizer.kind = learn::Optimizer::sgd;
  t.settings.recipe.optimizer.rate = 1e6, t.settings.recipe.optimizer.clip = 0, t.settings.recipe.optimizer.warm_up = 0;
  t.learner.train(t.stretch(0, 400));
  const auto taken = t.finish();
  CHECK(t.learner.take_ended() == Learner::Ended::diverged);
  REQUIRE(taken.back().parameters);
  for (const float value : *taken.back().parameters) REQUIRE(std::isfinite(value));
}

TEST_CASE("learner: told to stop at any moment, also while it gets ready, it stops", "[learn][beside]") {
  Trained t;
  for (int k = 0; k < 12; ++k) {
    Stretch stretch = t.stretch(k % 2 == 0 ? 0 : 60, 100000);  // the second takes 60 steps again first
    stretch.first = true, stretch.branch = k;
    t.learner.train(stretch);
    std::this_thread::sleep_for(std::chrono::microseconds(700 * k));
    t.learner.pause();
    t.finish();
    CHECK_FALSE(t.learner.training());
  }
}
