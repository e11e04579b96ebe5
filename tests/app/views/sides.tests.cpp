// The panels at the sides of the view, and where they stand in presentation mode.
#include <catch2/catch.hpp>

#include "app/draw/canvas.h"
#include "app/scene/sides.h"
#include "app/views/inspector/hands.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

struct Presented : Session {
  Presented() : Session(default_document(), {1280, 800}) {
    set(view().presentation, true);
    ui.frames(3);
  }
};

}  // namespace

TEST_CASE("sides: a click on a number opens two lines of its arithmetic under the view", "[app][sides]") {
  for (const float x : {0.1f, 0.9f}) {
    Presented s;
    s.set(s.view().view, ViewId::heads);
    s.ui.frames(2);
    CHECK_FALSE(s.ui.exists("strip/whole"));
    s.ui.click(s.ui.rect("heads/large").at(x, 0.5f));
    s.ui.frames(3);
    REQUIRE(s.ui.exists("strip/whole"));
    REQUIRE(s.view().selection);
    CHECK(s.view().selection->site.quantity == Quantity::attention);
    CHECK_FALSE(s.ui.exists("inspector/title"));
    CHECK(s.ui.exists("strip/title"));   // whose number it is, wherever the pointer is now
    CHECK(s.ui.exists("strip/step/1"));  // what the softmax divides
    // Nothing of the view is covered.
    const float top = s.ui.rect("strip/whole").min.y;
    CHECK(s.ui.rect("heads/large").max.y <= top);
    const float before = s.ui.rect("heads/large").max.y;
    s.ui.click("strip/whole");
    s.ui.frames(3);
    CHECK(s.ui.exists("inspector/title"));
    CHECK(s.ui.exists("inspector/value"));
    CHECK(s.ui.rect("heads/large").max.y <= before);
    CHECK(s.ui.rect("strip/whole").min.y >= 800 * 0.5f);
  }
}

TEST_CASE("sides: no picture moves under the pointer that clicks a number", "[app][sides]") {
  for (const auto& [id, picture] :
       {std::pair{ViewId::flow, "flow/attention"}, {ViewId::heads, "heads/large"}, {ViewId::mixing, "mixing/Y"}}) {
    Presented s;
    s.set(s.view().view, id);
    s.settle();
    CAPTURE(picture);
    const UiDriver::Rect before = s.ui.rect(picture);
    s.ui.click(before.at(0.3f, 0.3f));
    s.settle();
    REQUIRE(s.ui.exists("strip/title"));
    const UiDriver::Rect after = s.ui.rect(picture);
    CHECK(after.min.y == before.min.y);
    CHECK(after.max.y == before.max.y);
  }
}

TEST_CASE("sides: a presentation's sentence takes one line, and a number's two lines stand in its place",
          "[app][sides]") {
  Presented s;
  s.set(s.view().view, ViewId::heads);
  s.settle();
  const float line = s.app.fonts().large->FontSize;
  const UiDriver::Rect status = s.ui.rect("status");
  CHECK(status.max.y - status.min.y <= 2 * line + 1);
  CHECK(status.max.y == Approx(800).margin(1));
  const UiDriver::Rect large = s.ui.rect("heads/large");
  const Index n = s.trace().input.n();
  s.ui.click(large.cell(7, 1, n, n));
  s.settle();
  REQUIRE(s.ui.exists("strip/step/1"));
  CHECK_FALSE(s.ui.exists("status"));
  CHECK(s.ui.rect("strip/step/1").min.y >= status.min.y);
  CHECK(s.ui.rect("strip/step/2").max.y <= 800);
  CHECK(s.ui.exists("status/outlines"));
  // Of another number that is pointed at there is a line over the last step.
  s.ui.move(large.cell(3, 2, n, n));
  s.ui.frames(3);
  REQUIRE(s.ui.exists("status/value"));
  CHECK(s.ui.exists("strip/title"));
  CHECK(s.ui.exists("strip/step/2"));
  CHECK_FALSE(s.ui.exists("strip/step/1"));
  CHECK(s.ui.rect("status/value").max.y <= s.ui.rect("strip/step/2").min.y + 2);
}

