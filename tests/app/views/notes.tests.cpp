// A document's notes beside the view, and the exercises with the designed stacks as a class does them.
#include <catch2/catch.hpp>

#include "app/scene/sides.h"
#include "app/views/learn/learn_parts.h"
#include "core/document/edits/edit.h"
#include "core/explain/quantity.h"
#include "core/io/examples.h"
#include "core/io/file.h"
#include "core/io/opening.h"
#include "tests/support/examples.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

Document shipped(const std::string& name) { return parse_document(example_text(name + ".json"), name); }

struct NotesSession : Session {
  explicit NotesSession(const std::string& name = "stack_induction", ImVec2 size = {1280, 800})
      : Session(shipped(name), size) {}
  bool page() { return ui.exists("notes/title"); }
  void press(const char* keys) {  // letters and digits; < and > are Page Up and Page Down
    for (const char* each = keys; *each != 0; ++each)
      ui.key(*each == '<'                   ? key::page_up
             : *each == '>'                 ? key::page_down
             : *each >= '0' && *each <= '9' ? *each
                                            : key::letter(*each));
  }
  // Of the head in focus.
  float attention(Index query, Index key) {
    return values_of(app.trace(), {Quantity::attention, view().layer, view().focused_head})(query, key);
  }
  void type_sentence(const std::string& sentence) {
    press("s");
    ui.key(key::letter('a'), true);
    ui.type(sentence);
    ui.key(key::enter);
    ui.settle();
  }
};

}  // namespace

TEST_CASE("notes: a presentation at 1280x800 has its bar in one line, with notes as well", "[app]") {
  for (const char* name : {"stack_induction", "trained_induction"}) {
    NotesSession s(name);
    s.set(s.view().presentation, true);
    s.ui.settle();
    REQUIRE(s.ui.exists("panels/notes"));
    CHECK(s.ui.rect("tabs/flow").min.y == s.ui.rect("panels/notes").min.y);
    CHECK(s.ui.rect("tabs/flow").min.y == s.ui.rect("present").min.y);
    CHECK(s.ui.rect("present").max.x <= 1280);
  }
}

TEST_CASE("notes: the page opens with its document, and goes by key, button and chip", "[app][notes]") {
  NotesSession s;
  REQUIRE(s.page());
  CHECK_FALSE(s.ui.exists("model/d_model"));    // in its place
  CHECK_FALSE(s.ui.exists("inspector/title"));  // the room is the view's until a number is asked for
  s.set(s.view().view, ViewId::heads);
  s.ui.frames(2);
  s.ui.click(s.ui.rect("heads/large").at(0.1f, 0.5f));
  CHECK(s.ui.exists("inspector/title"));
  CHECK(s.page());
  s.press("g");
  CHECK_FALSE(s.page());
  CHECK(s.ui.exists("model/d_model"));
  s.ui.click("panels/notes");
  CHECK(s.page());
  s.ui.click("panels/model");
  CHECK_FALSE(s.page());
  CHECK(s.ui.exists("model/d_model"));
  s.press("g");
  REQUIRE(s.page());
  s.ui.click("notes/close");
  CHECK_FALSE(s.page());
  CHECK(s.app.history().steps() == 0);  // nothing of it is an edit
}

TEST_CASE("notes: an answer is seen when it is asked for, and again hidden with another page", "[app][notes]") {
  Document document = shipped("stack_induction");
  document.notes.paragraphs = {"Look.", "What comes?", "? This.", "? And that.", "# More", "And then?", "? Nothing."};
  NotesSession s;
  const auto show = [&](const std::string& title) {
    document.notes.title = title;
    s.app.edit({ReplaceDocument{document, title}, 0});
    s.settle();
  };
  const auto shown = [&] {
    std::vector<int> all;
    for (int k = 0; k < 7; ++k)
      if (s.ui.exists("notes/" + std::to_string(k))) all.push_back(k);
    return all;
  };
  show("one");
  CHECK(shown() == std::vector{0, 1, 4, 5});
  CHECK_FALSE(s.ui.exists("notes/answer/3"));
  s.ui.click("notes/answer/2");
  s.ui.frames(2);
  CHECK(shown() == std::vector{0, 1, 2, 3, 4, 5});
  s.ui.click("notes/answer/6");
  s.ui.frames(2);
  CHECK(shown() == std::vector{0, 1, 2, 3, 4, 5, 6});
  show("two");
  CHECK(shown() == std::vector{0, 1, 4, 5});
}

