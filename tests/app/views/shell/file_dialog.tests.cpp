// Saving and opening by name, through the whole program.
#include <catch2/catch.hpp>

#include "core/document/model_file.h"
#include "core/io/file.h"
#include "tests/support/data.h"
#include "tests/support/folder.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

namespace fs = std::filesystem;

void type_path(Session& s, const std::string& path) {
  s.ui.frames(2);
  s.ui.click("file/path");
  s.ui.key(key::letter('a'), true);
  s.ui.type(path);
}

void save_as(Session& s, const std::string& path) {
  s.ui.key(key::letter('s'), true, true);
  type_path(s, path);
  s.ui.click("file/ok");
  s.ui.frames(2);
}

}  // namespace

TEST_CASE("file dialog: a document is saved under a name and opened again", "[app][files]") {
  const Folder folder;
  Session s;
  s.ui.click("model/heads/4");
  save_as(s, folder.file("a.json"));
  CHECK_FALSE(s.ui.exists("file/path"));
  CHECK(same_document(read_document(folder.file("a.json")), s.document()));
  s.ui.click("model/heads/2");
  s.ui.click("open");
  type_path(s, folder.file("a.json"));
  s.ui.click("file/ok");
  s.ui.frames(3);
  CHECK(s.layer().heads == 4);
}

TEST_CASE("file dialog: another file is replaced only when that was said twice", "[app][files]") {
  const Folder folder;
  std::ofstream(folder.file("other.json")) << "somebody's";
  Session s;
  save_as(s, folder.file("other.json"));
  CHECK(s.ui.exists("file/path"));  // it asks
  CHECK(content_of(folder.file("other.json")) == "somebody's");
  SECTION("another name asks anew") {
    type_path(s, folder.file("mine.json"));
    s.ui.click("file/ok");
    s.ui.frames(2);
    CHECK_FALSE(s.ui.exists("file/path"));
    CHECK(fs::exists(folder.file("mine.json")));
    CHECK(content_of(folder.file("other.json")) == "somebody's");
    save_as(s, folder.file("mine.json"));  // its own
    CHECK_FALSE(s.ui.exists("file/path"));
  }
  SECTION("cancel leaves it") {
    s.ui.click("file/cancel");
    s.ui.frames(2);
    CHECK(content_of(folder.file("other.json")) == "somebody's");
  }
  SECTION("once more replaces it") {
    s.ui.click("file/ok");
    s.ui.frames(2);
    CHECK_FALSE(s.ui.exists("file/path"));
    CHECK(same_document(read_document(folder.file("other.json")), s.document()));
  }
}

namespace {

// Three documents and a folder with one, to be opened.
struct Lessons : Folder {
  Lessons() {
    write_document(default_document(), file("a.json"));
    write_document(apply(default_document(), SetHeads{4}), file("b.json"));
    fs::create_directories(path / "more");
    write_document(apply(default_document(), SetHeads{2}), file("more/c.json"));
  }
};

void open_dialog(Session& s) {
  s.ui.key(key::letter('o'), true);
  s.ui.frames(3);
}

}  // namespace

TEST_CASE("file dialog: Enter opens what was chosen by a click", "[app][files]") {
  const Lessons lessons;
  Session s(open_document(lessons.file("a.json")));
  open_dialog(s);
  s.ui.click("file/entry/b.json");
  CHECK(s.ui.exists("file/path"));  // chosen, not opened
  s.ui.key(key::enter);
  s.ui.frames(3);
  CHECK_FALSE(s.ui.exists("file/path"));
  CHECK(s.layer().heads == 4);
  CHECK(s.app.history().file().path == lessons.file("b.json"));
}

TEST_CASE("file dialog: a double click opens", "[app][files]") {
  const Lessons lessons;
  Session s(open_document(lessons.file("a.json")));
  open_dialog(s);
  s.ui.double_click("file/entry/b.json");
  s.ui.frames(3);
  CHECK_FALSE(s.ui.exists("file/path"));
  CHECK(s.layer().heads == 4);
}