TEST_CASE("sides: what is pointed at within a layout does not change how many lines it has at the bottom",
          "[app][sides]") {
  Presented s;
  s.set(s.view().view, ViewId::heads);
  s.settle();
  const UiDriver::Rect large = s.ui.rect("heads/large");
  const Index n = s.trace().input.n();
  s.ui.click(large.cell(7, 1, n, n));
  s.settle();
  s.set(s.view().heads.rollout, std::optional(RolloutKind::attention));  // a made matrix, told of as it is drawn
  s.settle();
  REQUIRE(s.view().selection);
  for (int k = 0; k < 6; ++k) {
    s.ui.move(k % 2 == 0 ? s.ui.rect("heads/large").cell(3, 2, n, n) : ImVec2{640, 4});
    s.ui.frames(1);  // names stand once
    s.ui.frames(2);
    CHECK(s.ui.exists("status/value") == (k % 2 == 0));
    CHECK(s.ui.exists("strip/step/2"));
  }
}

TEST_CASE("sides: the model panel stands beside what it changes", "[app][sides]") {
  Presented s;
  for (const auto& [id, picture] :
       {std::pair{ViewId::flow, "flow/X"}, {ViewId::heads, "heads/large"}, {ViewId::mixing, "mixing/concat"}}) {
    s.set(s.view().view, id);
    s.set(act::Show{Side::model, false});
    s.settle();
    const float before = s.ui.rect(picture).min.x;
    s.set(act::Show{Side::model, true});
    s.settle();
    CHECK(s.ui.rect("model/heads/4").min.x >= 0);
    CHECK(s.ui.rect(picture).min.x > before + 100);
  }
  // Notes stand in its place.
  s.set(act::Show{Side::notes, true});
  CHECK_FALSE(is_open(s.view(), Side::model));
}

TEST_CASE("sides: Esc, its key and its button close what is open, and never the presentation", "[app][sides]") {
  Presented s;
  const auto model = [&] { return s.ui.exists("model/heads/4"); };
  const auto inspector = [&] { return is_open(s.view(), Side::inspector); };
  s.ui.key(key::letter('m'));
  CHECK(model());
  CHECK(is_open(s.view(), Side::model));
  s.ui.key(key::escape);
  CHECK_FALSE(model());
  s.ui.click("panels/model");
  s.ui.click("panels/inspector");
  CHECK(inspector());
  CHECK(model());
  s.ui.click("panels/model");
  CHECK_FALSE(model());
  s.ui.click("panels/inspector");
  CHECK_FALSE(inspector());
  s.ui.key(key::letter('i'));
  s.ui.frames(3);
  REQUIRE(inspector());
  CHECK(s.ui.exists("inspector/title"));  // of no number yet: the matrix
  const ImVec2 at = s.ui.rect("inspector/cell/0,0").center();
  const float before = (*s.weights().W_Q)(0, 0);
  s.ui.drag("inspector/cell/0,0", 0, -60);
  s.ui.frames(3);
  CHECK((*s.weights().W_Q)(0, 0) > before);  // the first drag counts
  const ImVec2 now = s.ui.rect("inspector/cell/0,0").center();
  CHECK(now.x == at.x);  // it stays under the pointer
  CHECK(now.y == at.y);
  for (int k = 0; k < 6; ++k) s.ui.key(key::escape);
  CHECK_FALSE(inspector());
  CHECK_FALSE(s.view().selection);
  CHECK(s.view().presentation);
}

