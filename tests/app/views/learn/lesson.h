// The Learn view with a task that was chosen.
#pragma once
#include <algorithm>
#include <thread>

#include "app/platform/input.h"
#include "tests/support/session.h"

namespace hydra {

struct Lesson : Session {
  explicit Lesson(const std::string& task = "collapse", ImVec2 size = {1600, 1000})
      : Session(default_document(), size) {
    set(view().view, ViewId::learn);
    ui.frames(2);
    ui.click("learn/task/" + task);
    ui.frames(2);
  }
  // Until so many steps are taken, or it ends.
  void train_until(int step) {
    set(view().learn.setup.recipe.steps, step);
    ui.click("learn/train");
    wait_for_training();
  }
  void wait_for_pause() {
    wait_until([&] { return !ui.exists("learn/pause"); });
  }
  void wait_for_training() {
    wait_for_pause();
    REQUIRE(ui.exists("learn/train"));
    settle();
  }
  // To a step that was taken, by its branch's bar and the arrow keys.
  void go_to(int branch, int step) {
    ui.click(ui.rect("learn/branch/" + std::to_string(branch)).at(0.5f, 0.5f));
    settle();
    REQUIRE(app.learn().branch == branch);
    for (int k = 0; k < 100 && app.learn().step != step; ++k) {
      ui.key(app.learn().step > step ? key::left : key::right);
      settle();
    }
    REQUIRE(app.learn().step == step);
  }
  Mat<float> W_Q() { return *weights().W_Q; }
};

// Whether anything of that colour was drawn within a part in the last frame; matrices do not count.
inline bool draws(UiDriver& ui, const std::string& part, ImU32 color) {
  const auto rect = ui.seen(part);
  REQUIRE(rect);
  const auto is_that = [&](const ImDrawVert& corner) {
    return (corner.col & ~IM_COL32_A_MASK) == (color & ~IM_COL32_A_MASK) && corner.pos.x >= rect->min.x &&
           corner.pos.x <= rect->max.x && corner.pos.y >= rect->min.y && corner.pos.y <= rect->max.y;
  };
  const ImDrawData* const data = ImGui::GetDrawData();
  for (int k = 0; k < data->CmdListsCount; ++k)
    if (std::ranges::any_of(data->CmdLists[k]->VtxBuffer, is_that)) return true;
  return false;
}

}  // namespace hydra
