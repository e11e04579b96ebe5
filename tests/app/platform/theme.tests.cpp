#include "app/platform/theme.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace hydra;

namespace {

double luminance(ImU32 color) {
  const auto channel = [&](int shift) {
    const double v = (color >> shift & 0xFF) / 255.0;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * channel(IM_COL32_R_SHIFT) + 0.7152 * channel(IM_COL32_G_SHIFT) + 0.0722 * channel(IM_COL32_B_SHIFT);
}

double contrast(ImU32 a, ImU32 b) {
  const double low = std::min(luminance(a), luminance(b)), high = std::max(luminance(a), luminance(b));
  return (high + 0.05) / (low + 0.05);
}

}  // namespace

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
