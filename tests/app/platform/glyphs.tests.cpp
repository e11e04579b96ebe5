#include "app/platform/glyphs.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <iostream>

#include "app/draw/canvas.h"
#include "app/platform/fonts.h"
#include "app/platform/system_fonts.h"
#include "app/platform/text_pieces.h"
#include "core/files/utf8.h"
#include "core/text/clusters.h"

using namespace hydra;

namespace {

struct GlyphContext {
  ImGuiContext* context = ImGui::CreateContext();
  Glyphs glyphs;
  Fonts fonts = build_fonts(1);

  GlyphContext() { glyphs.adopt(*ImGui::GetIO().Fonts); }
  ~GlyphContext() {
    ImGui::GetIO().UserData = nullptr;
    ImGui::DestroyContext(context);
  }
  // As the frame does until nothing is missing.
  void grow() {
    glyphs.begin_frame();
    if (!glyphs.wants_build()) return;
    fonts = build_fonts(1, glyphs.rows_wanted());
    glyphs.adopt(*ImGui::GetIO().Fonts);
  }
  std::string drawn(const std::string& text) {
    for (int k = 0; k < 4; ++k) {
      glyphs.shown(fonts.text, text);
      grow();
    }
    return glyphs.shown(fonts.text, text);
  }
};

bool lacks(const char* clusters) {
  SystemFonts fonts;
  for (std::size_t at = 0; clusters[at] != '\0';) {
    const std::size_t end = end_of_cluster(clusters, at);
    if (!fonts.has(std::string_view(clusters).substr(at, end - at))) {
      std::cout << "skipped: no font of this system has " << std::string(clusters).substr(at, end - at) << '\n';
      return true;
    }
    at = end;
  }
  return false;
}

std::vector<char32_t> codes_of(const std::string& text) {
  std::vector<char32_t> codes;
  for (std::size_t at = 0; at < text.size();) {
    const Character c = decode(text, at);
    codes.push_back(c.code);
    at = c.end;
  }
  return codes;
}

// Ink of each column, and where the tallest is, from 0 (left) to 1.
std::vector<int> columns(const GlyphPicture& picture) {
  std::vector<int> ink(static_cast<std::size_t>(picture.width), 0);
  for (std::size_t k = 0; k < picture.rgba.size() / 4; ++k) ink[k % ink.size()] += picture.rgba[4 * k + 3];
  return ink;
}
float highest(const GlyphPicture& picture) {
  std::size_t first = 0;
  while (picture.rgba[4 * first + 3] < 128) ++first;
  return static_cast<float>(first % static_cast<std::size_t>(picture.width)) / static_cast<float>(picture.width);
}

std::string times(const std::string& text, std::size_t bytes) {
  std::string all;
  while (all.size() + text.size() <= bytes) all += text;
  return all;
}

// Of what long texts may be made: each had a cluster or a word without an end.
const char* const kEndless[] = {"👩\u200d", "क्", "कि", "\u0301", "ש", "漢", "👩", "हिन्दी ", "e\u0301\u0323", "a", "\xff"};

const char* const kTexts[] = {
    "漢字かなカナ한국어", "שָׁלוֹם עולם", "مرحبا بالعالم ٣٫١٤", "हिन्दी क्षेत्र", "👩‍👩‍👧👍🏽❤️🇩🇪",
    "e\u0301 x\u0323",    "ไทยที่",      "\ue123 \U000F0000",  "𠀀",         "a漢b",
    "می\u200cخواهم",      "\u200f"};

}  // namespace

TEST_CASE("glyphs: a text that the faces have is left as it is, and costs nothing", "[platform][glyphs]") {
  GlyphContext c;
  for (const std::string text : {"didn't", "W_Q³ → A₁ ≤ 0.5 …", "Été Ж Ω"}) {
    CHECK(&c.glyphs.shown(c.fonts.text, text) == &text);
    CHECK_FALSE(c.glyphs.wants_build());
    CHECK_FALSE(c.glyphs.take_changed());
  }
}

