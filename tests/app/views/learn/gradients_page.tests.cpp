// The gradients' page by its names: the step that comes next is opened, one sequence after the other, a number's update
// is told, an edit is followed, nothing is left when nobody looks.
#include "app/draw/color_map.h"
#include "app/draw/format.h"
#include "app/platform/theme.h"
#include "core/learn/opened/opened_step.h"
#include "tests/app/views/learn/lesson.h"

using namespace hydra;

namespace {

struct Opened : Lesson {
  explicit Opened(const std::string& task = "collapse", int steps = 20, ImVec2 size = {1600, 1000})
      : Lesson(task, size) {
    train_until(steps);
    ui.click("learn/page/gradients");
    settle();
  }
  void look(const std::string& part) {
    ui.click("learn/gradients/" + part);
    settle();
    ui.frames(2);
  }
  const OpenedTold& shown() { return app.learn().opened; }
};

}  // namespace

TEST_CASE("gradients: the step after the one that is shown, to the run's own bits", "[learn]") {
  Opened s;
  REQUIRE(s.shown().step);
  CHECK(s.shown().step->step() == 20);
  // The next step, taken in the window, is the one that was opened.
  const std::vector<float> after = s.shown().step->after().parameters;
  s.ui.click("learn/step");
  s.wait_for_training();
  const learn::Timeline& timeline = *s.app.learn().timeline;
  REQUIRE(timeline.branch(0).last() == 21);
  CHECK(*timeline.at(0, 21).parameters == after);
  CHECK(s.shown().step->step() == 21);
  // Back in time, and the same again: steps since the last moments are taken anew.
  s.ui.key(key::left);
  s.settle();
  REQUIRE(s.shown().step);
  CHECK(s.shown().step->step() == 20);
  CHECK(s.shown().step->after().parameters == after);
}

TEST_CASE("gradients: one sequence after the other, each head's pattern and derivatives", "[learn]") {
  Opened s("induction");
  for (const char* name :
       {"learn/gradients/0/0", "learn/gradients/0/1", "learn/gradients/1/2", "learn/gradients/headline"})
    CHECK(s.ui.exists(name));
  const auto first = s.shown().patterns;
  REQUIRE(first);
  CHECK(first->sequence == 0);
  s.ui.click("learn/sequence/next");
  s.ui.frames(2);
  CHECK(s.shown().patterns->sequence == 1);
  CHECK(s.shown().patterns->tokens != first->tokens);
  s.ui.click("learn/sequence/before"), s.ui.click("learn/sequence/before");
  s.ui.frames(2);
  CHECK(s.shown().patterns->sequence == s.shown().step->sequences() - 1);
  // In all views, without noise and dropped heads: the same patterns, as nothing is dropped here.
  const auto last = s.shown().patterns;
  s.ui.click("learn/sequence/show");
  s.settle();
  CHECK(s.app.trace().tokens == last->tokens);
  CHECK(s.trace().heads[0].attention->isApprox(
      last->heads[0].attention->unaryExpr([](float a) { return std::isinf(a) ? 0.0f : a; }), 1e-4f));
  CHECK(s.shown().step->step() == 20);
  // The other layer.
  s.ui.key(key::page_down);
  s.settle();
  s.ui.frames(2);
  CHECK(s.shown().patterns->layer == 1);
}

TEST_CASE("gradients: frames crowd no small cells, and have the head that is pointed at", "[learn]") {
  Opened s("induction", 10, {1280, 800});
  s.set(s.view().presentation, true);
  s.settle();
  s.ui.leave();
  s.ui.frames(2);
  const ImU32 gold = theme(false).gold;
  for (const char* picture : {"learn/gradients/0/0", "learn/gradients/0/1", "learn/gradients/1/0"})
    CHECK_FALSE(draws(s.ui, picture, gold));
  s.ui.move("learn/gradients/0/0");
  s.ui.frames(2);
  CHECK(draws(s.ui, "learn/gradients/0/0", gold));
  CHECK_FALSE(draws(s.ui, "learn/gradients/1/0", gold));
}

TEST_CASE("gradients: blue and brown are signs there, and no head's", "[learn]") {
  Opened s("induction", 10);
  for (const char* name : {"learn/gradients/head/0", "learn/gradients/head/1"})
    for (int head = 0; head < 2; ++head) CHECK_FALSE(draws(s.ui, name, head_color(head, false)));
  s.look("weights");
  for (const char* name : {"learn/weights/heads/W_Q", "learn/weights/heads/W_O"})
    for (int head = 0; head < 2; ++head) CHECK_FALSE(draws(s.ui, name, head_color(head, false)));
}

