// Opening, saving and closing: whatever is done with several documents in one window, no work is lost unasked.
#include <catch2/catch.hpp>

#include "core/io/file.h"
#include "tests/support/folder.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

namespace fs = std::filesystem;

constexpr const char* kLesson =
    R"({"hydrascope": 1, "sentence": "one two three", "d_model": 16, "layers": [{"heads": 2}]})";

std::string lesson_in(const Folder& folder, const char* name = "lesson.json", const char* text = kLesson) {
  std::ofstream(folder.file(name)) << text;
  return folder.file(name);
}

void open_example(Session& s) {
  s.ui.click("examples");
  s.ui.click("examples/two_heads_by_hand.json");
  s.ui.frames(3);
}

void ctrl(Session& s, char letter) {
  s.ui.key(key::letter(letter), true);
  s.ui.frames(3);
}

void answer(Session& s, const std::string& label) {
  s.ui.click("question/" + label);
  s.ui.frames(3);
}

void save_under(Session& s, const std::string& path) {
  s.ui.frames(2);
  s.ui.click("file/path");
  s.ui.key(key::letter('a'), true);
  s.ui.type(path);
  s.ui.click("file/ok");
  s.ui.frames(3);
}

bool holds(const std::string& path, const Document& document) { return same_document(read_document(path), document); }

}  // namespace

TEST_CASE("files: saving an opened example never touches the file that was open before", "[app][files]") {
  const Folder folder;
  const std::string lesson = lesson_in(folder);
  Session s(open_document(lesson));
  s.ui.key(key::letter('c'));
  ctrl(s, 's');
  const std::string saved = content_of(lesson);
  CHECK(saved.find("causal") != std::string::npos);
  open_example(s);
  CHECK(s.app.history().file().path.empty());
  ctrl(s, 's');
  CHECK(content_of(lesson) == saved);
  REQUIRE(s.ui.exists("file/path"));  // it has no name yet
  save_under(s, folder.file("example.json"));
  CHECK(content_of(lesson) == saved);
  CHECK(holds(folder.file("example.json"), s.document()));
  CHECK(s.app.history().file().path == folder.file("example.json"));

  ctrl(s, 'z');  // before the example
  CHECK(s.app.history().file().path == lesson);
  CHECK_FALSE(s.app.history().modified());
  s.ui.click("model/scale");
  ctrl(s, 's');
  CHECK(holds(lesson, s.document()));
  CHECK(read_document(folder.file("example.json")).layers[0].settings.scale);
}

TEST_CASE("files: what was unsaved comes back with its name when another document is taken back", "[app][files]") {
  const Folder folder;
  const std::string lesson = lesson_in(folder), other = lesson_in(folder, "other.json", R"({"hydrascope": 1})");
  Session s(open_document(lesson));
  s.ui.key(key::letter('c'));
  const Document work = s.document();
  SECTION("an example") { open_example(s); }
  SECTION("a file dropped on the window") { s.app.open(other); }
  CHECK(s.notice().sentence.find("lesson.json") != std::string::npos);
  CHECK(s.notice().sentence.find("Undo") != std::string::npos);
  s.ui.frames(2);
  ctrl(s, 'z');
  CHECK(s.app.history().file().path == lesson);
  CHECK(s.app.history().modified());
  CHECK(same_document(s.document(), work));
  CHECK(s.notice().sentence.find("lesson.json") != std::string::npos);
  ctrl(s, 's');
  CHECK(holds(lesson, work));
}

TEST_CASE("files: a file that something else wrote since is replaced only after a question", "[app][files]") {
  const Folder folder;
  const std::string lesson = lesson_in(folder);
  Session s(open_document(lesson));
  s.ui.key(key::letter('c'));
  const std::string theirs = R"({"hydrascope": 1, "sentence": "somebody else"})";
  lesson_in(folder, "lesson.json", theirs.c_str());
  ctrl(s, 's');
  REQUIRE(s.ui.exists("question/Replace"));
  CHECK(content_of(lesson) == theirs);
  SECTION("Esc leaves it") {
    s.ui.key(key::escape);
    s.ui.frames(3);
    CHECK_FALSE(s.ui.exists("question/Replace"));
    CHECK(content_of(lesson) == theirs);
    CHECK(s.app.history().modified());
    ctrl(s, 's');
    CHECK(s.ui.exists("question/Replace"));  // it asks again
  }
  SECTION("another name") {
    answer(s, "Save under another name");
    save_under(s, folder.file("mine.json"));
    CHECK(content_of(lesson) == theirs);
    CHECK(holds(folder.file("mine.json"), s.document()));
  }
  SECTION("replaced") {
    answer(s, "Replace");
    CHECK(holds(lesson, s.document()));
    s.ui.key(key::letter('c'));
    ctrl(s, 's');  // what stands there is ours again
    CHECK_FALSE(s.ui.exists("question/Replace"));
    CHECK(holds(lesson, s.document()));
  }
}