TEST_CASE("notes: what trained models came to is folded, beside the view and on the task's page", "[app][notes]") {
  // Every number that was measured, and what the page asks about the example.
  for (const char* name : {"trained_grammar", "trained_induction", "trained_king", "trained_students_4"}) {
    CAPTURE(name);
    for (const std::string& text : test::example(name).notes.paragraphs) {
      CAPTURE(text);
      const bool answer = text.starts_with("? ");
      for (const char* told : {"In the example head", "In the example of four heads the", "runs each gave",
                               "seeds 0 to", "of ten seeds", "of twenty runs", "forty runs"})
        if (text.find(told) != std::string::npos) CHECK(answer);
    }
  }
  Session s;
  s.set(s.view().view, ViewId::learn);
  s.set(s.view().learn.setup.task, "induction");
  s.settle();
  std::vector<std::string> buttons;
  for (const std::string& name : s.ui.names())
    if (name.starts_with("learn/page/answer/")) buttons.push_back(name);
  REQUIRE(buttons.size() >= 3);
  s.ui.click(buttons.back());
  s.ui.frames(2);
  s.ui.click(buttons.front());
  s.ui.frames(2);
  CHECK(s.app.hands().of<TaskAnswers>().told.size() > 3);
  CHECK(std::ranges::count(s.app.hands().of<TaskAnswers>().told, true) == 2);
}

TEST_CASE("notes: an edit leaves the page open or closed, another document brings its own or none", "[app][notes]") {
  NotesSession s;
  s.press("z");
  CHECK(s.page());
  s.press("gz");
  CHECK_FALSE(s.page());
  s.ui.click("examples");
  s.ui.click("examples/group/Designed stacks");
  s.ui.click("examples/stack_king_weak.json");
  CHECK(s.page());
  CHECK(s.document().notes == shipped("stack_king_weak").notes);
  s.app.edit(ReplaceDocument{default_document(), "plain"});
  s.ui.frames(3);
  CHECK_FALSE(s.page());
  CHECK_FALSE(s.ui.exists("panels/notes"));
  s.press("g");
  CHECK_FALSE(s.page());
  s.ui.key(key::letter('z'), true);
  CHECK(s.page());  // back with the document that has it
}

TEST_CASE("notes: the opening document's page waits until it is asked for", "[app][notes]") {
  const bool presentation = GENERATE(false, true);
  CAPTURE(presentation);
  Session s(opening_document(), {1280, 800});
  s.app.begin();
  s.set(s.view().presentation, presentation);
  s.settle();
  REQUIRE(s.view().view == ViewId::heads);
  CHECK_FALSE(s.ui.exists("notes/title"));
  CHECK(s.ui.exists("panels/notes"));
  s.ui.key(key::letter('g'));
  REQUIRE(s.ui.exists("notes/title"));
  // What it tells the reader to press: I frames a weight, beside the page.
  s.ui.key(key::letter('i'));
  s.settle();
  CHECK(s.ui.exists("notes/title"));
  CHECK(s.ui.exists("inspector/title"));
  CHECK(s.app.offered());
  s.ui.key(key::letter('g'));
  CHECK_FALSE(s.ui.exists("notes/title"));
  // Back to it from a document whose page was open, the page stays where it was.
  s.ui.click("examples");
  s.ui.click("examples/group/Designed stacks");
  s.ui.click("examples/stack_king_weak.json");
  CHECK(s.ui.exists("notes/title"));
  s.ui.key(key::letter('z'), true);
  s.settle();
  CHECK(s.document().notes == opening_notes());
  CHECK(s.ui.exists("notes/title") == !presentation);
}

TEST_CASE("notes: at 1280x800 the first look and the first question are read without scrolling", "[app][notes]") {
  const bool presentation = GENERATE(false, true);
  for (const char* name : {"stack_induction", "stack_king_weak", "stack_animal_tired", "stack_forgets",
                           "layer_animal_tired", "designed_animal_tired", "designed_cat_adopted", "paper_exercise",
                           "two_heads_by_hand", "trained_induction", "trained_king", "trained_students_4"}) {
    CAPTURE(presentation, name);
    NotesSession s(name);
    s.set(s.view().presentation, presentation);
    if (presentation || s.view().narrow) s.press("g");
    s.ui.frames(2);
    REQUIRE(s.ui.seen("notes/0"));
    CHECK(s.ui.seen("notes/0")->max.y < 730);  // above the status bar of a presentation, too
    CHECK(s.document().notes.paragraphs.front().find('?') != std::string::npos);
  }
}

TEST_CASE("notes: in a presentation the page stands beside what it speaks of", "[app][notes]") {
  NotesSession s;
  s.set(s.view().presentation, true);
  s.set(s.view().view, ViewId::heads);
  s.ui.frames(3);
  CHECK_FALSE(s.page());
  s.press("g");
  REQUIRE(s.page());
  CHECK(is_open(s.view(), Side::notes));
  CHECK(s.ui.rect("notes/title").max.x < s.ui.rect("heads/large").min.x);
  s.ui.key(key::escape);
  CHECK_FALSE(s.page());
  CHECK(s.view().presentation);
  s.press("g");
  s.ui.click("panels/inspector");
  CHECK(s.page());  // both have their room
  CHECK(is_open(s.view(), Side::inspector));
  s.ui.click("examples");
  s.ui.click("examples/group/Designed stacks");
  s.ui.click("examples/stack_forgets.json");
  CHECK(s.page());
}

