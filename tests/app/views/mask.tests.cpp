// Painting the mask, driven by name through the whole program.
#include <catch2/catch.hpp>

#include "app/views/mask/mask_bar.h"
#include "app/views/mask/mask_hands.h"
#include "core/document/evaluate.h"
#include "core/io/file.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

Index tokens(const Session& s) { return static_cast<Index>(s.app.trace().tokens.size()); }

bool allowed(const Session& s, Index query, Index key) { return s.layer().mask.allows(query, key); }

ImVec2 cell(Session& s, const std::string& picture, Index row, Index col) {
  return s.ui.rect(picture).cell(row, col, tokens(s), tokens(s));
}

void stroke(Session& s, const std::string& picture, std::pair<Index, Index> from, std::pair<Index, Index> to) {
  s.ui.move(cell(s, picture, from.first, from.second));
  s.ui.press();
  s.ui.move(cell(s, picture, to.first, to.second));
  s.ui.release();
}

void open_tool(Session& s, ViewId view) {
  s.set(s.view().view, view);
  s.ui.frames(2);
  s.ui.key(key::letter('k'));
  s.ui.frames(2);
  REQUIRE(s.view().mask.on);
  REQUIRE(s.ui.exists("mask/bar"));
}

}  // namespace

TEST_CASE("mask view: a drag paints what its first cell got, in one step of undo", "[app][mask]") {
  const auto [view, picture] =
      GENERATE(std::pair{ViewId::heads, "heads/large"}, std::pair{ViewId::flow, "flow/attention"},
               std::pair{ViewId::flow, "flow/scores"}, std::pair{ViewId::heads, "heads/large presented"});
  Session s;
  if (std::string(picture).ends_with("presented")) s.ui.key(key::f5);
  const std::string name = std::string(picture).substr(0, std::string(picture).find(' '));
  open_tool(s, view);
  stroke(s, name, {2, 1}, {2, 6});
  REQUIRE(s.layer().mask.kind == Mask::Kind::custom);
  for (Index j = 0; j < tokens(s); ++j) CHECK(allowed(s, 2, j) == (j < 1 || j > 6));  // no gap in a quick drag
  for (Index i = 0; i < tokens(s); ++i)
    if (i != 2) CHECK(s.layer().mask.allowed->row(i).minCoeff() == 1);
  CHECK(s.head(0).attention->row(2).segment(1, 6).isZero(0));
  CHECK_FALSE(s.view().selection);  // a click paints and selects nothing
  check_as_scratch(s);

  // From a hidden cell the same drag allows.
  stroke(s, name, {2, 3}, {2, 4});
  CHECK(allowed(s, 2, 3));
  CHECK(allowed(s, 2, 4));
  CHECK_FALSE(allowed(s, 2, 2));
  s.ui.key(key::letter('z'), true);
  CHECK_FALSE(allowed(s, 2, 3));
  s.ui.key(key::letter('z'), true);
  CHECK(s.layer().mask == Mask{});
  CHECK_FALSE(s.app.history().can_undo());
}

TEST_CASE("mask view: Esc takes a drag back, and ends painting after that", "[app][mask]") {
  Session s;
  open_tool(s, ViewId::heads);
  s.ui.move(cell(s, "heads/large", 4, 0));
  s.ui.press();
  s.ui.move(cell(s, "heads/large", 4, 3));
  CHECK_FALSE(allowed(s, 4, 3));
  s.ui.key(key::escape);
  CHECK(s.layer().mask == Mask{});
  s.ui.move(cell(s, "heads/large", 5, 5));  // the button is still down
  s.ui.release();
  CHECK(s.layer().mask == Mask{});
  CHECK_FALSE(s.app.history().can_undo());
  CHECK(s.view().mask.on);
  s.ui.key(key::escape);
  CHECK_FALSE(s.view().mask.on);
  s.ui.click(cell(s, "heads/large", 4, 3));
  CHECK(s.layer().mask == Mask{});
  CHECK(s.view().selection);
}

TEST_CASE("mask view: starts, their sizes and what they are called", "[app][mask]") {
  Session s;
  open_tool(s, ViewId::heads);
  const Index n = tokens(s);
  s.ui.click("mask/start/causal");
  CHECK(s.layer().mask.kind == Mask::Kind::causal);
  CHECK_FALSE(s.ui.exists("mask/size"));
  s.ui.click("mask/start/window");
  CHECK(s.layer().mask == mask_of({MaskPattern::window, 2}, n));
  CHECK(s.app.history().undo_label() == "window mask, 2");
  s.ui.click("mask/larger");
  CHECK(s.layer().mask == mask_of({MaskPattern::window, 3}, n));
  s.ui.click("mask/only_before");
  CHECK(s.layer().mask == mask_of({MaskPattern::window, 3, true}, n));
  s.ui.click("mask/start/strided");
  CHECK(s.layer().mask == mask_of({MaskPattern::strided, 4}, n));
  CHECK_FALSE(s.ui.exists("mask/only_before"));
  s.ui.click("mask/smaller");
  CHECK(s.layer().mask == mask_of({MaskPattern::strided, 3}, n));
  s.ui.click("mask/start/prefix");
  CHECK(s.layer().mask == mask_of({MaskPattern::prefix, 4}, n));
  s.ui.click("mask/start/blocks");
  CHECK(s.layer().mask == mask_of({MaskPattern::blocks, 4, true}, n));
  CHECK(s.ui.exists("model/mask/hidden"));
  check_as_scratch(s);
  // What was painted on a start is none of them any more, and stays when painting ends.
  s.ui.click(cell(s, "heads/large", 0, 0));
  CHECK_FALSE(s.ui.exists("mask/size"));
  s.ui.click("mask/done");
  CHECK_FALSE(s.ui.exists("mask/bar"));
  CHECK_FALSE(allowed(s, 0, 0));
  s.ui.click("model/mask/none");
  CHECK(s.layer().mask == Mask{});
  CHECK_FALSE(s.ui.exists("model/mask/hidden"));
}

