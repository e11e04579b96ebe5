// Which words stand along an edge that has no room for all of them.
#include "app/widgets/matrix/token_axis.h"

#include <catch2/catch.hpp>

#include "app/draw/canvas.h"
#include "app/widgets/plot/label_steps.h"
#include "core/files/utf8.h"
#include "tests/support/ui_driver.h"

using namespace hydra;

namespace {

std::vector<int> labelled(int count, int stride, int marked) {
  std::vector<int> tokens;
  for (int t = 0; t < count; ++t)
    if (is_labelled(t, stride, marked)) tokens.push_back(t);
  return tokens;
}

}  // namespace

TEST_CASE("token axis: the marked word has a label, and none runs into it", "[widgets]") {
  CHECK(labelled(7, 1, -1) == std::vector<int>{0, 1, 2, 3, 4, 5, 6});
  CHECK(labelled(7, 1, 3) == std::vector<int>{0, 1, 2, 3, 4, 5, 6});
  CHECK(labelled(7, 2, -1) == std::vector<int>{0, 2, 4, 6});
  CHECK(labelled(7, 2, 4) == std::vector<int>{0, 2, 4, 6});
  CHECK(labelled(7, 2, 3) == std::vector<int>{0, 3, 6});
  CHECK(labelled(7, 3, 0) == std::vector<int>{0, 3, 6});
  CHECK(labelled(7, 3, 1) == std::vector<int>{1, 6});
  for (int stride = 1; stride < 6; ++stride)
    for (int marked = 0; marked < 12; ++marked) {
      const std::vector<int> tokens = labelled(12, stride, marked);
      CHECK(std::find(tokens.begin(), tokens.end(), marked) != tokens.end());
      for (std::size_t k = 1; k < tokens.size(); ++k) CHECK(tokens[k] - tokens[k - 1] >= stride);
    }
}

TEST_CASE("token axis: text is cut to the longest beginning that fits with its ellipsis", "[widgets]") {
  UiDriver ui;
  const Fonts fonts = build_fonts(1);
  ImFont* font = fonts.text;
  const auto width = [&](const std::string& text) { return text_width(font, text); };
  for (const std::string& text : {std::string("antidisestablishmentarianism"), std::string("naïve Œuvre — Straße é"),
                                  std::string("ééééééééééé"), std::string("a"), std::string()}) {
    CHECK(clipped(font, text, width(text)) == text);
    CHECK(clipped(font, text, width(text) + 1) == text);
    for (float room = -3; room < width(text); room += 0.7f) {
      const std::string cut = clipped(font, text, room);
      CAPTURE(text, room, cut);
      CHECK(is_utf8(cut));
      if (cut.empty()) {  // not even one letter fits
        std::size_t first = 1;
        while (first < text.size() && (static_cast<unsigned char>(text[first]) & 0xc0) == 0x80) ++first;
        CHECK(width(text.substr(0, first) + "…") > room);
        continue;
      }
      CHECK(width(cut) <= room + 0.01f);
      REQUIRE(cut.ends_with("…"));
      const std::string kept = cut.substr(0, cut.size() - std::string("…").size());
      REQUIRE(text.starts_with(kept));
      std::size_t next = kept.size() + 1;
      while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xc0) == 0x80) ++next;
      CHECK(width(text.substr(0, next) + "…") > room - 0.01f);
    }
  }
  const std::string endless(1u << 24, 'm');  // a letter at a time would take hours
  CHECK(width(clipped(font, endless, 100)) <= 100);
  const std::string composed = "Ann+apple+1:Bob+2:Cleo";
  CHECK(clipped(font, composed, width("Ann+apple+1:B…")) == "Ann+apple…");
  CHECK(clipped(font, composed, width("Ann+apple…") + 1) == "Ann+apple…");
  CHECK(clipped(font, composed, width("Ann+app…")) == "Ann…");
  CHECK(clipped(font, composed, width("An…") + 1) == "An…");
}

TEST_CASE("token axis: pointing at a word that its label cannot tell shows it whole", "[widgets]") {
  UiDriver ui({600, 400});
  const std::vector<std::string> tokens{"plain", "שלום", "antidisestablishmentarianism"};
  ImFont* font = nullptr;
  ui.draw_each_frame([&] {
    ui::probe("page", {0, 0}, {600, 400});  // names are forgotten when a frame gives others
    font = ImGui::GetFont();
    const TokenAxis axis{&tokens, font, IM_COL32_WHITE, IM_COL32_WHITE, -1};
    row_labels(ui.canvas, axis, 200, 80, 200, 40);
    column_labels(ui.canvas, axis, 300, 40, 200, 90);
  });
  ui.frames(2);
  const auto told = [&](ImVec2 point) {
    ui.move(point);
    return ui.exists("axis/word");
  };
  CHECK_FALSE(told({195, 220}));
  CHECK(told({195, 260}));
  CHECK(told({195, 300}));
  CHECK_FALSE(told({195, 340}));
  // Columns: a little up along the rising word.
  const auto column = [&](int j) {
    return ImVec2{300 + (static_cast<float>(j) + 0.5f) * 40 + 0.3f * font->FontSize + 3, 200 - 8};
  };
  CHECK_FALSE(told(column(0)));
  CHECK(told(column(1)));
  CHECK(told(column(2)));
}

TEST_CASE("token axis: scripts with marks over and under their letters get higher steps", "[widgets]") {
  for (const char* word : {"सूर्य", "ผู้ใหญ่", "مرحبا", "တွေ့", "ខ្មែរ"}) {
    CAPTURE(word);
    CHECK(tall_step({"the", word}) > 1.2f);
  }
  CHECK(tall_step({"the", "Übermut", "λόγος", "слово", "漢字", "한국어"}) == 1);
  CHECK(tall_step({}) == 1);
}
