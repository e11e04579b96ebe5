// A gesture whose part of the window goes while it is held: it ends there, as one step, and nothing goes on with it.
#include <catch2/catch.hpp>

#include "tests/support/session.h"

using namespace hydra;

namespace {

// Presses at a place, moves by so much, and closes what it stands on by a key before the button is up.
void drag_and_close(Session& s, ImVec2 from, ImVec2 by, int close) {
  s.ui.move(from);
  s.ui.press();
  s.ui.move(ImVec2{from.x + by.x, from.y + by.y});
  s.ui.frames(1);
  REQUIRE(s.app.history().in_gesture());
  s.ui.key(close);
  s.ui.frames(2);
  CHECK_FALSE(s.app.history().in_gesture());
  s.ui.release();
  s.ui.frames(2);
  CHECK_FALSE(s.app.history().in_gesture());
}

}  // namespace

TEST_CASE("gestures: a number that is dragged in the inspector while that is folded", "[app][gestures]") {
  Session s;
  s.open({{Quantity::W_Q, 0, 2}, 3, 4});
  const float before = (*s.weights().W_Q)(3, 20);
  drag_and_close(s, s.ui.rect("inspector/cell/3,4").center(), {0, -40}, key::letter('i'));
  const float dragged = (*s.weights().W_Q)(3, 20);
  CHECK(dragged > before);
  // What is changed next is a step of its own.
  s.app.edit({SetHeads{4}, 0});
  s.settle();
  s.ui.key(key::letter('z'), true);
  CHECK((*s.weights().W_Q)(3, 20) == dragged);
  s.ui.key(key::letter('z'), true);
  CHECK((*s.weights().W_Q)(3, 20) == before);
  CHECK_FALSE(s.app.history().can_undo());
}

TEST_CASE("gestures: a gate that is dragged while another view comes", "[app][gestures]") {
  Session s;
  s.set(s.view().view, ViewId::mixing);
  s.set(s.view().mixing.page, MixingPage::shares);
  s.settle();
  const UiDriver::Rect track = s.ui.rect("mixing/gate/3");
  drag_and_close(s, track.at(0.5f, 0.5f), {-0.2f * (track.max.x - track.min.x), 0}, key::letter('f'));
  CHECK(s.view().view == ViewId::flow);
  REQUIRE(s.layer().gates.size() == 8);
  s.ui.key(key::letter('z'), true);
  CHECK(s.layer().gates.empty());
}
