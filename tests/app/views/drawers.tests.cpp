// In presentation mode the model panel and the inspector are drawers over the view.
#include <catch2/catch.hpp>

#include "app/views/drawers.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

struct Presented : Session {
  Presented() : Session(default_document(), {1280, 800}) {
    view().presentation = true;
    ui.frames(3);
  }
};

}  // namespace

TEST_CASE("drawers: a click on a number opens the inspector beside it, with its arithmetic", "[app][drawers]") {
  for (const float x : {0.1f, 0.9f}) {
    Presented s;
    s.view().view = ViewId::heads;
    s.ui.frames(2);
    CHECK_FALSE(s.ui.exists("drawer/inspector"));
    const ImVec2 point = s.ui.rect("heads/large").at(x, 0.5f);
    s.ui.click(point);
    REQUIRE(s.ui.exists("drawer/inspector"));
    CHECK(s.ui.exists("inspector/title"));
    REQUIRE(s.view().selection);
    CHECK(s.view().selection->site.quantity == Quantity::attention);
    const UiDriver::Rect drawer = s.ui.rect("drawer/inspector");
    CHECK((point.x < drawer.min.x || point.x > drawer.max.x));  // what was clicked stays in view
    s.ui.frames(5);
    CHECK(s.ui.exists("drawer/inspector"));
  }
}

TEST_CASE("drawers: Esc, a click beside it, its key and its button close a drawer", "[app][drawers]") {
  Presented s;
  const auto model = [&] { return s.ui.exists("drawer/model"); };
  const auto inspector = [&] { return s.ui.exists("drawer/inspector"); };
  s.ui.key(key::letter('m'));
  CHECK(model());
  CHECK(is_open(s.view(), Side::model));
  s.ui.key(key::escape);
  CHECK_FALSE(model());
  CHECK(s.view().presentation);  // the first Esc closes the drawer alone

  s.ui.click("panels/model");
  CHECK(model());
  s.ui.click("panels/inspector");  // one at a time
  CHECK(inspector());
  CHECK_FALSE(model());
  s.ui.click("panels/inspector");
  CHECK_FALSE(inspector());

  s.ui.key(key::letter('i'));
  REQUIRE(inspector());
  const UiDriver::Rect drawer = s.ui.rect("drawer/inspector");
  s.ui.click(ImVec2{0.5f * (drawer.min.x + drawer.max.x), drawer.max.y - 5});
  CHECK(inspector());
  s.ui.click(ImVec2{drawer.min.x - 20, drawer.max.y - 2});
  CHECK_FALSE(inspector());
}

TEST_CASE("drawers: what they hold works there", "[app][drawers]") {
  Presented s;
  s.ui.click("panels/model");
  s.ui.click("model/heads/4");
  CHECK(s.trace().input.heads == 4);
  CHECK(s.ui.exists("drawer/model"));

  select(s.view(), {{Quantity::W_Q, 0, 1}, 2, 3});
  s.ui.frames(3);
  const float before = (*s.weights().W_Q)(2, 19);
  s.ui.drag("inspector/cell/2,3", 0, -60);
  CHECK((*s.weights().W_Q)(2, 19) > before);
  CHECK(s.ui.exists("inspector/change"));
  CHECK(s.ui.exists("drawer/inspector"));
}

TEST_CASE("drawers: outside presentation the buttons and keys show and hide the panels", "[app][drawers]") {
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
