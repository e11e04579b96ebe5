#include "app/platform/fonts.h"

#include <catch2/catch.hpp>

using namespace hydra;

namespace {
struct FontContext {
  ImGuiContext* context = ImGui::CreateContext();
  ~FontContext() { ImGui::DestroyContext(context); }
};
}  // namespace

TEST_CASE("fonts: every face is built, scales, and has what its texts use", "[platform][fonts]") {
  const FontContext context;
  for (const float scale : {1.0f, 2.0f, 0.5f}) {
    const Fonts fonts = build_fonts(scale);
    CHECK(ImGui::GetIO().Fonts->IsBuilt());
    for (ImFont* font : {fonts.small, fonts.text, fonts.strong, fonts.large, fonts.mono, fonts.mono_small}) {
      REQUIRE(font != nullptr);
      CHECK(font->IsLoaded());
      for (const ImWchar c : {0x41, 0x30, 0x2212, 0x00D7, 0x221E, 0x2026})
        CHECK(font->FindGlyphNoFallback(c) != nullptr);
    }
    CHECK(fonts.large->FontSize > fonts.text->FontSize);
    if (!fonts.unicode) return;
    CHECK(fonts.text->FontSize == Approx(15 * scale).margin(0.5));
    // √ ᵀ ᵢ ⁴ ₄ ₖ ⱼ ² · Σ ≤ ∈ ‖ é Ж
    for (const ImWchar c : {0x221A, 0x1D40, 0x1D62, 0x2074, 0x2084, 0x2096, 0x2C7C, 0x00B2, 0x22C5, 0x03A3, 0x2264,
                            0x2208, 0x2016, 0x00E9, 0x0416})
      for (ImFont* font : {fonts.small, fonts.text}) CHECK(font->FindGlyphNoFallback(c) != nullptr);
    for (const ImWchar c : {0x1D40, 0x2074, 0x2084, 0x221A, 0x0101})
      CHECK(fonts.strong->FindGlyphNoFallback(c) != nullptr);
  }
}

TEST_CASE("fonts: digits and the minus are equally wide in the faces of numbers", "[platform][fonts]") {
  const FontContext context;
  const Fonts fonts = build_fonts(1);
  for (ImFont* font : {fonts.mono, fonts.mono_small})
    for (const ImWchar c : {0x31, 0x38, 0x2E, 0x2212}) CHECK(font->GetCharAdvance(c) == font->GetCharAdvance('0'));
}