TEST_CASE("mask view: arrows and Space, without the mouse", "[app][mask]") {
  Session s(default_document(), {1280, 800});
  open_tool(s, ViewId::heads);
  for (int k = 0; k < 3; ++k) s.ui.key(key::down);
  s.ui.key(key::right);
  s.ui.key(key::space);
  CHECK_FALSE(allowed(s, 3, 1));
  CHECK(s.layer().mask.allowed->cast<int>().sum() == tokens(s) * tokens(s) - 1);
  s.ui.key(key::left);
  s.ui.key(key::left);  // stops at the edge
  s.ui.key(key::space);
  CHECK_FALSE(allowed(s, 3, 0));
  s.ui.key(key::space);
  CHECK(allowed(s, 3, 0));
  s.ui.key(key::letter('z'), true);
  s.ui.key(key::letter('z'), true);
  s.ui.key(key::letter('z'), true);
  CHECK(s.layer().mask == Mask{});
}

TEST_CASE("mask view: the inspector's numbers can be painted on as well", "[app][mask]") {
  Session s;
  s.open({{Quantity::attention, 0, 0}, 3, 3});
  open_tool(s, ViewId::flow);
  CHECK(s.app.hands().of<MaskHands>().row == 3);  // the tool begins at what is selected
  s.ui.move("inspector/cell/1,1");
  s.ui.press();
  s.ui.move("inspector/cell/1,3");
  s.ui.release();
  for (Index j = 0; j < tokens(s); ++j) CHECK(allowed(s, 1, j) == (j < 1 || j > 3));
  CHECK(s.selection().row == 3);
  s.ui.key(key::letter('z'), true);
  CHECK(s.layer().mask == Mask{});
}

TEST_CASE("mask view: a row that sees nothing is said in words", "[app][mask]") {
  Session s;
  open_tool(s, ViewId::heads);
  CHECK(s.app.trace().tokens[7] == "it");
  stroke(s, "heads/large", {7, 0}, {7, tokens(s) - 1});
  CHECK(s.head(0).attention->row(7).isZero(0));
  CHECK(blind_rows(s.layer().mask, tokens(s)) == std::vector<Index>{7});
  CHECK(s.ui.exists("mask/blind"));
  check_as_scratch(s);
  s.ui.key(key::letter('z'), true);
  CHECK_FALSE(s.ui.exists("mask/blind"));
}

TEST_CASE("mask view: rows set by hand that a mask hides go with a word, and come back", "[app][mask]") {
  Document document = default_document();
  const auto n = static_cast<Index>(tokens_of(document).size());
  document = hydra::apply(document, PaintAttention{0, 2, share(RowVec<float>(RowVec<float>::Unit(n, 5)))});
  Session s(document);
  open_tool(s, ViewId::heads);
  s.ui.click(cell(s, "heads/large", 2, 4));
  CHECK_FALSE(s.layer().painted.empty());
  s.ui.click(cell(s, "heads/large", 2, 5));
  CHECK(s.layer().painted.empty());
  CHECK(s.notice().sentence.find("Undo") != std::string::npos);
  s.ui.key(key::letter('z'), true);
  CHECK_FALSE(s.layer().painted.empty());
}

TEST_CASE("mask view: another sentence keeps what both lengths have, and painting goes on", "[app][mask]") {
  Session s;
  open_tool(s, ViewId::heads);
  s.ui.click(cell(s, "heads/large", 1, 0));
  s.app.hands().of<MaskHands>().row = s.app.hands().of<MaskHands>().col = tokens(s) - 1;
  s.ui.click("sentence");
  s.ui.key(key::letter('a'), true);
  s.ui.type("One two three");
  s.ui.key(key::enter);
  s.ui.frames(3);
  REQUIRE(tokens(s) == 3);
  CHECK_FALSE(allowed(s, 1, 0));
  CHECK(s.app.hands().of<MaskHands>().row == 2);
  s.ui.key(key::space);
  CHECK_FALSE(allowed(s, 2, 2));
}

TEST_CASE("mask view: the strip and the pattern fit the window", "[app][mask]") {
  const ImVec2 size = GENERATE(ImVec2{1280, 800}, ImVec2{1600, 1000}, ImVec2{1920, 1080});
  const bool presented = GENERATE(false, true);
  Session s(default_document(), size);
  if (presented) s.ui.key(key::f5);
  open_tool(s, ViewId::heads);
  s.ui.click("mask/start/window");
  for (const char* name : {"mask/start/strided", "mask/done", "mask/larger", "mask/line", "heads/large"}) {
    const auto seen = s.ui.seen(name);
    REQUIRE(seen);
    CHECK(seen->min.x >= 0);
    CHECK(seen->max.x <= size.x);
    CHECK(seen->max.y <= size.y);
  }
  CHECK(s.ui.rect("mask/bar").max.y <= s.ui.rect("heads/large").min.y);
}

TEST_CASE("mask view: what is painted is in the file, and opens again", "[app][mask]") {
  Session s;
  open_tool(s, ViewId::heads);
  s.ui.click("mask/start/blocks");
  s.ui.click(cell(s, "heads/large", 0, 9));
  const Document again = parse_document(document_text(s.document()), "f");
  CHECK(again.layers.front().mask == s.layer().mask);
  CHECK_FALSE(again.layers.front().mask.allows(0, 8));
  CHECK(again.layers.front().mask.allows(0, 9));
}