TEST_CASE("glyphs: every text is drawn with glyphs of its own, whatever fonts the system has", "[platform][glyphs]") {
  GlyphContext c;
  for (const std::string text : kTexts) {
    CAPTURE(text);
    const std::string shown = c.drawn(text);
    for (const char32_t code : codes_of(shown)) {
      REQUIRE(code <= 0xFFFF);
      const ImFontGlyph* glyph = c.fonts.text->FindGlyphNoFallback(static_cast<ImWchar>(code));
      REQUIRE(glyph != nullptr);
      CHECK(glyph->AdvanceX > 0);
      CHECK(glyph->Codepoint != '?');
    }
  }
}

TEST_CASE("glyphs: what was met is neither made nor uploaded again", "[platform][glyphs]") {
  GlyphContext c;
  std::vector<std::string> texts(std::begin(kTexts), std::end(kTexts));
  for (const std::string& text : texts) c.drawn(text);
  c.glyphs.take_changed();
  for (const std::string& text : texts) {
    const std::string* first = &c.glyphs.shown(c.fonts.text, text);
    c.grow();
    CHECK(&c.glyphs.shown(c.fonts.text, text) == first);
  }
  CHECK_FALSE(c.glyphs.take_changed());
  CHECK_FALSE(c.glyphs.wants_build());
}

TEST_CASE("glyphs: the atlas grows as far as the texts need, and keeps all", "[platform][glyphs]") {
  GlyphContext c;
  std::vector<std::string> ideographs;
  for (char32_t code = 0x4E00; code < 0x4E00 + 1024; ++code) ideographs.push_back(encode(code));
  for (int k = 0; k < 3; ++k) {
    for (const std::string& text : ideographs) c.glyphs.shown(c.fonts.large, text);
    c.grow();
  }
  CHECK_FALSE(c.glyphs.wants_build());
  for (char32_t code = 0x4E00; code < 0x4E00 + 1024; ++code)
    REQUIRE(c.fonts.large->FindGlyphNoFallback(static_cast<ImWchar>(code)) != nullptr);
}

TEST_CASE("glyphs: a code that no font has is a box of its own", "[platform][glyphs]") {
  GlyphContext c;
  const std::string one = c.drawn("\ue123"), other = c.drawn("\ue124"), astral = c.drawn("\U000F0001");
  const auto glyph = [&](const std::string& text) {
    return *c.fonts.text->FindGlyphNoFallback(static_cast<ImWchar>(decode(text, 0).code));
  };
  CHECK(one != other);
  CHECK(glyph(one).AdvanceX == glyph(other).AdvanceX);
  CHECK(glyph(astral).AdvanceX > glyph(one).AdvanceX);  // five digits
  CHECK(glyph(one).Y1 - glyph(one).Y0 <= c.fonts.text->FontSize);
  const ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  const auto texels = [&](const ImFontGlyph& g) {
    std::vector<ImU32> all;
    const auto x = static_cast<int>(std::lround(g.U0 * static_cast<float>(atlas.TexWidth))),
               y = static_cast<int>(std::lround(g.V0 * static_cast<float>(atlas.TexHeight)));
    for (int row = 0; row < static_cast<int>(g.Y1 - g.Y0); ++row)
      for (int col = 0; col < static_cast<int>(g.X1 - g.X0); ++col)
        all.push_back(atlas.TexPixelsRGBA32[(y + row) * atlas.TexWidth + x + col]);
    return all;
  };
  CHECK(texels(glyph(one)) != texels(glyph(other)));  // 3 and 4
}

TEST_CASE("glyphs: Arabic joins and reads from right to left, numbers within it from left to right",
          "[platform][glyphs]") {
  if (lacks("مرحباوس٣١")) return;
  SystemFonts fonts;
  float apart = 0;
  for (const char* letter : {"م", "ر", "ح", "ب", "ا"}) apart += fonts.picture(letter, 40)->advance;
  CHECK(fonts.picture("مرحبا", 40)->advance < 0.9f * apart);
  // The tall letter, first and last.
  CHECK(highest(*fonts.picture("اس", 40)) > 0.5f);
  CHECK(highest(*fonts.picture("سا", 40)) < 0.5f);
  // The number stands behind the word, which is left of it, as it stands alone.
  const std::vector<int> number = columns(*fonts.picture("٣١", 40)), all = columns(*fonts.picture("و٣١", 40));
  REQUIRE(all.size() > number.size());
  CHECK(std::equal(number.begin(), number.end(), all.begin()));
}

