// Files that take longer than a frame waits: the window goes on while they are read and written, and nothing that is
// done meanwhile is lost.
#include <catch2/catch.hpp>

#include "core/io/file.h"
#include "tests/support/folder.h"
#include "tests/support/sanitized.h"
#include "tests/support/session.h"

using namespace hydra;
using Catch::Contains;

namespace {

namespace fs = std::filesystem;

// Some megabytes of text.
Document large_document() {
  Document document = apply(default_document(), SetModelWidth{test::kSanitized ? 192 : 512});
  document.layers[0].source.kind = WeightSource::Kind::explicit_values;
  return document;
}

// Frames that wait for nothing from here on.
struct Impatient : Session {
  explicit Impatient(OpenedDocument opened) : Session(std::move(opened), {1280, 800}) {
    app.set_patience(std::chrono::milliseconds(0));
  }
  const History& history() const { return app.history(); }
  void save() { ui.key(key::letter('s'), true); }
  void edit() { ui.key(key::letter('c')); }
  void finish() {
    app.finish_evaluation();
    ui.frames(2);
  }
};

struct Large {
  Folder folder;
  std::string path = folder.file("big.json");
  Large() { write_document(large_document(), path); }
};

bool holds_whole(const std::string& path, const Document& document) {
  return same_document(read_document(path), document);
}

}  // namespace

TEST_CASE("files beside: an edit made while a file is saved is not saved, and not lost", "[app][files]") {
  const Large large;
  Impatient s(open_document(large.path));
  s.edit();
  const Document saved = s.document();
  s.save();
  CHECK(s.notice().sentence == "saving big.json …");
  CHECK(s.history().modified());
  s.edit();
  s.ui.click("model/scale");
  const Document edited = s.document();
  CHECK_FALSE(same_document(edited, saved));
  s.finish();
  CHECK_THAT(s.notice().sentence, Contains("saved") && Contains(large.path));
  CHECK(holds_whole(large.path, saved));
  CHECK(same_document(s.document(), edited));
  CHECK(s.history().modified());
  s.ui.key(key::letter('z'), true);
  s.ui.key(key::letter('z'), true);
  CHECK_FALSE(s.history().modified());
  s.ui.key(key::letter('y'), true);
  s.save();
  s.finish();  // what stands there is ours: nobody is asked
  CHECK_FALSE(s.app.front().question);
  CHECK(holds_whole(large.path, s.document()));
}

TEST_CASE("files beside: frames go on until the file is there, whole", "[app][files]") {
  const Large large;
  Impatient s(open_document(large.path));
  const std::string old_text = content_of(large.path);
  s.edit();
  const std::string new_text = document_text(s.document());
  s.save();
  while (s.history().modified()) {
    const std::string text = content_of(large.path);
    REQUIRE((text == old_text || text == new_text));
    s.ui.frames();
  }
  CHECK(content_of(large.path) == new_text);
}

TEST_CASE("files beside: what was edited while a file was opened comes back by Undo", "[app][files]") {
  const Large large;
  const Folder folder;
  std::ofstream(folder.file("lesson.json")) << R"({"hydrascope": 1, "sentence": "one two three", "d_model": 16})";
  Impatient s(open_document(folder.file("lesson.json")));
  s.app.open(large.path);
  CHECK(s.notice().sentence == "opening big.json …");
  CHECK(s.history().file().path == folder.file("lesson.json"));
  s.edit();
  const Document work = s.document();
  SECTION("another file waits its turn") {
    s.app.open(folder.file("lesson.json"));
    CHECK_THAT(s.notice().sentence, Contains("big.json is still being opened"));
  }
  SECTION("a gesture is ended first") {
    s.ui.move("model/mask/none");
    s.ui.press();
    s.ui.release();
    CHECK(s.layer().mask.kind == Mask::Kind::none);
    s.ui.key(key::letter('z'), true);
  }
  SECTION("saved meanwhile") {
    s.save();
    s.finish();
    CHECK(holds_whole(folder.file("lesson.json"), work));
  }
  s.finish();
  CHECK(s.history().file().path == large.path);
  CHECK(same_document(s.document(), large_document()));
  CHECK_FALSE(s.history().modified());
  s.ui.key(key::letter('z'), true);
  CHECK(same_document(s.document(), work));
  CHECK(s.history().file().path == folder.file("lesson.json"));
}

