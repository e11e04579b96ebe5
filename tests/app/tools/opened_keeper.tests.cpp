// Steps opened in the background: the one that is asked for, with what its parts show; stopped at every stage; what
// cannot be opened is said.
#include "app/tools/opened_keeper.h"

#include <catch2/catch.hpp>
#include <thread>

#include "core/learn/model.h"
#include "core/learn/start.h"

using namespace hydra;

namespace {

struct OpenedRun {
  OpenedRun() {
    recipe = task->info().recipe;
    document = std::make_shared<const Document>(learn::starting_document(*task, recipe, 0));
    const lanes::Compiled compiled(learn::shape_of(*document, task->info(), recipe));
    start = std::make_shared<const std::vector<float>>(learn::parameters_of(*document, compiled));
    timeline = std::make_shared<learn::Timeline>(learn::tracks_of(task->info(), *document));
  }
  OpenedKeeper::Wanted at(int step, GradientPart part = GradientPart::weights) const {
    OpenedKeeper::Wanted wanted;
    wanted.run = OfRun(timeline);
    wanted.step = step;
    wanted.stretch = [this, step] {
      Stretch stretch;
      stretch.task = task, stretch.document = document;
      stretch.settings = stretch.replayed = {recipe, 0, {}};
      stretch.begin = {0, start, nullptr};
      stretch.step = step;
      return stretch;
    };
    wanted.view.part = part;
    return wanted;
  }
  void finish(const OpenedKeeper::Wanted& wanted) {
    for (int k = 0; k < 3; ++k) {
      keeper.update(wanted, shown);
      keeper.opening().finish();
      keeper.measuring().finish();
    }
    keeper.update(wanted, shown);
  }

  std::shared_ptr<const learn::Task> task = learn::make_task("collapse");
  learn::Recipe recipe;
  std::shared_ptr<const Document> document;
  learn::Parameters start;
  std::shared_ptr<const learn::Timeline> timeline;
  OpenedKeeper keeper;
  OpenedTold shown;
};

}  // namespace

TEST_CASE("opened keeper: the step that is asked for, with what its parts show", "[learn][beside]") {
  OpenedRun r;
  r.finish(r.at(7));
  REQUIRE(r.shown.step);
  CHECK(r.shown.step->step() == 7);
  learn::Run run(r.task, *r.document, r.recipe, 0);
  for (int k = 0; k < 8; ++k) run.take_step(nullptr);
  CHECK(r.shown.step->after().parameters == run.state().parameters);
  REQUIRE(r.shown.weights);
  CHECK(r.shown.weights->matrices.size() == 4);
  REQUIRE(r.shown.told);
  CHECK_FALSE(r.shown.coupling);
  r.finish(r.at(7, GradientPart::heads));
  CHECK(r.shown.coupling);
  r.finish(r.at(7, GradientPart::scaling));
  CHECK(r.shown.slopes);
  r.finish(r.at(7, GradientPart::sequence));
  CHECK(r.shown.patterns);
  r.finish(r.at(2, GradientPart::sequence));
  CHECK(r.shown.step->step() == 2);
  CHECK_FALSE(r.shown.coupling);  // it was of another step
}

TEST_CASE("opened keeper: stopped at any moment, it shows nothing, and opens again", "[learn][beside]") {
  OpenedRun r;
  for (int k = 0; k < 24; ++k) {
    const auto part = k % 2 == 0 ? GradientPart::heads : GradientPart::scaling;
    r.keeper.update(r.at(60 + k, part), r.shown);
    std::this_thread::sleep_for(std::chrono::microseconds(400 * k));
    r.keeper.update(r.at(60 + k, part), r.shown);
    r.keeper.leave(r.shown);
    CHECK_FALSE(r.shown.step);
    CHECK_FALSE(r.shown.coupling);
  }
  r.finish(r.at(3));
  REQUIRE(r.shown.step);
  CHECK(r.shown.step->step() == 3);
  CHECK(r.shown.failure.empty());
}

TEST_CASE("opened keeper: a model that cannot be trained is said to be none", "[learn][beside]") {
  OpenedRun r;
  auto other = std::make_shared<Document>(*r.document);
  other->embedding.kind = Embedding::Kind::hashed;
  other->weights = {};
  r.document = other;
  r.finish(r.at(0));
  CHECK_FALSE(r.shown.step);
  CHECK_FALSE(r.shown.failure.empty());
}
