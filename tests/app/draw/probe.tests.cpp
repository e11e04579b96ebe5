#include "app/draw/probe.h"

#include <catch2/catch.hpp>

#include "tests/support/ui_driver.h"

using namespace hydra;

TEST_CASE("probe: names give rectangles of this frame only, clipped to what is visible", "[widgets][probe]") {
  UiDriver ui({300, 200});
  bool second = true;
  ui.draw_each_frame([&] {
    ImGui::SetCursorScreenPos(ImVec2(20, 30));
    ImGui::Button("a", ImVec2(50, 20));
    ui::probe("a");
    if (second) ui::probe("far", ImVec2(290, 190), ImVec2(400, 400));
    ui::probe("outside", ImVec2(500, 500), ImVec2(600, 600));
  });
  ui.frames(2);
  CHECK(ui.rect("a").min.x == 20);
  CHECK(ui.rect("a").max.y == 50);
  CHECK(ui.rect("far").max.x <= 300);
  CHECK(ui.names() == std::vector<std::string>{"a", "far", "outside"});
  second = false;
  ui.frames();
  CHECK_FALSE(ui.exists("far"));
}

TEST_CASE("probe: the same name twice in a frame is noted", "[widgets][probe]") {
  UiDriver ui({300, 200});
  ui.draw_each_frame([] { ui::probe("same", ImVec2(0, 0), ImVec2(9, 9)); });
  ui.frames(3);
  CHECK(ui::probe_recorder()->duplicates.empty());
  ui.draw_each_frame([] {
    ui::probe("same", ImVec2(0, 0), ImVec2(9, 9));
    ui::probe("same", ImVec2(0, 0), ImVec2(9, 9));
  });
  ui.program(ui.size, UiDriver::dt, ui.input);
  CHECK(ui::probe_recorder()->duplicates == std::vector<std::string>{"same"});
}

TEST_CASE("probe: an item scrolled out of sight is brought into view", "[widgets][probe]") {
  UiDriver ui({300, 200});
  int clicked = -1;
  ui.draw_each_frame([&] {
    ImGui::BeginChild("list", ImVec2(200, 100));
    for (int k = 0; k < 60; ++k) {
      if (ImGui::Button(("row " + std::to_string(k)).c_str())) clicked = k;
      ui::probe("list/" + std::to_string(k));
    }
    ImGui::EndChild();
  });
  ui.frames(2);
  ui.click("list/47");
  CHECK(clicked == 47);
  ui.click("list/0");
  CHECK(clicked == 0);
}
