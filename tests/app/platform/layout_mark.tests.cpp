// A layout that is left in its middle, as by what throws there.
#include "app/platform/layout_mark.h"

#include <catch2/catch.hpp>

#include "app/platform/fonts.h"

using namespace hydra;

TEST_CASE("layout mark: windows, fonts, colours and clips that were left open are closed", "[platform][layout]") {
  ImGuiContext* context = ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  ImGui::GetIO().DisplaySize = {640, 480};
  const Fonts fonts = build_fonts(1);
  for (int depth = 0; depth < 4; ++depth) {
    ImGui::NewFrame();
    ImGui::Begin("outer");
    ImGui::PushFont(fonts.text);
    {
      LayoutMark mark;
      for (int k = 0; k < depth; ++k) {
        ImGui::PushFont(fonts.strong);
        ImGui::BeginChild(ImGui::GetID(&k), {100, 100});
        ImGui::PushFont(fonts.large);
        ImGui::PushStyleColor(ImGuiCol_Text, 0xff00ffff);
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {1, 1});
        ImGui::BeginGroup();
        ImGui::GetWindowDrawList()->PushClipRect({0, 0}, {10, 10});
      }
      mark.come_back();
    }
    CHECK(ImGui::GetFont() == fonts.text);
    ImGui::PopFont();
    ImGui::End();
    ImGui::Render();  // asserts that nothing is open
  }
  ImGui::DestroyContext(context);
}