TEST_CASE("notes: every page can be read to its end, within its panel, at every size", "[app][notes]") {
  const auto [size, presentation] = GENERATE(table<ImVec2, bool>(
      {{{640, 400}, false}, {{1280, 800}, true}, {{1280, 800}, false}, {{1600, 1000}, true}, {{1920, 1080}, false}}));
  for (const char* name : {"stack_induction", "stack_king_weak", "layer_animal_wide", "stack_animal_tired",
                           "stack_forgets", "stack_remembers", "heads_designed", "designed_horse_road", "shared_keys",
                           "slices", "smallest_rank", "whole_block"}) {
    CAPTURE(size.x, presentation, name);
    NotesSession s(name, size);
    s.set(s.view().presentation, presentation);
    if (presentation || s.view().narrow) s.press("g");
    s.ui.frames(2);
    const std::vector<std::string>& paragraphs = s.document().notes.paragraphs;
    const std::size_t last = paragraphs.size() - 1;
    const auto is_answer = [&](std::size_t k) { return paragraphs[k].starts_with("? "); };
    for (std::size_t k = 1; k <= last; ++k)
      if (is_answer(k) && !is_answer(k - 1)) s.ui.click("notes/answer/" + std::to_string(k));
    for (const std::string& part : {std::string("notes/title"), "notes/" + std::to_string(last)}) {
      const UiDriver::Rect rect = s.ui.rect(part);  // scrolled to
      CHECK(rect.max.x <= size.x);
      CHECK(rect.max.y > rect.min.y);
    }
    s.ui.click("notes/close");
    CHECK_FALSE(s.page());
  }
}

TEST_CASE("notes: in class silencing the head of layer 1 lets the pattern of layer 2 fall", "[app][notes]") {
  NotesSession s;
  s.press("h>1");
  REQUIRE(s.view().layer == 1);
  CHECK(s.attention(9, 5) > 0.9f);
  s.press("<1z>1");
  REQUIRE((s.view().layer == 1 && s.view().focused_head == 0));
  CHECK(s.attention(9, 5) == Approx(0.1));
  s.ui.key(key::letter('z'), true);
  CHECK(s.attention(9, 5) > 0.9f);
  s.type_sentence("Remember: dog lake soup table, dog lake soup");
  CHECK(s.attention(9, 5) > 0.9f);
}

TEST_CASE("notes: in class the king, the uncle, and the animal", "[app][notes]") {
  NotesSession s("stack_king_weak");
  const Index he = 8, king = 1, uncle = 6;
  s.press("h>1");
  CHECK(s.attention(he, king) > 0.9f);
  s.type_sentence("The king could not lift the uncle because he was too heavy.");
  CHECK(s.attention(he, uncle) > 0.9f);
  s.press("<1z>1");
  CHECK(s.attention(he, king) == Approx(0.5).margin(0.02));
  s.press("<1z2z>1");
  CHECK(s.attention(he, king) == Approx(0.5).margin(0.02));

  s.ui.click("examples");
  s.ui.click("examples/group/Designed stacks");
  s.ui.click("examples/layer_animal_tired.json");
  s.press("h2");
  const auto ratio = [&] { return s.attention(7, 1) / s.attention(7, 5); };
  for (int round = 0; round < 3; ++round) {
    s.type_sentence("The animal didn't cross the street because it was too tired.");
    const float tired = ratio();
    s.type_sentence("The animal didn't cross the street because it was too wide.");
    CHECK(ratio() == Approx(tired).epsilon(1e-4));
    s.press("r");
  }
}

TEST_CASE("notes: in class without sums every row of layer 4 is the same", "[app][notes]") {
  for (const char* name : {"stack_forgets", "stack_remembers"}) {
    NotesSession s(name);
    s.press("h>>>");
    REQUIRE(s.view().layer == 3);
    const Mat<float> A = values_of(s.app.trace(), {Quantity::attention, 3, 0});
    const float apart = (A.rowwise() - A.row(0)).cwiseAbs().maxCoeff();
    if (std::string(name) == "stack_forgets")
      CHECK(apart < 1e-4f);
    else
      CHECK(apart > 1e-2f);
  }
}

TEST_CASE("notes: a run that begins moves no button of Learn", "[app]") {
  Session s(default_document(), {1280, 800});
  s.set(s.view().view, ViewId::learn);
  s.ui.frames(3);
  const float before = s.ui.rect("learn/step").min.x;
  s.ui.click("learn/step");
  s.settle();
  REQUIRE_FALSE(s.document().notes.empty());
  CHECK(s.ui.rect("learn/step").min.x == before);
}

TEST_CASE("notes: the page of a task does not stand twice, beside Learn and in it", "[app]") {
  NotesSession s("trained_induction");
  s.set(s.view().view, ViewId::learn);
  s.ui.frames(3);
  REQUIRE(s.page());
  CHECK_FALSE(s.ui.exists("learn/page/told"));
  s.set(act::Show{Side::notes, false});
  s.ui.frames(3);
  CHECK(s.ui.exists("learn/page/told"));
}