TEST_CASE("files: a file written again with the same content, or gone, is saved without a question", "[app][files]") {
  const Folder folder;
  const std::string lesson = lesson_in(folder);
  Session s(open_document(lesson));
  s.ui.key(key::letter('c'));
  SECTION("the same content") { lesson_in(folder); }
  SECTION("gone") { fs::remove(lesson); }
  ctrl(s, 's');
  CHECK_FALSE(s.ui.exists("question/Replace"));
  CHECK(holds(lesson, s.document()));
}

TEST_CASE("files: a document read from standard input is untitled", "[app][files]") {
  CHECK(open_document("").file.path.empty());
  const Folder folder;
  const std::string lesson = lesson_in(folder);
  CHECK(open_document(lesson).file.path == lesson);
  CHECK(open_document(lesson).file.content == fingerprint_of(kLesson));
}

TEST_CASE("files: closing asks about unsaved changes, by name, and Esc stays", "[app][files]") {
  const Folder folder;
  const std::string lesson = lesson_in(folder);
  for (const bool presenting : {false, true}) {
    lesson_in(folder);
    Session s(open_document(lesson), {1280, 800});
    if (presenting) s.ui.key(key::f5);
    s.ui.key(key::letter('c'));
    ctrl(s, 'q');
    REQUIRE(s.app.front().question);
    CHECK(s.app.front().question->title.find("lesson.json") != std::string::npos);
    CHECK_FALSE(s.app.quit_requested());
    s.ui.key(key::letter('c'));  // nothing else happens before it is answered
    CHECK(s.layer().mask.kind == Mask::Kind::causal);
    s.ui.key(key::escape);
    s.ui.frames(3);
    CHECK_FALSE(s.app.front().question);
    CHECK_FALSE(s.app.quit_requested());
    CHECK(s.view().presentation == presenting);
    ctrl(s, 'q');
    REQUIRE(s.app.front().question);  // however often it was asked before
    s.ui.key(key::right);
    s.ui.key(key::enter);  // Discard
    CHECK(s.app.quit_requested());
    CHECK(content_of(lesson) == kLesson);
  }
}

TEST_CASE("files: closing saves when it is told to", "[app][files]") {
  const Folder folder;
  const std::string lesson = lesson_in(folder);
  Session s(open_document(lesson));
  s.app.close();
  CHECK(s.app.quit_requested());  // nothing to ask about
  Session edited(open_document(lesson));
  edited.ui.key(key::letter('c'));
  edited.app.close();
  edited.ui.frames(3);
  CHECK_FALSE(edited.app.quit_requested());
  edited.ui.key(key::enter);  // Save is what Enter gives
  CHECK(edited.app.quit_requested());
  CHECK(holds(lesson, edited.document()));
}

TEST_CASE("files: closing an untitled document leads through the save dialog", "[app][files]") {
  const Folder folder;
  Session s;
  s.ui.key(key::letter('c'));
  ctrl(s, 'q');
  answer(s, "Save");
  REQUIRE(s.ui.exists("file/path"));
  SECTION("saved, it closes") {
    save_under(s, folder.file("new.json"));
    CHECK(s.app.quit_requested());
    CHECK(holds(folder.file("new.json"), s.document()));
  }
  SECTION("cancelled, it stays, and saving later does not close") {
    s.ui.click("file/cancel");
    s.ui.frames(3);
    CHECK_FALSE(s.app.quit_requested());
    ctrl(s, 's');
    save_under(s, folder.file("new.json"));
    CHECK_FALSE(s.app.quit_requested());
  }
  SECTION("not to be written, it stays and says why") {
    save_under(s, folder.file("no/such/folder.json"));
    CHECK_FALSE(s.app.quit_requested());
    CHECK(s.notice().is_error);
    s.ui.frames(3);
    ctrl(s, 'q');
    CHECK(s.app.front().question);
  }
}

