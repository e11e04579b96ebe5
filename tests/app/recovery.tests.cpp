// Unsaved work survives a window that dies: kept in the background, offered by the next one.
#include <catch2/catch.hpp>

#include "app/scene/scene.h"
#include "core/io/file.h"
#include "core/io/recovery.h"
#include "tests/support/doer.h"
#include "tests/support/folder.h"
#include "tests/support/sanitized.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

std::size_t files_in(const std::string& folder) {
  std::error_code ignored;
  std::size_t count = 0;
  for (std::filesystem::directory_iterator it(folder, ignored), end; it != end; ++it) ++count;
  return count;
}

// A window on the recovery folder. When it goes without being closed, its work stays, as if it had died.
struct Window : Session {
  Window(const Folder& folder, OpenedDocument opened, ImVec2 size = {1280, 800}) : Session(std::move(opened), size) {
    app.keep_recovery_in(folder.file("state"));
    settle();
  }
  void settle() {
    app.finish_recovery();
    ui.frames(3);
    app.finish_recovery();
  }
  void answer(const std::string& label) {
    ui.click("question/" + label);
    settle();
  }
};

OpenedDocument lesson_in(const Folder& folder) {
  const std::string path = folder.file("lesson.json");
  if (!std::filesystem::exists(path)) write_document(default_document(), path);
  return open_document(path);
}

}  // namespace

TEST_CASE("recovery: unsaved work is offered by name, and comes back as it was", "[app][recovery]") {
  const Folder folder;
  Document work;
  {
    Window dies(folder, lesson_in(folder));
    CHECK(files_in(folder.file("state")) == 0);  // nothing is unsaved
    dies.ui.key(key::letter('c'));
    dies.settle();
    work = dies.document();
  }
  Window next(folder, {default_document(), {}});
  REQUIRE(next.app.front().question);
  CHECK(next.app.front().question->title.find("lesson.json") != std::string::npos);
  CHECK(next.app.front().question->lines.front().find("The animal") != std::string::npos);
  CHECK(next.app.front().question->lines[1].find("It was written") == 0);
  SECTION("recovered: modified, in its own file") {
    next.answer("Recover");
    CHECK(same_document(next.document(), work));
    CHECK(next.app.history().file().path == folder.file("lesson.json"));
    CHECK(next.app.history().modified());
    next.ui.key(key::letter('s'), true);
    next.settle();
    CHECK_FALSE(next.app.front().question);
    CHECK(same_document(read_document(folder.file("lesson.json")), work));
    CHECK(files_in(folder.file("state")) == 0);  // saving removes it
  }
  SECTION("recovered, though the file was written by something else since") {
    write_document(apply(default_document(), SetHeads{1}), folder.file("lesson.json"));
    next.answer("Recover");
    next.ui.key(key::letter('s'), true);
    next.ui.frames(3);
    REQUIRE(next.app.front().question);
    CHECK(next.app.front().question->about == Question::About::overwriting);
  }
  SECTION("discarded") {
    next.answer("Discard");
    CHECK(files_in(folder.file("state")) == 0);
    CHECK(same_document(next.document(), default_document()));
  }
  SECTION("later: kept, not asked about again, and found under Examples") {
    next.ui.key(key::escape);
    next.settle();
    Window third(folder, {default_document(), {}});
    CHECK_FALSE(third.app.front().question);
    CHECK(files_in(folder.file("state")) > 0);
    third.ui.click("examples");
    third.ui.click("examples/unsaved");
    third.settle();
    REQUIRE(third.app.front().question);
    third.answer("Recover");
    CHECK(same_document(third.document(), work));
    third.ui.click("examples");
    third.ui.frames(2);
    CHECK_FALSE(third.ui.exists("examples/unsaved"));
  }
}

TEST_CASE("recovery: recovered work that is not saved is offered again", "[app][recovery]") {
  const Folder folder;
  {
    Window dies(folder, lesson_in(folder));
    dies.ui.key(key::letter('c'));
    dies.settle();
  }
  {
    Window dies(folder, {default_document(), {}});
    dies.answer("Recover");
  }
  Window next(folder, {default_document(), {}});
  REQUIRE(next.app.front().question);
  CHECK(next.app.front().question->title.find("lesson.json") != std::string::npos);
}

