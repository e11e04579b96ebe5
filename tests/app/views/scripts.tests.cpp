// Sentences in any script: seen, edited, copied.
#include "app/platform/glyphs.h"
#include "core/text/clusters.h"
#include "core/text/tokenizer.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

const std::string kMixed =
    "👩‍👩‍👧 שָׁלוֹם مرحبا हिन्दी 漢字 한국어 👍🏽 𠀀 \ue000 end";

Document mixed() {
  Document document = default_document();
  document.sentence = kMixed;
  return document;
}

std::string times(const std::string& text, std::size_t bytes) {
  std::string all;
  while (all.size() + text.size() <= bytes) all += text;
  return all;
}

// A text of so many bytes, wherever a document may have one.
struct TextPlace {
  const char* name;
  void (*put)(Document& document, const std::string& text);
};
const TextPlace kPlaces[] = {
    {"title", [](Document& d, const std::string& text) { d.notes.title = text; }},
    {"notes",
     [](Document& d, const std::string& text) {
       d.notes.paragraphs = {text, "# " + text};
     }},
    {"sentence", [](Document& d, const std::string& text) { d.sentence = text; }},
    {"token",
     [](Document& d, const std::string& text) {
       d.tokens = {"the", text, "cat"};
     }},
    {"vocabulary",
     [](Document& d, const std::string& text) {
       d = hydra::apply(d, SetEmbedding{Embedding::Kind::learned, 1});
       d = hydra::apply(d, SetVocabulary{SetVocabulary::Of::words, {"the", text}});
       d.tokens = {"the", text, "cat"};
     }},
};

std::string clipboard() {
  ImGuiIO& io = ImGui::GetIO();
  return io.GetClipboardTextFn(io.ClipboardUserData);
}

}  // namespace

TEST_CASE("scripts: editing one letter of a sentence keeps all others", "[app][scripts]") {
  Session s(mixed());
  s.ui.click("sentence");
  s.ui.key(key::end);
  s.ui.type("ed");
  CHECK(s.document().sentence == kMixed + "ed");
  s.ui.key(key::enter);
  CHECK(s.document().sentence == kMixed + "ed");
}

TEST_CASE("scripts: the cursor steps over whole characters", "[app][scripts]") {
  Session s(mixed());
  s.ui.click("sentence");
  s.ui.key(key::home);
  s.ui.key(key::del);  // the family
  const std::string rest = kMixed.substr(end_of_cluster(kMixed, 0));
  CHECK(s.document().sentence == rest);
  s.ui.key(key::right);
  s.ui.key(key::right);
  s.ui.key(key::backspace);  // the letter with its two points
  CHECK(s.document().sentence == " " + rest.substr(1 + std::string("שָׁ").size()));
}

TEST_CASE("scripts: what is typed, cut and pasted is the text itself", "[app][scripts]") {
  Session s;
  s.ui.click("sentence");
  s.ui.key(key::letter('a'), true);
  s.ui.type("hi 👍🏽");
  CHECK(s.document().sentence == "hi 👍🏽");
  s.ui.key(key::letter('a'), true);
  s.ui.key(key::letter('x'), true);
  CHECK(clipboard() == "hi 👍🏽");
  ImGuiIO& io = ImGui::GetIO();
  io.SetClipboardTextFn(io.ClipboardUserData, kMixed.c_str());
  s.ui.key(key::letter('v'), true);
  CHECK(s.document().sentence == kMixed);
  CHECK(s.app.trace().tokens.size() == tokenize(kMixed).size());
  // Words of several lines and columns stay words.
  s.ui.key(key::letter('a'), true);
  io.SetClipboardTextFn(io.ClipboardUserData, "the bank\tof the  river\nis muddy");
  s.ui.key(key::letter('v'), true);
  CHECK(s.document().sentence == "the bank of the  river is muddy");
}

TEST_CASE("scripts: every view draws every token, and then nothing is made any more", "[app][scripts]") {
  Session s(mixed());
  for (const ViewId view : {ViewId::flow, ViewId::heads, ViewId::roles, ViewId::mixing, ViewId::likeness,
                            ViewId::tradeoff, ViewId::design}) {
    s.set(s.view().view, view);
    for (const bool presentation : {false, true}) {
      s.set(s.view().presentation, presentation);
      s.ui.frames(3);
      s.app.finish_evaluation();
      s.ui.frames(3);
      s.app.take_fonts_changed();
      s.ui.frames(2);
      CHECK_FALSE(s.app.take_fonts_changed());
    }
  }
}

TEST_CASE("scripts: what a long text costs grows with its length at most, and nothing once it is drawn",
          "[app][scripts]") {
  for (const std::string unit : {"👩\u200d", "क्", "e\u0301", "हिन्दी "})
    for (const TextPlace& place : kPlaces) {
      if (unit.ends_with(' ') && place.put == kPlaces[2].put) continue;  // too many tokens
      CAPTURE(unit, place.name);
      const auto asked = [&](std::size_t bytes) {
        Document document = default_document();
        place.put(document, times(unit, bytes));
        Session s(std::move(document));
        s.settle();
        const std::size_t all = Glyphs::current()->asked();
        s.ui.frames(3);
        CHECK(Glyphs::current()->asked() == all);
        return all;
      };
      const std::size_t some = asked(7000), more = asked(28000);
      CHECK(more <= 4 * some + 64 * kMostShown);
    }
}

TEST_CASE("scripts: a page of notes makes pictures of what is seen of it alone", "[app][scripts]") {
  Document document = default_document();
  document.notes.title = "हिन्दी";
  document.notes.paragraphs.assign(200, times("हिन्दी में ", 300));
  document.notes.paragraphs.push_back("漢");
  Session s(std::move(document));
  s.settle();
  const ImFont* font = s.app.fonts().text;
  CHECK(font->FindGlyphNoFallback(0x6F22) == nullptr);
  s.ui.rect("notes/200");  // scrolled to
  s.ui.frames(2);
  CHECK(s.app.fonts().text->FindGlyphNoFallback(0x6F22) != nullptr);
}

TEST_CASE("scripts: a clipboard that holds far too much is refused in a sentence", "[app][scripts]") {
  Session s;
  const std::string before = s.document().sentence;
  ImGui::SetClipboardText(std::string(50 << 20, 'a').c_str());
  s.ui.click("sentence");
  s.ui.key(key::letter('v'), true);
  s.settle();
  CHECK(s.document().sentence == before);
  CHECK(s.notice().sentence == "The clipboard holds more than 64 KiB of text, too much to paste here.");
  s.ui.key(key::enter);
  s.notice().sentence.clear();
  ImGui::SetClipboardText(("#d=" + std::string(50 << 20, 'a')).c_str());
  s.ui.key(key::letter('v'), true);
  s.settle();
  CHECK(s.notice().sentence == "The clipboard holds more than 4096 KiB of text, too much to paste here.");
  CHECK(s.document().sentence == before);
  s.set(s.view().view, ViewId::learn);
  s.ui.frames(2);
  s.ui.click("learn/task/text");
  s.ui.frames(2);
  s.ui.click("learn/paste");
  s.settle();
  CHECK(s.notice().sentence == "The clipboard holds more than 1024 KiB of text, too much to paste here.");
  CHECK(s.view().learn.setup.text.empty());
}