TEST_CASE("files: all that was left unsaved is discarded by one answer", "[app][files]") {
  const Folder folder;
  const std::string lesson = lesson_in(folder);
  Session s(open_document(lesson));
  s.ui.key(key::letter('c'));
  open_example(s);
  s.ui.key(key::letter('c'));
  ctrl(s, 'q');
  REQUIRE(s.app.front().question);
  answer(s, "Discard all");
  CHECK(s.app.quit_requested());
  CHECK(content_of(lesson) == kLesson);
}

TEST_CASE("files: closing asks about what was left unsaved by opening another document", "[app][files]") {
  const Folder folder;
  const std::string lesson = lesson_in(folder);
  Session s(open_document(lesson));
  s.ui.key(key::letter('c'));
  const Document work = s.document();
  open_example(s);
  s.ui.key(key::letter('c'));
  const Document example = s.document();
  ctrl(s, 'q');
  REQUIRE(s.app.front().question);
  CHECK(s.app.front().question->title.find("untitled") != std::string::npos);
  answer(s, "Discard");
  REQUIRE(s.app.front().question);
  CHECK(s.app.front().question->title.find("lesson.json") != std::string::npos);
  CHECK(same_document(s.document(), work));  // what is asked about is on the screen
  SECTION("saved") {
    answer(s, "Save");
    CHECK(s.app.quit_requested());
    CHECK(holds(lesson, work));
  }
  SECTION("discarded") {
    answer(s, "Discard");
    CHECK(s.app.quit_requested());
    CHECK(content_of(lesson) == kLesson);
  }
  SECTION("staying brings back what was open") {
    answer(s, "Stay");
    CHECK_FALSE(s.app.quit_requested());
    CHECK(same_document(s.document(), example));
    ctrl(s, 'q');
    REQUIRE(s.app.front().question);
    CHECK(s.app.front().question->title.find("untitled") != std::string::npos);
  }
}

namespace {

std::string text_of_lines(int lines) {
  std::string text;
  for (int k = 0; k < lines; ++k) text += "the cat sat on the mat and the dog sat by the door\n";
  return text;
}

}  // namespace

TEST_CASE("files: a text that is opened or dropped is what Learn reads, and the document stays",
          "[app][files][learn]") {
  const Folder folder;
  const std::string text = text_of_lines(40), path = lesson_in(folder, "story.txt", text.c_str());
  Session s;
  const Document before = s.document();
  s.app.open(path);
  s.app.finish_evaluation();
  s.ui.frames(3);
  CHECK(s.view().view == ViewId::learn);
  CHECK(s.view().learn.setup.task == "text");
  CHECK(s.view().learn.setup.text == text);
  CHECK_FALSE(s.app.history().modified());
  CHECK(same_document(s.document(), before));
  s.ui.click("learn/train");
  s.ui.frames(5);
  CHECK(s.ui.exists("learn/pause"));
}

TEST_CASE("files: Learn opens a text of any name by its button", "[app][files][learn]") {
  const Folder folder;
  const std::string text = text_of_lines(30), path = lesson_in(folder, "story", text.c_str());
  Session s;
  s.set(s.view().view, ViewId::learn);
  s.ui.frames(2);
  s.ui.click("learn/task/text");
  s.ui.frames(2);
  s.ui.click("learn/open");
  save_under(s, path);
  s.app.finish_evaluation();
  s.ui.frames(3);
  CHECK(s.view().learn.setup.text == text);
}

TEST_CASE("files: a text that cannot be learned from is refused in a sentence, and nothing is lost",
          "[app][files][learn]") {
  const Folder folder;
  Session s;
  s.set(s.view().learn.setup.text, "what was there");
  const auto told = [&](const std::string& path) {
    s.app.open(path);
    s.app.finish_evaluation();
    s.ui.frames(3);
    return s.notice().sentence;
  };
  CHECK_THAT(told(folder.file("none.txt")), Catch::Contains("none.txt"));
  const std::string large(std::size_t{1} << 21, 'x');
  CHECK_THAT(told(lesson_in(folder, "large.txt", large.c_str())), Catch::Contains("large.txt"));
  CHECK(s.view().learn.setup.text == "what was there");
}