TEST_CASE("sides: what they hold works there", "[app][sides]") {
  Presented s;
  s.ui.click("panels/model");
  s.ui.click("model/heads/4");
  CHECK(s.trace().input.heads == 4);
  CHECK(s.ui.exists("model/heads/4"));
  s.ui.key(key::escape);
  s.set(s.view().sides.inspector_whole, true);
  s.set(act::Select{{{Quantity::W_Q, 0, 1}, 2, 3}});
  s.ui.frames(3);
  const float before = (*s.weights().W_Q)(2, 19);
  s.ui.drag("inspector/cell/2,3", 0, -60);
  CHECK((*s.weights().W_Q)(2, 19) > before);
}

TEST_CASE("sides: a number of a weight is dragged on its picture, and what it moves is in sight", "[app][sides]") {
  Session s(default_document(), {1280, 800});
  s.set(s.view().presentation, true);
  s.ui.frames(3);
  REQUIRE(s.ui.exists("flow/W_O"));
  const Mat<float> before = *s.weights().W_O, output = *s.trace().output;
  s.ui.drag(s.ui.rect("flow/W_O").at(0.3f, 0.3f), 0, -60);
  s.settle();
  REQUIRE(s.view().selection);
  const Cell cell = *s.view().selection;
  CHECK(cell.site.quantity == Quantity::W_O);
  CHECK((*s.weights().W_O)(cell.row, cell.col) > before(cell.row, cell.col));
  CHECK((*s.weights().W_O - before).cwiseAbs().sum() ==
        Approx((*s.weights().W_O)(cell.row, cell.col) - before(cell.row, cell.col)));
  CHECK(*s.trace().output != output);
  CHECK(s.app.history().steps() == 1);  // one gesture
  s.ui.key('Z', true);
  s.settle();
  CHECK(*s.weights().W_O == before);
}

TEST_CASE("sides: outside presentation the buttons and keys show and hide the panels", "[app][sides]") {
  Session s;
  REQUIRE(s.ui.exists("model/d_model"));
  s.ui.click("panels/model");
  CHECK_FALSE(s.ui.exists("model/d_model"));
  s.ui.key(key::letter('m'));
  CHECK(s.ui.exists("model/d_model"));
  s.ui.click("panels/inspector");
  CHECK_FALSE(s.view().inspector_open);
  CHECK_FALSE(s.ui.exists("inspector/title"));
}

TEST_CASE("sides: another head or layer shows the same number of its own, and the strip does not grow",
          "[app][sides][follow]") {
  Document document = default_document();
  document.layers.push_back(document.layer(0));
  Session s(document, {1280, 800});
  s.set(s.view().presentation, true);
  s.set(s.view().view, ViewId::heads);
  s.settle();
  s.ui.click(s.ui.rect("heads/large").cell(7, 1, s.trace().input.n(), s.trace().input.n()));
  s.ui.frames(3);
  REQUIRE(s.selection() == Cell{{Quantity::attention, 0, 0}, 7, 1});
  const float top = s.ui.rect("strip/whole").min.y;
  const auto check = [&](int layer, int head) {
    s.ui.leave();  // what is pointed at would have the upper line
    s.settle();
    CHECK(s.selection() == Cell{{Quantity::attention, layer, head}, 7, 1});
    CHECK(s.view().inspected == s.selection().site);
    CHECK(s.view().focused_head == head);
    REQUIRE(s.ui.exists("strip/step/1"));
    CHECK(s.ui.rect("strip/whole").min.y == top);
  };
  s.ui.key('3');
  check(0, 2);
  s.ui.click("heads/grid/5");
  check(0, 4);
  s.ui.key(key::right_bracket);
  check(0, 5);
  s.ui.key(key::page_down);
  check(1, 5);
  s.ui.key(key::page_up);
  check(0, 5);
  s.app.act(act::GoTo{1, 3});  // as a head of another layer is clicked
  check(1, 3);
}

