// The switch of models, and what training says of weights, through the whole program.
#include "app/platform/input.h"
#include "core/io/opening.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

// A session whose Learn view has trained the smallest task for some steps.
struct Trained : Session {
  explicit Trained(int steps) {
    set(view().view, ViewId::learn);
    ui.frames(2);
    ui.click("learn/task/collapse");
    ui.frames(2);
    train_to(steps);
  }
  void train_to(int steps) {
    set(view().learn.setup.recipe.steps, steps);
    ui.click("learn/train");
    wait_until([&] { return !ui.exists("learn/pause"); });
    REQUIRE(ui.exists("learn/train"));
    settle();
  }
  ModelKind kind() const { return kind_of(document()); }
  void press_u() {
    ui.key(key::letter('u'));
    settle();
  }
};

}  // namespace

TEST_CASE("models: training makes a model trained, and the step before the first leaves it untrained",
          "[app][models]") {
  Trained s(20);
  CHECK(s.kind() == ModelKind::trained);
  s.ui.click(s.ui.rect("learn/branch/0").at(0.001f, 0.5f));
  s.settle();
  CHECK(s.kind() == ModelKind::untrained);
  s.ui.click(s.ui.rect("learn/branch/0").at(0.999f, 0.5f));
  s.settle();
  CHECK(s.kind() == ModelKind::trained);
}

TEST_CASE("models: U leaves a run for another model and comes back to it", "[app][models]") {
  Trained s(20);
  const Document trained = s.document();
  s.press_u();
  CHECK(s.kind() == ModelKind::untrained);
  CHECK(s.document().aside.size() == 1);
  s.press_u();
  CHECK(same_document(with_model(trained, s.document()), with_model(trained, trained)));
  CHECK(s.ui.exists("learn/branch/0"));
  // The run goes on from where the document is.
  s.train_to(30);
  CHECK(s.kind() == ModelKind::trained);
  CHECK_FALSE(s.weights().W_Q == trained.layers[0].weights.W_Q);
  // Undo takes the run back, the two switches, and then the first twenty steps.
  for (int k = 0; k < 3; ++k) s.ui.key('Z', true);
  s.settle();
  CHECK(same_document(s.document(), trained));
}

TEST_CASE("models: U while heads learn pauses them, and nothing that was learned is lost", "[app][models]") {
  Trained s(5);
  s.set(s.view().learn.pace, 60);
  s.set(s.view().learn.setup.recipe.steps, 5000);
  s.ui.click("learn/train");
  s.ui.frames(10);
  REQUIRE(s.ui.exists("learn/pause"));
  s.ui.key(key::letter('u'));
  s.wait_until([&] { return !s.ui.exists("learn/pause"); });
  s.settle();
  CHECK(s.kind() == ModelKind::untrained);
  REQUIRE(s.document().aside.size() == 1);
  CHECK(kind_of(s.document().aside.front()) == ModelKind::trained);
  s.press_u();
  CHECK(s.kind() == ModelKind::trained);
  CHECK(s.ui.exists("learn/branch/0"));
}

TEST_CASE("models: the untrained one learns as a branch of its own, beside the trained one", "[app][models]") {
  Trained s(10);
  s.press_u();
  REQUIRE(s.kind() == ModelKind::untrained);
  s.train_to(15);
  CHECK(s.kind() == ModelKind::trained);
  CHECK(s.document().aside.size() == 1);
  CHECK(kind_of(s.document().aside.front()) == ModelKind::trained);
  // At its beginning it is what it was: untrained.
  const auto bar = s.ui.rect("learn/branch/1");
  s.ui.click(bar.at(0.001f, 0.5f));
  s.settle();
  CHECK(s.kind() == ModelKind::untrained);
}

TEST_CASE("models: what a number was before is told of the model that it is of", "[app][models]") {
  Session s;
  s.open({{Quantity::W_Q, 0, 0}, 3, 4});
  const auto before = [&] { return s.ui.exists("inspector/before"); };
  const auto drag = [&] {
    s.ui.drag("inspector/cell/3,4", 0, -30);
    s.settle();
    REQUIRE(before());
  };
  drag();
  s.app.edit({SwitchModel{ModelKind::untrained}});
  s.settle();
  CHECK_FALSE(before());
  drag();
  s.ui.key('Z', true);  // the drag
  s.ui.key('Z', true);  // the switch
  s.settle();
  REQUIRE(s.selection() == Cell{{Quantity::W_Q, 0, 0}, 3, 4});
  CHECK_FALSE(before());
}
