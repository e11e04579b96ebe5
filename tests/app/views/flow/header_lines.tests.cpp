#include "app/views/flow/header_lines.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

using namespace hydra;

namespace {

// A character is one wide.
float width(const std::string& text) { return static_cast<float>(text.size()); }

const std::vector<std::vector<std::string>> kStatements{
    {"pronoun to antecedent 0.84 (0.70 to 0.92) on 20 rows", "pronoun to antecedent 0.84 (0.70 to 0.92)", "coref 0.84"},
    {"removing it changes Y by 26 %", "removal 26 %"},
    {"on 277 of the 434 rows where nothing was asked it attends boldly", "bold unasked: 277 rows"}};

}  // namespace

TEST_CASE("header lines: everything in full where there is room", "[app][flow]") {
  const std::vector<HeaderPiece> pieces = header_lines(kStatements, 200, 1, 3, width);
  REQUIRE(pieces.size() == 3);
  for (std::size_t k = 0; k < 3; ++k) CHECK(pieces[k].text == kStatements[k][0]);
  CHECK(pieces[1].x == width(kStatements[0][0]) + 3);
}

TEST_CASE("header lines: nothing is cut, overlaps or leaves the box, at any width", "[app][flow]") {
  for (float room = 4; room < 160; room += 1)
    for (int lines = 1; lines < 8; ++lines) {
      CAPTURE(room, lines);
      std::map<int, float> ends;
      std::map<int, std::string> said;
      for (const HeaderPiece& piece : header_lines(kStatements, room, lines, 3, width)) {
        CHECK(piece.line < lines);
        CHECK(piece.x + width(piece.text) <= room);
        if (ends.count(piece.line)) CHECK(piece.x >= ends[piece.line] + 3);
        ends[piece.line] = piece.x + width(piece.text);
        std::string& text = said[piece.statement];
        text += (text.empty() ? "" : " ") + piece.text;
      }
      for (const auto& [statement, text] : said) {
        const std::vector<std::string>& versions = kStatements[static_cast<std::size_t>(statement)];
        CHECK(std::count(versions.begin(), versions.end(), text) == 1);
      }
    }
}

TEST_CASE("header lines: what stands last is shortened first", "[app][flow]") {
  const std::vector<HeaderPiece> pieces = header_lines(kStatements, 60, 3, 3, width);
  REQUIRE(pieces.size() == 3);
  CHECK(pieces[0].text == kStatements[0][0]);
  CHECK(pieces[1].text == kStatements[1][0]);
  CHECK(pieces[2].text == kStatements[2][1]);
}