TEST_CASE("file dialog: the keyboard is enough", "[app][files]") {
  const Lessons lessons;
  Session s(open_document(lessons.file("a.json")));
  s.ui.key(key::f5);  // presentation
  open_dialog(s);
  SECTION("arrows and Enter open a document") {
    s.ui.key(key::down);
    s.ui.key(key::down);
    s.ui.key(key::enter);
    s.ui.frames(3);
    CHECK(s.layer().heads == 4);
  }
  SECTION("a folder is entered, then a document opened") {
    s.ui.key(key::down);
    s.ui.key(key::up);
    s.ui.key(key::enter);
    s.ui.frames(4);
    REQUIRE(s.ui.exists("file/entry/c.json"));
    s.ui.key(key::down);
    s.ui.key(key::enter);
    s.ui.frames(3);
    CHECK(s.layer().heads == 2);
  }
  SECTION("a folder is entered by name, and typing goes on") {
    s.ui.key(key::letter('a'), true);
    s.ui.type(lessons.file("more"));
    s.ui.key(key::enter);
    s.ui.frames(4);
    REQUIRE(s.ui.exists("file/entry/c.json"));
    s.ui.type("c.json");
    s.ui.key(key::enter);
    s.ui.frames(3);
    CHECK(s.layer().heads == 2);
  }
  SECTION("Esc leaves everything as it was") {
    s.ui.key(key::down);
    s.ui.key(key::escape);
    s.ui.frames(3);
    CHECK_FALSE(s.ui.exists("file/path"));
    CHECK(s.view().presentation);
    CHECK(s.app.history().steps() == 0);
  }
  SECTION("no key means anything else meanwhile") {
    s.ui.click("file/entry/a.json");  // the path has lost the keyboard
    s.ui.key(key::letter('c'));
    CHECK(s.layer().mask.kind == Mask::Kind::none);
  }
}

TEST_CASE("file dialog: Enter opens a folder that is a model, or checkpoints of one training, and enters another",
          "[app][files]") {
  const Folder folder;
  const auto put_model = [&](const std::string& name) {
    fs::create_directories(folder.file(name));
    fs::copy(test::data("checkpoints/gpt2"), folder.file(name), fs::copy_options::recursive);
  };
  put_model("model"), put_model("run/checkpoint-1"), put_model("run/checkpoint-2");
  Session s;
  const auto begin = [&] {
    open_dialog(s);
    type_path(s, folder.file(""));
    s.ui.frames(3);
  };
  const auto choose = [&](int down) {  // from "../", the first
    for (int k = 0; k <= down; ++k) s.ui.key(key::down);
    s.ui.key(key::enter);
    s.settle();
  };
  begin();
  SECTION("a model") {
    choose(1);
    CHECK_FALSE(s.ui.exists("file/path"));
    REQUIRE(s.document().file);
    CHECK(fs::equivalent(s.document().file->path, folder.file("model")));
  }
  SECTION("a series, the last of it") {
    choose(2);
    CHECK_FALSE(s.ui.exists("file/path"));
    REQUIRE(s.document().file);
    CHECK(fs::equivalent(s.document().file->path, folder.file("run/checkpoint-2")));
  }
  SECTION("the folder over them is entered, though it holds a model") {
    choose(0);
    CHECK(s.ui.exists("file/path"));
    CHECK_FALSE(s.document().file);
  }
}

TEST_CASE("file dialog: arrows and Enter save over another file only after a question", "[app][files]") {
  const Lessons lessons;
  Session s(open_document(lessons.file("a.json")));
  const std::string other = content_of(lessons.file("b.json"));
  s.ui.key(key::letter('s'), true, true);
  s.ui.frames(3);
  s.ui.key(key::down);
  s.ui.key(key::down);
  s.ui.key(key::enter);
  s.ui.frames(3);
  CHECK(s.ui.exists("file/path"));
  CHECK(content_of(lessons.file("b.json")) == other);
  s.ui.key(key::enter);
  s.ui.frames(3);
  CHECK_FALSE(s.ui.exists("file/path"));
  CHECK(content_of(lessons.file("b.json")) == document_text(s.document()));
}
