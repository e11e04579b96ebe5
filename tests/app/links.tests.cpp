// Links that hold the document, copied and opened in the window.
#include <catch2/catch.hpp>
#include <string>

#include "core/document/edits/edit.h"
#include "core/io/file.h"
#include "core/io/link.h"
#include "core/weights/weights.h"
#include "tests/support/examples.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

void copy_link(Session& s) {
  s.ui.key(key::letter('c'), true, true);
  s.ui.frames(3);
}
void paste(Session& s) {
  s.ui.key(key::letter('v'), true);
  s.ui.frames(3);
  s.app.finish_evaluation();
  s.ui.frames(3);
}
std::string clipboard() { return ImGui::GetClipboardText(); }

}  // namespace

TEST_CASE("links: what is copied opens to the same document, view, page, layer and head", "[app][links]") {
  std::string link, text;
  {
    Session s(test::example("stack_king_weak"));
    s.ui.key(key::letter('e'));
    s.ui.frames(2);
    s.ui.click("stream/page/routing");
    s.ui.key(key::page_down);
    s.ui.frames(2);
    s.ui.key('2');
    s.ui.frames(2);
    REQUIRE(s.view().layer == 1);
    REQUIRE(s.view().focused_head == 1);
    copy_link(s);
    link = clipboard();
    text = document_text(s.document());
    CHECK(s.notice().sentence.find(std::to_string(link.size()) + " characters") != std::string::npos);
    CHECK_FALSE(s.notice().is_error);
  }
  CHECK(parse_link(link).place == LinkPlace{"stream", "routing", 2, 2});
  Session begun(open_document(link));  // as hydrascope LINK does
  CHECK(document_text(begun.document()) == text);
  CHECK(begun.view().view == ViewId::stream);
  CHECK(begun.view().layer == 1);
  CHECK(begun.view().focused_head == 1);
  CHECK(begun.app.history().file().path.empty());

  Session s;
  const std::string before = document_text(s.document());
  ImGui::SetClipboardText(("https://school.example/" + link + "\n").c_str());
  paste(s);
  CHECK(document_text(s.document()) == text);
  CHECK(s.view().view == ViewId::stream);
  CHECK(s.view().layer == 1);
  CHECK(s.view().focused_head == 1);
  s.ui.key(key::letter('z'), true);
  s.ui.frames(3);
  CHECK(document_text(s.document()) == before);
}

TEST_CASE("links: the inspector opens as at a beginning, whether the numbers come at once or later", "[app][links]") {
  const std::string link = link_text(test::example("two_heads_by_hand"), {"heads", "", 1, 2});
  for (const int patience : {0, 20000}) {
    INFO(patience);
    Session s;
    s.open({{Quantity::W_Q, 0, 0}, 7, 7});  // whose row the document of the link has not
    s.app.set_patience(std::chrono::milliseconds(patience));
    ImGui::SetClipboardText(link.c_str());
    paste(s);
    CHECK(s.view().view == ViewId::heads);
    CHECK(s.view().inspected == Site{Quantity::W_Q, 0, 1});
    CHECK_FALSE(s.view().selection);
  }
}

TEST_CASE("links: one that cannot be opened leaves the document, and says why", "[app][links]") {
  Session s;
  s.ui.key(key::letter('r'));
  s.ui.frames(3);
  const std::string before = document_text(s.document());
  const std::string link = link_text(test::example("slices"));
  for (const std::string& bad : {link.substr(0, 90), std::string("a sentence, no link"), "#d=!" + link.substr(4)}) {
    CAPTURE(bad);
    ImGui::SetClipboardText(bad.c_str());
    paste(s);
    CHECK(document_text(s.document()) == before);
    CHECK(s.notice().is_error);
    CHECK(s.notice().sentence.find("link") != std::string::npos);
  }
  CHECK(s.app.history().can_undo());
}

TEST_CASE("links: places that the document has not are passed over", "[app][links]") {
  const LinkPlace nowhere{"cellar", "attic", 40, 100};
  Session s(open_document(link_text(test::example("slices"), nowhere)));
  s.ui.frames(3);
  CHECK(s.view().layer == 0);
  CHECK(s.view().focused_head == static_cast<int>(s.trace().heads.size()) - 1);
  CHECK(s.app.failure().empty());
}

