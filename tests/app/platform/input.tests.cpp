#include "app/platform/input.h"

#include <catch2/catch.hpp>

#include "tests/support/ui_driver.h"

using namespace hydra;
using Kind = InputEvent::Kind;

TEST_CASE("input: a press and a release in one poll are two frames, so no key is lost", "[platform][input]") {
  UiDriver ui({200, 200});
  int pressed = 0;
  ui.draw_each_frame([&] { pressed += ui::key_pressed(key::f5); });
  for (int k = 0; k < 50; ++k) {
    ui.input.push({.kind = Kind::key, .code = key::f5, .down = true});
    ui.input.push({.kind = Kind::key, .code = key::f5, .down = false});
  }
  ui.settle();
  CHECK(pressed == 50);
}

TEST_CASE("input: shortcuts want exactly their modifiers", "[platform][input]") {
  UiDriver ui({200, 200});
  int plain = 0, ctrl = 0, both = 0;
  ui.draw_each_frame([&] {
    plain += ui::shortcut(false, false, key::letter('z'));
    ctrl += ui::shortcut(true, false, key::letter('z'));
    both += ui::shortcut(true, true, key::letter('z'));
  });
  ui.key(key::letter('z'));
  ui.key(key::letter('z'), true);
  ui.key(key::letter('z'), true);
  ui.key(key::letter('z'), true, true);
  CHECK(plain == 1);
  CHECK(ctrl == 2);
  CHECK(both == 1);
}

TEST_CASE("input: Enter, plus and minus of the keypad are those beside the letters", "[platform][input]") {
  UiDriver ui({200, 200});
  int enter = 0, plus = 0, minus = 0;
  ui.draw_each_frame([&] {
    enter += ui::shortcut(true, false, key::enter);
    plus += ui::shortcut(true, false, key::equal);
    minus += ui::shortcut(true, false, key::minus);
  });
  for (const int code : {key::kp_enter, key::kp_add, key::kp_subtract}) ui.key(code, true);
  CHECK(enter == 1);
  CHECK(plus == 1);
  CHECK(minus == 1);
  CHECK_FALSE(ImGui::GetIO().KeysDown[key::enter]);
}

TEST_CASE("input: a modifier that comes up before its key, in one poll with the press, still counts",
          "[platform][input]") {
  UiDriver ui({200, 200});
  int ctrl = 0, plain = 0;
  ui.draw_each_frame([&] {
    ctrl += ui::shortcut(true, false, key::letter('z'));
    plain += ui::shortcut(false, false, key::letter('z'));
  });
  const auto push = [&](int code, bool down) { ui.input.push({.kind = Kind::key, .code = code, .down = down}); };
  push(key::left_control, true);
  ui.frames(1);  // the rest arrives while this frame is drawn
  push(key::letter('z'), true);
  push(key::left_control, false);
  push(key::letter('z'), false);
  ui.settle();
  CHECK(ctrl == 1);
  CHECK(plain == 0);
}

TEST_CASE("input: a fast click at a new place and the drag after it keep their order", "[platform][input]") {
  UiDriver ui({400, 400});
  std::vector<ImVec2> downs;
  float travelled = 0;
  ui.draw_each_frame([&] {
    if (ImGui::IsMouseClicked(0)) downs.push_back(ImGui::GetIO().MousePos);
    if (ImGui::IsMouseDown(0)) travelled += ImGui::GetIO().MouseDelta.x;
  });
  ui.frames(2);
  const auto button = [&](bool down) { ui.input.push({.kind = Kind::button, .code = 0, .down = down}); };
  ui.input.push({.kind = Kind::move, .x = 100, .y = 100});
  button(true);
  ui.input.push({.kind = Kind::move, .x = 150, .y = 100});
  ui.input.push({.kind = Kind::move, .x = 180, .y = 100});
  button(false);
  ui.input.push({.kind = Kind::move, .x = 20, .y = 30});
  button(true);
  button(false);
  ui.settle();
  REQUIRE(downs.size() == 2);
  CHECK(downs[0].x == 100);
  CHECK(downs[1].x == 20);
  CHECK(travelled == 80);
}

TEST_CASE("input: losing the focus releases keys and buttons", "[platform][input]") {
  UiDriver ui({200, 200});
  ui.draw_each_frame([] {});
  ui.input.push({.kind = Kind::key, .code = key::left_control, .down = true});
  ui.input.push({.kind = Kind::button, .code = 0, .down = true});
  ui.settle();
  CHECK(ImGui::GetIO().KeyCtrl);
  CHECK(ImGui::GetIO().MouseDown[0]);
  ui.input.push({.kind = Kind::focus, .down = false});
  ui.settle();
  CHECK_FALSE(ImGui::GetIO().KeyCtrl);
  CHECK_FALSE(ImGui::GetIO().MouseDown[0]);
}

TEST_CASE("input: codes that no device should send are ignored", "[platform][input]") {
  UiDriver ui({200, 200});
  ui.draw_each_frame([] {});
  for (const int code : {-1, 512, 100000}) {
    ui.input.push({.kind = Kind::key, .code = code, .down = true});
    ui.input.push({.kind = Kind::button, .code = code, .down = true});
  }
  ui.settle();
  CHECK(ui.input.empty());
}