TEST_CASE("glyphs: Devanagari makes conjuncts and reorders, marks stand on their letters", "[platform][glyphs]") {
  if (lacks("कषटिटी")) return;
  SystemFonts fonts;
  const auto width = [&](const char* word) { return fonts.picture(word, 40)->advance; };
  CHECK(width("क्ष") < width("क") + width("ष"));
  // The long vowel is a stem behind its letter, the short one a stem before it, though it is stored behind.
  const auto stem = [&](const char* word) {
    const std::vector<int> ink = columns(*fonts.picture(word, 80));
    return static_cast<float>(std::max_element(ink.begin(), ink.end()) - ink.begin()) / static_cast<float>(ink.size());
  };
  CHECK(stem("टी") > 0.5f);
  CHECK(stem("टि") < 0.5f);
}

TEST_CASE("glyphs: a joined emoji is one picture in colours", "[platform][glyphs]") {
  if (lacks("👩‍👩‍👧👩🇩🇪")) return;
  SystemFonts fonts;
  const auto family = fonts.picture("👩‍👩‍👧", 40), woman = fonts.picture("👩", 40);
  CHECK(family->advance == woman->advance);
  if (!woman->colored) return;
  bool colors = false;
  for (std::size_t k = 0; k < woman->rgba.size(); k += 4) colors |= woman->rgba[k] != woman->rgba[k + 2];
  CHECK(colors);
}

TEST_CASE("glyphs: the pieces of a text are in the order of the screen", "[platform][glyphs]") {
  const auto pieces = [](const char* text, const char* missing = "") {
    std::vector<std::string> parts;
    for (const TextPiece& p : pieces_of(text, [&](std::string_view c) { return c != missing; }))
      parts.push_back((p.stands_alone ? "" : "*") + std::string(p.text));
    return parts;
  };
  using Parts = std::vector<std::string>;
  CHECK(pieces("a→漢") == Parts{"a", "→", "漢"});
  CHECK(pieces("שלום → עולם") == Parts{"*שלום", " ", "→", " ", "*עולם"});
  CHECK(pieces("שב…") == Parts{"*שב…"});
  CHECK(pieces("צה\"ל.") == Parts{"*צה\"ל", "."});
  CHECK(pieces("שב", "ש") == Parts{"*ב", "*ש"});
  CHECK(pieces("हिन्दी।") == Parts{"*हिन्दी।"});
  CHECK(pieces("👍🏽👍") == Parts{"*👍🏽", "*👍"});
  CHECK(pieces("xe\u0301y") == Parts{"x", "*e\u0301", "y"});
  CHECK(pieces("👩‍👧", "👩‍👧") == Parts{"*👩", "*\u200d", "*👧"});
  CHECK(pieces("a\nb\xff") == Parts{"a", "\n", "b", "*\xff"});
}

TEST_CASE("glyphs: a text is clipped between clusters, in the width it has on the screen", "[platform][glyphs]") {
  GlyphContext c;
  for (const std::string text : kTexts) {
    CAPTURE(text);
    c.drawn(text);
    const float whole = text_width(c.fonts.text, text);
    CHECK(clipped(c.fonts.text, text, whole) == text);
    for (float width = 0; width < whole; width += 7) {
      const std::string kept = clipped(c.fonts.text, text, width);
      if (kept.empty()) continue;
      CAPTURE(width, kept);
      REQUIRE(kept.ends_with("…"));
      const std::string beginning = kept.substr(0, kept.size() - std::string("…").size());
      REQUIRE(text.starts_with(beginning));
      std::size_t at = 0;
      while (at < beginning.size()) at = end_of_cluster(text, at);
      CHECK(at == beginning.size());
      c.drawn(kept);
      CHECK(text_width(c.fonts.text, kept) <= width);
    }
  }
  const std::string endless = [] {
    std::string word;
    for (int k = 0; k < 32000; ++k) word += "ש";
    return word;
  }();
  CHECK(clipped(c.fonts.text, endless, 100).size() < 100);
}

