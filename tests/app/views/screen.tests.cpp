// What the screen says about itself: what opens, what outlines mean, which weights are in use, what the inspector
// shows.
#include <imgui_internal.h>

#include <catch2/catch.hpp>

#include "core/document/opening.h"
#include "tests/support/session.h"

using namespace hydra;

TEST_CASE("screen: the opening document offers a weight whose drag moves the pattern", "[app][opening]") {
  const ImVec2 size = GENERATE(ImVec2{1280, 800}, ImVec2{1600, 1000});
  Session s(opening_document(), size);
  s.app.offer_weight();
  s.ui.frames(4);
  const Cell offered = s.selection();
  REQUIRE(offered.site == Site{Quantity::W_Q, 0, 0});
  CHECK_FALSE(s.app.history().modified());
  CHECK(s.app.history().file().path.empty());
  const Array<float> before = s.head(0).attention, other = s.head(1).attention;
  const std::string cell = "inspector/cell/" + std::to_string(offered.row) + "," + std::to_string(offered.col);
  s.ui.drag(cell, 0, -60);
  const double moved =
      0.5 * static_cast<double>((*s.head(0).attention - *before).cwiseAbs().rowwise().sum().maxCoeff());
  CHECK(moved > 0.2);
  CHECK(s.head(1).attention == other);
  s.ui.key(key::letter('z'), true);
  CHECK(*s.head(0).attention == *before);
}

TEST_CASE("screen: outlines have their meaning beside the status line and on the page of keys", "[app][outlines]") {
  Session s;
  CHECK_FALSE(s.ui.exists("status/outlines"));
  s.open({{Quantity::W_Q, 0, 0}, 3, 4});
  CHECK(s.ui.exists("status/outlines"));
  s.ui.key(key::escape);
  s.ui.leave();
  s.ui.frames(3);
  CHECK_FALSE(s.ui.exists("status/outlines"));
  s.ui.key(key::f1);
  for (const char* name : {"selected", "reads", "feeds", "relation"})
    CHECK(s.ui.exists(std::string("help/outline/") + name));
}

TEST_CASE("screen: beside a head's name stands where its weights come from", "[app][weights]") {
  Session s;
  for (const ViewId view : {ViewId::flow, ViewId::heads}) {
    s.view().view = view;
    s.ui.frames(2);
    CHECK(s.ui.exists(view == ViewId::flow ? "flow/weights" : "heads/weights"));
  }
}

TEST_CASE("screen: the inspector follows the view, and folds where the view has no matrix", "[app][inspector]") {
  Session s;
  const auto go = [&](const char* tab) {
    s.ui.click(std::string("tabs/") + tab);
    s.ui.frames(2);
  };
  CHECK(s.view().inspected == Site{Quantity::W_Q, 0, 0});
  go("heads");
  CHECK(s.view().inspected == Site{Quantity::attention, 0, 0});
  go("mixing");
  CHECK(s.view().inspected == Site{Quantity::W_O, 0, 0});
  go("tradeoff");
  CHECK_FALSE(s.ui.exists("inspector/title"));
  s.ui.key(key::letter('i'));
  s.ui.frames(2);
  CHECK(s.ui.exists("inspector/title"));
  go("likeness");
  CHECK_FALSE(s.ui.exists("inspector/title"));
  go("flow");
  CHECK(s.ui.exists("inspector/title"));
  // What was selected stays open wherever one goes.
  s.open({{Quantity::K, 0, 1}, 2, 3});
  go("likeness");
  CHECK(s.ui.exists("inspector/title"));
  CHECK(s.view().inspected == Site{Quantity::K, 0, 1});
}

TEST_CASE("screen: Likeness opens where dark means alike", "[app][likeness]") {
  Session s;
  CHECK(likenesses()[static_cast<std::size_t>(s.view().likeness.measure)].same == 1);
}

TEST_CASE("screen: a tip goes when its item is clicked, and is there again for who comes back", "[app][screen]") {
  Session s;
  const auto tip_shown = [] {
    const ImGuiWindow* tooltip = ImGui::FindWindowByName("##Tooltip_00");
    return tooltip != nullptr && tooltip->Active;
  };
  s.ui.key(key::letter('n'));
  s.ui.move("tradeoff/page/sharing");
  CHECK(tip_shown());
  s.ui.click("tradeoff/page/sharing");
  s.ui.frames(3);
  CHECK_FALSE(tip_shown());
  s.ui.move("tradeoff/page/cost");
  CHECK(tip_shown());
  s.ui.move("tradeoff/page/sharing");
  CHECK(tip_shown());
}