TEST_CASE("links: of a document that is too large for one it is said what to do instead", "[app][links]") {
  Document document = test::example("trained_students_4");  // with other weights
  for (const Quantity weight : {Quantity::W_Q, Quantity::W_K, Quantity::W_V, Quantity::W_O})
    document = apply(
        document,
        {SetBlock{weight, 0, 0, share(Mat<float>(1.7f * **field_of(document.layers.front().weights, weight)))}, 0});
  Session s(document);
  ImGui::SetClipboardText("before");
  copy_link(s);
  CHECK(clipboard() == "before");
  CHECK(s.notice().sentence.find("give its file instead") != std::string::npos);
  CHECK(s.app.front().file_dialog == FileDialog::none);  // nobody asked for it
  CHECK_FALSE(s.app.history().can_undo());
}

// A narrow presentation leaves it to its key, and the room to the sentence.
TEST_CASE("links: one is copied by the pointer too, beside Save and in a wide presentation", "[app][links]") {
  const ImVec2 size = GENERATE(ImVec2{1280, 800}, ImVec2{1600, 1000});
  const bool presenting = GENERATE(false, true);
  const bool notes = GENERATE(false, true);
  CAPTURE(size.x, presenting, notes);
  Document document = test::example("stack_king_weak");
  if (!notes) document.notes = {};
  Session s(document, size);
  if (presenting) s.ui.key(key::f5);
  s.ui.frames(3);
  if (presenting && size.x < 1600)
    copy_link(s);
  else
    s.ui.click("link");
  s.ui.frames(3);
  CHECK(document_text(parse_link(clipboard()).document) == document_text(s.document()));
  CHECK_FALSE(s.app.history().can_undo());
}

TEST_CASE("links: behind the address of the page, if one is known", "[app][links]") {
  Session s(test::example("slices"));
  copy_link(s);
  const std::string link = clipboard();
  CHECK(link.starts_with("#d="));
  CHECK(s.notice().sentence.find("address of a page") != std::string::npos);
  s.app.set_page("https://school.example/lab/");
  copy_link(s);
  CHECK(clipboard() == "https://school.example/lab/" + link);
  CHECK(s.notice().sentence.find("a browser opens it") != std::string::npos);
}

TEST_CASE("links: opening one loses nothing, as opening a file does not", "[app][links]") {
  Document document = test::example("slices");
  document.notes = {};  // so that the model panel stands there
  Session s(document);
  s.ui.click("model/scale");
  s.ui.frames(3);
  const std::string work = document_text(s.document());
  REQUIRE(s.app.history().modified());
  ImGui::SetClipboardText(link_text(test::example("two_heads_by_hand")).c_str());
  paste(s);
  REQUIRE(document_text(s.document()) != work);
  CHECK(s.notice().sentence ==
        "opened a link; the unsaved changes to the untitled document are kept: Undo brings them back");
  CHECK(s.app.history().unsaved().size() == 1);
  s.ui.key(key::letter('z'), true);
  s.ui.frames(3);
  CHECK(document_text(s.document()) == work);
  CHECK(s.app.history().modified());
}

TEST_CASE("links: in a field they are text, and in the one of Open what is opened", "[app][links]") {
  Session s(test::example("slices"));
  const std::string before = document_text(s.document());
  const std::string link = link_text(test::example("two_heads_by_hand"), {"mixing", "", 1, 2});
  ImGui::SetClipboardText(link.c_str());
  s.ui.click("open");
  s.ui.frames(2);
  s.ui.click("file/path");
  s.ui.key(key::letter('a'), true);
  s.ui.key(key::letter('v'), true);
  s.ui.frames(2);
  CHECK(document_text(s.document()) == before);
  s.ui.click("file/ok");
  s.ui.frames(3);
  s.app.finish_evaluation();
  s.ui.frames(3);
  CHECK(document_text(s.document()) == document_text(test::example("two_heads_by_hand")));
  CHECK(s.view().view == ViewId::mixing);
  CHECK(s.view().focused_head == 1);
  CHECK(s.app.history().file().path.empty());
}

TEST_CASE("links: one to a file beside a page says so", "[app][links]") {
  Session s(test::example("slices"));
  const std::string before = document_text(s.document());
  ImGui::SetClipboardText("https://school.example/lab/#url=lesson.json");
  paste(s);
  CHECK(document_text(s.document()) == before);
  CHECK(s.notice().sentence.find("lesson.json") != std::string::npos);
  CHECK(s.notice().is_error);
}