TEST_CASE("glyphs: what a text costs is what can be seen of it, and that once", "[platform][glyphs]") {
  for (const std::string unit : kEndless) {
    CAPTURE(unit);
    const auto asked = [&](std::size_t bytes) {
      GlyphContext c;
      const std::string text = times(unit, bytes);
      const auto use = [&] {
        c.glyphs.shown(c.fonts.text, text);
        const float whole = text_width(c.fonts.text, text);
        for (const float width : {40.0f, 400.0f, 0.5f * whole}) {
          const std::string beginning = clipped(c.fonts.text, text, width);
          CHECK(text_width(c.fonts.text, beginning) <= width);
        }
      };
      use();
      for (int k = 0; k < 4; ++k) c.grow(), use();
      const std::size_t all = c.glyphs.asked();
      c.grow();
      use();
      CHECK(c.glyphs.asked() == all);
      return all;
    };
    const std::size_t some = asked(2 * kMostShown);
    CHECK(asked(8 * kMostShown) == some);
    CHECK(some <= 64 * kMostShown);
  }
}

TEST_CASE("glyphs: a picture that is wider than its part of the atlas is made once, and cut", "[platform][glyphs]") {
  if (lacks("﷽")) return;
  GlyphContext c;
  const std::string shown = c.drawn(times("﷽", 24 * std::string("﷽").size()));
  CHECK_FALSE(c.glyphs.wants_build());
  for (const char32_t code : codes_of(shown))
    CHECK(c.fonts.text->FindGlyphNoFallback(static_cast<ImWchar>(code)) != nullptr);
}

TEST_CASE("glyphs: a text is measured without its pictures, as wide as it is drawn", "[platform][glyphs]") {
  GlyphContext c;
  for (ImFont* font : {c.fonts.text, c.fonts.large, c.fonts.small})
    for (const std::string text : kTexts) {
      CAPTURE(text);
      c.glyphs.take_changed();
      const float before = text_width(font, text);
      CHECK_FALSE(c.glyphs.take_changed());
      const auto drawn = [&] {
        const std::string& line = c.glyphs.shown(font, text);
        return font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, line.data(), line.data() + line.size()).x;
      };
      CHECK(text_width(font, text + "\na") == std::max(before, text_width(font, "a")));
      drawn();
      if (c.glyphs.wants_build()) continue;  // the fonts would be others
      CHECK(drawn() == before);
      CHECK(text_width(font, text) == before);
    }
}

TEST_CASE("glyphs: a field with more clusters than there are codes keeps its text and lets go of nothing",
          "[platform][glyphs]") {
  GlyphContext c;
  std::string text;
  for (char32_t letter = 'a'; letter <= 'z'; ++letter)
    for (char32_t first = 0x300; first < 0x310; ++first)
      for (char32_t second = 0x310; second < 0x330; ++second) text += encode(letter) + encode(first) + encode(second);
  for (int k = 0; k < 3; ++k) {
    CHECK(c.glyphs.from_field(c.glyphs.for_field(c.fonts.text, text, false)) == text);
    c.glyphs.begin_frame();
    CHECK_FALSE(c.glyphs.wants_build());
  }
}

TEST_CASE("glyphs: a field of endless text is cut into clusters once, and costs no picture while nobody types",
          "[platform][glyphs]") {
  GlyphContext c;
  for (const std::string unit : kEndless) {
    CAPTURE(unit);
    const std::string text = times(unit, 16 * kMostShown);
    c.glyphs.take_changed();
    const std::size_t before = c.glyphs.asked();
    const std::string field = c.glyphs.for_field(c.fonts.text, text, false);
    CHECK(c.glyphs.from_field(field) == text);
    CHECK(c.glyphs.asked() == before);
    CHECK_FALSE(c.glyphs.take_changed());
  }
}

TEST_CASE("glyphs: a field holds a text cluster by cluster and gives it back", "[platform][glyphs]") {
  GlyphContext c;
  for (const std::string text : kTexts) {
    CAPTURE(text);
    const std::string field = c.glyphs.for_field(c.fonts.text, text);
    CHECK(c.glyphs.from_field(field) == text);
    std::size_t clusters = 0;
    for (std::size_t at = 0; at < text.size(); ++clusters) at = end_of_cluster(text, at);
    CHECK(codes_of(field).size() == clusters);
    for (const char32_t code : codes_of(field)) CHECK(code <= 0xFFFF);
  }
  CHECK(c.glyphs.from_field(encode(c.glyphs.typed(U'👍'))) == "👍");
  CHECK(c.glyphs.typed(U'ש') == U'ש');
}
