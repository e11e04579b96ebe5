// Marking pairs with a relation of one's own, driven by name through the whole program.
#include <catch2/catch.hpp>

#include "app/views/marks/mark_pairs.h"
#include "core/document/text/marks.h"
#include "core/io/file.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

struct MarksSession : Session {
  using Session::Session;
  void open() {
    set(view().view, ViewId::heads);
    ui.frames(2);
    ui.key(key::letter('k'), false, true);
    ui.frames(3);
    REQUIRE(view().marking.on);
    REQUIRE(ui.exists("marks/bar"));
  }
  void name(const std::string& text) {
    ui.click("marks/name");
    ui.type(text);
    ui.key(key::enter);
    ui.frames(2);
  }
  void click_cell(Index row, Index col) {
    const auto n = std::ssize(app.trace().tokens);
    ui.click(ui.rect("heads/large").cell(row, col, n, n));
    ui.frames(2);
  }
  std::vector<GoldPair> pairs(const std::string& relation) const {
    const MarkedText* here = marks_of(document().marks, app.trace().tokens);
    if (!here) return {};
    const AnnotatedSentence sentence = annotated(*here);
    const std::vector<GoldPair>* pairs = pairs_called(sentence, relation);
    return pairs ? *pairs : std::vector<GoldPair>{};
  }
};

}  // namespace

TEST_CASE("marks view: a name, clicks on cells, undo, and what is marked is saved and comes back", "[app][marks]") {
  MarksSession s;
  s.open();
  s.click_cell(7, 1);  // without a name nothing is marked
  CHECK(s.document().marks.empty());
  s.name("owner");
  CHECK(s.view().marking.relation == "owner");
  s.click_cell(7, 1);
  s.click_cell(2, 0);
  CHECK(s.pairs("owner") == std::vector<GoldPair>{{2, 0}, {7, 1}});
  CHECK_FALSE(s.view().selection);
  CHECK(s.app.history().undo_label() == "mark a pair of owner");
  s.click_cell(3, 3);
  CHECK(s.app.notice().sentence.find("itself") != std::string::npos);
  s.click_cell(2, 0);  // once more takes it away
  CHECK(s.pairs("owner") == std::vector<GoldPair>{{7, 1}});
  s.ui.key(key::letter('z'), true);
  CHECK(s.pairs("owner").size() == 2);
  const Document back = parse_document(document_text(s.document()), "saved");
  CHECK(back.marks == s.document().marks);

  // By keys: the pair that they stand on.
  s.ui.key(key::down);
  s.ui.key(key::right);
  s.ui.key(key::space);
  s.ui.frames(2);
  CHECK(s.pairs("owner").size() == 3);

  // Another relation, and the first one removed.
  s.name("kin");
  s.click_cell(5, 4);
  CHECK(s.pairs("kin") == std::vector<GoldPair>{{5, 4}});
  s.ui.click("marks/relation/owner");
  s.ui.click("marks/drop");
  s.ui.frames(2);
  CHECK(relations_in(s.document().marks) == std::vector<std::string>{"kin"});
  s.ui.key(key::escape);
  s.ui.frames(2);
  CHECK_FALSE(s.view().marking.on);
  CHECK(s.ui.exists("heads/relation/kin"));
  s.ui.click("heads/relation/kin");
  s.ui.frames(2);
  CHECK(s.view().marking.relation == "kin");
}

TEST_CASE("marks view: a bad name and what ships are refused with a sentence", "[app][marks]") {
  MarksSession s;
  s.open();
  s.name("subject_verb");
  CHECK(s.view().marking.relation.empty());
  CHECK(s.ui.exists("marks/line"));
  s.name("coreference");  // marks beside those that the sentence ships with
  const GoldPair shipped = s.app.sentences().marks->gold[0].front();
  s.click_cell(shipped.from, shipped.to);
  CHECK(s.document().marks.empty());
  CHECK(s.app.notice().sentence.find("stays") != std::string::npos);
}

TEST_CASE("marks view: the mask's tool and this one take each other's place", "[app][marks]") {
  MarksSession s;
  s.open();
  s.name("owner");  // its field has let go of the keys
  s.ui.key(key::letter('k'));
  s.ui.frames(2);
  CHECK(s.view().mask.on);
  CHECK_FALSE(s.view().marking.on);
  s.open();
  CHECK_FALSE(s.view().mask.on);
}

TEST_CASE("marks view: Roles measures only mine, and renames nothing elsewhere until it is asked to", "[app][marks]") {
  MarksSession s;
  s.open();
  s.name("owner");
  s.click_cell(7, 1);
  s.ui.key(key::escape);
  s.set(s.view().view, ViewId::roles);
  s.ui.frames(3);
  s.ui.click("roles/over");
  s.ui.frames(2);
  s.ui.click("roles/over/own");
  s.ui.frames(2);
  REQUIRE(s.view().roles.over == RolesOver::own);
  CHECK(s.view().roles.names == RolesOver::known);
  s.wait_until([&] { return s.ui.exists("roles/column/job1"); });
  CHECK(s.ui.exists("roles/use_names"));
  s.ui.click("roles/use_names");
  s.ui.frames(2);
  CHECK(s.view().roles.names == RolesOver::own);
  CHECK_FALSE(s.ui.exists("roles/use_names"));
}

TEST_CASE("marks view: where a head lights up is listed, and a pair of the list is opened in its sentence",
          "[app][marks]") {
  MarksSession s;
  s.set(s.view().view, ViewId::heads);
  s.ui.frames(2);
  s.ui.click("heads/lit");
  s.wait_until([&] { return s.ui.exists("heads/lit/0"); });
  CHECK(s.view().heads.lit_unknown);
  s.ui.click("heads/lit/all");
  CHECK_FALSE(s.view().heads.lit_unknown);
  s.wait_until([&] { return s.ui.exists("heads/lit/0"); });
  s.ui.click("heads/lit/0");
  s.settle();
  REQUIRE(s.view().selection);
  CHECK(s.view().selection->site == Site{Quantity::attention, 0, 0});
  const auto& [site, row, col] = *s.view().selection;
  CHECK((*s.head(0).attention)(row, col) >= 0.3f);  // in the sentence that was opened
  CHECK(s.app.failure().empty());
}