TEST_CASE("sides: a number that the other layer does not have is let go, and the strip with it",
          "[app][sides][follow]") {
  Document document = default_document();
  document.layers.push_back(document.layer(0));
  document = hydra::apply(document, {SetHeads{2}, 1});
  Session s(document, {1280, 800});
  s.set(s.view().presentation, true);
  s.set(s.view().view, ViewId::heads);
  s.open({{Quantity::attention, 0, 5}, 7, 1});
  REQUIRE(s.ui.exists("strip/step/1"));
  s.ui.key(key::page_down);
  s.settle();
  CHECK(s.view().layer == 1);
  CHECK_FALSE(s.view().selection);
  CHECK_FALSE(is_open(s.view(), Side::inspector));
  CHECK_FALSE(s.ui.exists("inspector/title"));
}

TEST_CASE("sides: in another document the inspector is two lines again, and begins at its top", "[app][sides]") {
  Presented s;
  s.open({{Quantity::attention, 0, 0}, 7, 1});
  s.ui.click("strip/whole");
  s.ui.frames(3);
  REQUIRE(s.ui.seen("inspector/value"));
  s.ui.wheel("inspector/value", -40);
  s.ui.frames(3);
  REQUIRE_FALSE(s.ui.seen("inspector/value"));  // scrolled away
  s.open({{Quantity::attention, 0, 0}, 7, 2});
  CHECK(s.ui.seen("inspector/value"));
  s.app.edit(ReplaceDocument{apply(default_document(), SetSentence{"the cat sees the old dog near the red house ."}),
                             "another"});
  s.settle();
  CHECK_FALSE(s.view().sides.inspector_whole);
  CHECK_FALSE(s.ui.exists("inspector/title"));
  s.ui.leave();
  s.open({{Quantity::attention, 0, 0}, 7, 1});
  CHECK(s.ui.exists("strip/title"));
  CHECK(s.ui.exists("strip/step/2"));
}

TEST_CASE("sides: a row is painted from the strip", "[app][sides][painting]") {
  Presented s;
  s.open({{Quantity::attention, 0, 0}, 7, 1});
  REQUIRE(s.ui.seen("inspector/paint"));
  REQUIRE(s.ui.exists("strip/step/1"));
  s.ui.click("inspector/paint");
  s.ui.frames(4);
  CHECK(s.ui.seen("inspector/paint/row"));
  s.ui.type("2");
  s.ui.frames(2);
  CHECK(s.app.hands().of<InspectorHands>().row_draft == "2");
  CHECK(s.view().focused_head == 0);  // no key of a head
  s.open({{Quantity::Q, 0, 0}, 7, 1});
  s.set(s.view().sides.inspector_whole, false);
  s.ui.frames(3);
  CHECK_FALSE(s.ui.exists("inspector/paint"));  // computed alone
}

TEST_CASE("sides: a weight is dragged on its picture after More was open and Esc", "[app][sides]") {
  Session s(default_document(), {1280, 800});
  s.set(s.view().presentation, true);
  s.set(s.view().view, ViewId::flow);
  s.ui.frames(3);
  s.ui.click(s.ui.rect("flow/attention").at(0.3f, 0.3f));
  s.ui.click("strip/whole");
  s.ui.frames(2);
  s.ui.key(key::escape);
  s.ui.frames(3);
  REQUIRE(s.ui.exists("flow/W_V"));
  const Mat<float> before = *s.weights().W_V;
  s.ui.drag(s.ui.rect("flow/W_V").at(0.3f, 0.3f), 0, -60);
  s.settle();
  CHECK(*s.weights().W_V != before);
}

TEST_CASE("sides: the strip calls a number of a token's row by the word", "[app][sides]") {
  Presented s;
  s.open({{Quantity::Q, 0, 0}, 7, 3});
  const UiDriver::Rect title = s.ui.rect("strip/title");
  const std::string words = "Q₁[" + s.app.trace().tokens[7] + ", 3]:";
  CHECK(title.max.x - title.min.x == Approx(text_width(s.app.fonts().strong, words)).margin(0.5));
}
