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
}

TEST_CASE("scripts: every view draws every token, and then nothing is made any more", "[app][scripts]") {
  Session s(mixed());
  for (const ViewId view : {ViewId::flow, ViewId::heads, ViewId::roles, ViewId::mixing, ViewId::likeness,
                            ViewId::tradeoff, ViewId::design}) {
    s.view().view = view;
    for (const bool presentation : {false, true}) {
      s.view().presentation = presentation;
      s.ui.frames(3);
      s.app.finish_evaluation();
      s.ui.frames(3);
      s.app.take_fonts_changed();
      s.ui.frames(2);
      CHECK_FALSE(s.app.take_fonts_changed());
    }
  }
}
