// A session without anything that draws: what commands have that make no picture.
#include "app/platform/imgui_session.h"

#include <catch2/catch.hpp>

using namespace hydra;

TEST_CASE("imgui session: a long run's curves are laid out where nothing is drawn", "[platform]") {
  ImGuiContext* const before = ImGui::GetCurrentContext();
  {
    const ImGuiSession session;
    ImGuiIO& io = ImGui::GetIO();
    unsigned char* texels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsAlpha8(&texels, &width, &height);
    io.DisplaySize = {100, 100};
    ImGui::NewFrame();
    constexpr int kMany = 20000;  // four vertices each, more than 16 bits count
    for (int k = 0; k < kMany; ++k) ImGui::GetBackgroundDrawList()->AddRectFilled({0, 0}, {10, 10}, IM_COL32_WHITE);
    ImGui::Render();
    CHECK(ImGui::GetDrawData()->TotalVtxCount == 4 * kMany);
  }
  ImGui::SetCurrentContext(before);
}