TEST_CASE("recovery: a window that lives keeps its work to itself", "[app][recovery]") {
  const Folder folder;
  UiDriver ui({1280, 800});
  App first(default_document(), "", ui.sink);
  InputQueue input;
  first.keep_recovery_in(folder.file("state"));
  input.push({.kind = InputEvent::Kind::key, .code = key::letter('c'), .down = true});
  first.frame({1280, 800}, 1.0f / 60, input);
  first.finish_recovery();
  CHECK(files_in(folder.file("state")) == 2);
  App second(default_document(), "", ui.sink);  // its fonts take the place of the first one's, which draws no more
  second.keep_recovery_in(folder.file("state"));
  second.finish_recovery();
  CHECK_FALSE(second.front().question);
  CHECK(files_in(folder.file("state")) == 2);
}

TEST_CASE("recovery: closing, undoing and saving leave nothing to recover", "[app][recovery]") {
  const Folder folder;
  Window window(folder, lesson_in(folder));
  window.ui.key(key::letter('c'));
  window.settle();
  CHECK(files_in(folder.file("state")) == 2);
  SECTION("undone") { window.ui.key(key::letter('z'), true); }
  SECTION("saved") { window.ui.key(key::letter('s'), true); }
  SECTION("closed and discarded") {
    window.ui.key(key::letter('q'), true);
    window.ui.frames(3);
    window.ui.click("question/Discard");
    CHECK(window.app.quit_requested());
  }
  window.settle();
  CHECK(files_in(folder.file("state")) == 0);
}

TEST_CASE("recovery: what was left by opening another document is kept as well", "[app][recovery]") {
  const Folder folder;
  Document left, present;
  {
    Window dies(folder, lesson_in(folder));
    dies.ui.key(key::letter('c'));
    left = dies.document();
    dies.ui.click("examples");
    dies.ui.click("examples/two_heads_by_hand.json");
    dies.ui.frames(3);
    dies.ui.key(key::letter('c'));
    present = dies.document();
    dies.settle();
  }
  Window next(folder, {default_document(), {}});
  REQUIRE(next.app.front().question);
  CHECK(next.app.front().question->title.find("2 documents") != std::string::npos);
  SECTION("recovered, the latest is shown and Undo leads to the other") {
    next.answer("Recover all");
    CHECK_FALSE(next.app.front().question);
    const Document shown = next.document();
    next.ui.key(key::letter('z'), true);
    const Document before = next.document();
    CHECK((same_document(shown, left) || same_document(shown, present)));
    CHECK((same_document(before, left) || same_document(before, present)));
    CHECK_FALSE(same_document(shown, before));
  }
  SECTION("later holds for all of them") {
    next.answer("Later");
    CHECK_FALSE(next.app.front().question);
    Window third(folder, {default_document(), {}});
    CHECK_FALSE(third.app.front().question);
    CHECK(third.app.front().documents_aside == 2);
  }
  SECTION("discarded, nothing is left") {
    next.answer("Discard all");
    CHECK_FALSE(next.app.front().question);
    CHECK(files_in(folder.file("state")) == 0);
  }
}

TEST_CASE("recovery: a folder that cannot be used is said once", "[app][recovery]") {
  const Folder folder;
  std::ofstream(folder.file("state")) << "a file";
  Window window(folder, {default_document(), {}});
  window.ui.key(key::letter('c'));
  window.settle();
  CHECK(window.notice().sentence.find("not kept for recovery") != std::string::npos);
}