TEST_CASE("gradients: a number that is clicked has its update told, and an edit is followed", "[learn]") {
  Opened s;
  s.look("weights");
  REQUIRE(s.shown().update);  // one that is pulled strongly, before any is chosen
  CHECK(s.shown().number->site == Site{Quantity::W_Q, 0, kNoHead});
  s.ui.click("learn/weights/W_V");
  s.ui.frames(2);
  REQUIRE(s.view().selection);
  CHECK(s.view().selection->site.quantity == Quantity::W_V);
  REQUIRE(s.shown().number);
  CHECK(*s.shown().number == *s.view().selection);
  const Explanation told = s.shown().update->explanation;
  CHECK(s.ui.exists("learn/update/term/0/0/0"));
  for (const char* facet : {"before", "first", "second", "change"}) {
    s.ui.click(std::string("learn/facet/") + facet);
    s.ui.frames(2);
    CHECK(s.shown().weights->facet == s.view().learn.gradients.facet);
  }
  s.ui.click("learn/weights/others");
  s.ui.frames(2);
  CHECK(s.ui.exists("learn/weights/E"));
  CHECK_FALSE(s.ui.exists("learn/weights/W_Q"));
  // Another weight: another step, whose numbers begin with it.
  const Cell cell = *s.shown().number;
  s.app.edit(set_cell(cell.site.quantity, cell.row, cell.col, 0.75f));
  s.settle();
  s.ui.frames(2);
  CHECK(s.app.learn().edited);
  CHECK(s.shown().step->number(cell, learn::Facet::before) == 0.75f);
  CHECK(s.shown().update->explanation.value != told.value);
  s.ui.key('Z', true);
  s.settle();
  s.ui.frames(2);
  CHECK(s.shown().update->explanation.value == told.value);
}

TEST_CASE("gradients: between heads and scaling are measured when they are looked at", "[learn]") {
  Opened s;
  CHECK_FALSE(s.shown().coupling);
  s.look("heads");
  REQUIRE(s.shown().coupling);
  CHECK(s.ui.exists("learn/coupling"));
  CHECK(s.ui.exists("learn/coupling/words"));
  // Each number has two digits of its own, however large those of the silent heads themselves are.
  const Mat<double>& change = s.shown().coupling->change;
  for (Index i = 0; i < change.rows(); ++i)
    for (Index j = 0; j < change.cols(); ++j)
      CHECK(s.ui.exists(ui::words("learn/coupling/number/", i, "/", j, "/", ui::number(change(i, j), As::rough))));
  s.look("scaling");
  REQUIRE(s.shown().slopes);
  CHECK(s.ui.exists("learn/scaling/head/0"));
  CHECK(s.shown().slopes->is_scaled);
  // Silencing a head is a step of its own.
  const double loss = s.shown().step->scores().loss;
  s.ui.key('Z');
  s.settle();
  s.ui.frames(2);
  CHECK(s.shown().step->scores().loss != loss);
  s.ui.key('F');
  s.settle();
  CHECK_FALSE(s.shown().step);
}

TEST_CASE("gradients: a weight of a model that is trained leads to its update from any view", "[learn]") {
  Opened s;
  s.ui.key('F');
  s.settle();
  s.open({{Quantity::W_K, 0, 1}, 2, 1});
  s.ui.click("inspector/update");
  s.settle();
  s.ui.frames(2);
  CHECK(s.view().learn.page == LearnPage::gradients);
  REQUIRE(s.shown().number);
  CHECK(s.shown().number->site == Site{Quantity::W_K, 0, kNoHead});
  CHECK(s.shown().number->col == s.trace().input.d_k() + 1);
}

TEST_CASE("gradients: every part stands at every size, in presentations, and with large text", "[learn]") {
  const ImVec2 size = GENERATE(ImVec2{1280, 800}, ImVec2{1920, 1080}, ImVec2{1000, 640});
  Opened s("induction", 10, size);
  for (const bool presentation : {false, true}) {
    s.set(s.view().presentation, presentation);
    for (const char* part : {"sequence", "weights", "heads", "scaling"}) {
      s.ui.frames(2);
      if (s.ui.exists(std::string("learn/gradients/") + part)) s.look(part);
    }
  }
  CHECK(s.notice().is_error == false);
}