TEST_CASE("files beside: a file saved while another is opened is marked as saved where it belongs", "[app][files]") {
  const Large large;
  Impatient s(open_document(large.path));
  s.edit();
  const Document saved = s.document();
  s.save();
  CHECK(s.history().modified());
  s.ui.click("examples");
  s.ui.click("examples/two_heads_by_hand.json");
  test::wait_until([&] { return s.history().file().path.empty(); }, [&] { s.ui.frames(1); });
  s.save();
  REQUIRE(s.app.front().file_dialog == FileDialog::save);  // it has no name yet
  s.ui.key(key::escape);
  s.finish();
  CHECK(holds_whole(large.path, saved));
  CHECK(s.history().file().path.empty());
  CHECK(s.history().unsaved().empty());
}

TEST_CASE("files beside: saving again while it is saved is refused in words", "[app][files]") {
  const Large large;
  Impatient s(open_document(large.path));
  s.edit();
  s.save();
  s.edit();
  s.save();
  CHECK_THAT(s.notice().sentence, Contains("big.json is still being saved"));
  s.finish();
  CHECK(s.history().modified());
}

TEST_CASE("files beside: closing waits for what is being saved", "[app][files]") {
  const Large large;
  Impatient s(open_document(large.path));
  s.edit();
  const Document saved = s.document();
  s.save();
  s.ui.key(key::letter('q'), true);
  CHECK_FALSE(s.app.quit_requested());
  CHECK_FALSE(s.app.front().question);
  SECTION("and ends the program") {
    s.finish();
    CHECK(s.app.quit_requested());
  }
  SECTION("and asks about what was edited since") {
    s.ui.click("model/scale");
    CHECK_FALSE(s.app.front().question);
    s.finish();
    CHECK_FALSE(s.app.quit_requested());
    REQUIRE(s.app.front().question);
    CHECK_THAT(s.app.front().question->title, Contains("big.json"));
  }
  CHECK(holds_whole(large.path, saved));
}

TEST_CASE("files beside: closing does not wait for what is being opened", "[app][files]") {
  const Large large;
  Impatient s({default_document(), {}});
  s.edit();
  const Document work = s.document();
  s.app.open(large.path);
  s.ui.key(key::letter('q'), true);
  REQUIRE(s.app.front().question);
  s.finish();
  CHECK(same_document(s.document(), work));  // what is asked about stays
  s.ui.key(key::escape);
  s.finish();
  CHECK(same_document(s.document(), large_document()));  // who stays gets it
}

TEST_CASE("files beside: what cannot be written or read is said with its name", "[app][files]") {
  const Large large;
  Impatient s(open_document(large.path));
  s.edit();
  SECTION("a folder that is gone") {
    fs::remove_all(large.folder.path);
    s.save();
    s.finish();
    CHECK_THAT(s.notice().sentence, Contains("big.json"));
    CHECK(s.notice().is_error);
    CHECK(s.history().modified());
  }
  SECTION("something else wrote it") {
    std::ofstream(large.path, std::ios::app) << "\n";
    const std::string theirs = content_of(large.path);
    const Document saved = s.document();
    s.save();
    s.finish();
    REQUIRE(s.app.front().question);
    CHECK(content_of(large.path) == theirs);
    s.ui.click("question/Replace");
    s.finish();
    CHECK(holds_whole(large.path, saved));
    CHECK_FALSE(s.history().modified());
  }
  SECTION("no document") {
    std::ofstream(large.folder.file("other.json")) << content_of(large.path).substr(0, 1'000'000);
    s.app.open(large.folder.file("other.json"));
    s.finish();
    CHECK_THAT(s.notice().sentence, Contains("other.json"));
    CHECK(s.notice().is_error);
    CHECK(s.history().file().path == large.path);
  }
}