TEST_CASE("recovery: the window looks where it did", "[app][recovery]") {
  const int lives = test::cases(40, 10, 3);
  const Document begins = parse_document(
      R"({"hydrascope": 1, "sentence": "The cat sat.", "d_model": 8, "layers": [{"heads": 2}, {"heads": 4}]})", "it");
  std::size_t views = 0;
  for (int life = 0; life < lives; ++life) {
    const Folder folder;
    CAPTURE(life);
    std::string document, scene;
    {
      Window dies(folder, {begins, {}}, {800, 500});
      Doer doer(dies, 500 + static_cast<std::uint64_t>(life));
      doer.begin();
      for (int k = 0; k < 12; ++k) doer.step();
      dies.app.act(act::Keep{});
      dies.app.act(act::Do{{SetGate{0, 0.01f * static_cast<float>(1 + life)}, 0}});  // which is what is written
      dies.Session::settle();
      dies.settle();
      document = document_text(dies.document()), scene = scene_text(dies.view());
      views += dies.view().view != ViewId::flow;
    }
    for (int again = 0; again < 2; ++again) {  // and once more, when nothing was changed
      Window next(folder, {default_document(), {}}, {800, 500});
      next.answer("Recover");
      next.Session::settle();
      REQUIRE(document_text(next.document()) == document);
      REQUIRE(scene_text(next.view()) == scene);
      next.settle();
    }
  }
  CHECK(views > 0);
}

TEST_CASE("recovery: of several documents the one that is shown is looked at as it was", "[app][recovery]") {
  const Folder folder;
  {
    Window dies(folder, lesson_in(folder));
    dies.set(dies.view().view, ViewId::roles);
    dies.ui.key(key::letter('c'));
    dies.ui.click("examples");
    dies.ui.click("examples/two_heads_by_hand.json");
    dies.ui.frames(3);
    dies.set(dies.view().view, ViewId::mixing);
    dies.ui.key(key::letter('c'));
    dies.settle();
  }
  for (int again = 0; again < 2; ++again) {
    Window next(folder, {default_document(), {}});
    next.answer("Recover all");
    next.Session::settle();
    const bool lesson = next.app.history().file().path == folder.file("lesson.json");
    CHECK(next.view().view == (lesson ? ViewId::roles : ViewId::mixing));
  }
}

TEST_CASE("recovery: a scene that cannot be read, or that does not go with the document, loses nothing",
          "[app][recovery]") {
  ViewState wild;
  wild.view = ViewId::heads;
  wild.layer = 1000000000, wild.focused_head = -5, wild.head_beyond = -1;
  wild.selected_heads = {true, false, true};
  wild.inspected = {Quantity::W_Q, 7, 99};
  wild.token = 123456, wild.readout_column = 99;
  wild.selection = Cell{{Quantity::attention, 3, 12}, 4000, 4000};
  wild.breadcrumb = {*wild.selection, Cell{{Quantity::Y, 0, kNoHead}, 500, 0}};
  wild.average = true;
  wild.likeness.compared = {700, 900};
  wild.roles.sorted = 1000, wild.roles.page = 1000, wild.roles.filter.layer = 77;
  wild.stream.circuit.line = CircuitLine{9, 9, 8, 9, {}, 1};
  wild.tradeoff.query = 1000000, wild.tradeoff.page = TradeoffPage::columns;
  wild.tradeoff.fit.problem = {-1, 3, 1000};
  const std::string known = scene_text(wild), unknown = R"({"place":{"view":"orrery"},"choices":{}})",
                    newer = R"({"place":{"tilt":3},"choices":{}})";
  const Document work = apply(default_document(), SetHeads{2});
  for (const std::string& scene : {std::string(), std::string("[]"), std::string("{"), unknown, newer, known}) {
    CAPTURE(scene);
    const Folder folder;
    { RecoveryStore(folder.file("state")).write(0, {work, {}, 1795310000, scene}); }
    Window next(folder, {default_document(), {}});
    const ViewId before = next.view().view;
    next.answer("Recover");
    next.Session::settle();
    CHECK(same_document(next.document(), work));
    CHECK(next.view().view == (scene == known ? ViewId::heads : before));
    CHECK(next.view().layer == 0);
    CHECK(next.view().selected_heads.size() == 2);
    CHECK_FALSE(next.view().selection);
    CHECK_FALSE(next.notice().is_error);
    if (scene != known) continue;
    for (const char* view : {"flow", "heads", "mixing", "stream", "likeness", "tradeoff", "roles", "design", "learn"}) {
      next.app.act(act::Choose{"view", '"' + std::string(view) + '"'});
      next.ui.frames(4);
      CHECK_FALSE(next.notice().is_error);
    }
  }
}
