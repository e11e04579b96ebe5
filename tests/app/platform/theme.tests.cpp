#include "app/platform/theme.h"

#include <catch2/catch.hpp>

#include "app/draw/color_map.h"
#include "tests/support/contrast.h"

using namespace hydra;

TEST_CASE("theme: text reads on every ground (WCAG AA), disabled text at 3:1", "[platform][theme]") {
  for (const bool dark : {false, true}) {
    const Theme& t = theme(dark);
    CHECK(t.dark == dark);
    for (const ImU32 ground : {t.ground, t.panel, t.raised}) {
      CAPTURE(dark);
      for (const ImU32 text : {t.ink, t.ink_soft, t.accent, t.warning, t.error}) CHECK(contrast(text, ground) >= 4.5);
      CHECK(contrast(t.ink_faint, ground) >= 3.0);
    }
    CHECK(contrast(t.ink, t.accent_soft) >= 4.5);  // a selected tab
  }
}

TEST_CASE("theme: what outlines mean is told apart by their colours, without green cones, too", "[platform][theme]") {
  for (const bool dark : {false, true}) {
    const Theme& t = theme(dark);
    const std::array<ImU32, 5> meanings{t.accent, t.link_input, t.link_affected, t.gold, t.change};
    for (std::size_t a = 0; a < meanings.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        CAPTURE(dark, a, b);
        const Light one = light_of(meanings[a]), other = light_of(meanings[b]);
        CHECK(lab_distance(one, other) >= 50);
        CHECK(lab_distance(without_green_cones(one), without_green_cones(other)) >= 24);
      }
    for (const ImU32 outline : meanings)
      if (outline != t.gold) CHECK(contrast(outline, t.ground) >= 4);
  }
}

TEST_CASE("theme: sizes grow with the scale, colours do not", "[platform][theme]") {
  ImGuiContext* context = ImGui::CreateContext();
  apply_style(theme(false), 1);
  const ImGuiStyle plain = ImGui::GetStyle();
  apply_style(theme(false), 2);
  apply_style(theme(false), 2);  // not cumulative
  CHECK(ImGui::GetStyle().ItemSpacing.x == 2 * plain.ItemSpacing.x);
  CHECK(ImGui::GetStyle().FramePadding.y == 2 * plain.FramePadding.y);
  CHECK(ImGui::GetStyle().Colors[ImGuiCol_Text].x == plain.Colors[ImGuiCol_Text].x);
  ImGui::DestroyContext(context);
}

TEST_CASE("theme: colours of heads and of branches stand out from the ground as lines do (3:1)", "[platform][theme]") {
  for (const bool dark : {false, true}) {
    for (int head = 0; head < 40; ++head) {
      CAPTURE(dark, head);
      CHECK(contrast(head_color(head, dark), theme(dark).ground) >= 3);
      for (int other = 0; other < head; ++other) CHECK(head_color(head, dark) != head_color(other, dark));
    }
    for (int branch = 0; branch < 6; ++branch) {
      CAPTURE(dark, branch);
      CHECK(contrast(branch_color(branch, dark), theme(dark).ground) >= 3);
    }
  }
}

TEST_CASE("theme: outlines and what marks pairs, changes and links stand out from the ground (3:1)",
          "[platform][theme]") {
  for (const bool dark : {false, true}) {
    const Theme& t = theme(dark);
    CAPTURE(dark);
    for (const ImU32 line : {t.accent, t.hover, t.link_input, t.link_affected, t.change, t.warning, t.error})
      for (const ImU32 ground : {t.ground, t.panel}) CHECK(contrast(line, ground) >= 3);
    if (dark) CHECK(contrast(t.gold, t.ground) >= 3);  // on the light one it has a dark casing
  }
}
