// Next words beside the sentence, and a model that writes on, in the window.
#include "core/writing/writing.h"
#include "app/views/bars/next_bar.h"
#include "app/views/model_panel/sentence_field.h"
#include "core/tokenizers/tokenizer.h"
#include "tests/support/model_session.h"

using namespace hydra;
using Catch::Matchers::Contains;

namespace {

// What the core alone writes behind the text.
std::string written_by_core(const Document& document, int words, double temperature, std::uint64_t seed) {
  Writing writing(document, Choosing{.temperature = temperature}, seed);
  for (int k = 0; k < words; ++k) REQUIRE(writing.write());
  return writing.continuation();
}

}  // namespace

TEST_CASE("writing: the likeliest next words stand beside the sentence, and a click writes one", "[app][writing]") {
  ModelSession s("gpt2");
  s.open();
  s.app.edit(SetSentence{"bad cab"});
  s.settle();
  const std::vector<std::string> before = s.app.trace().tokens;
  const Array<float> probabilities = s.app.trace().model.probabilities;
  for (const int which : {0, 1}) {
    const Index word = likeliest(probabilities, std::ssize(before) - 1, 2)[static_cast<std::size_t>(which)];
    s.ui.click("next/" + std::to_string(which));
    s.settle();
    std::vector<std::string> after = before;
    after.push_back(s.document().embedding.vocabulary.word(word));
    CHECK(s.app.trace().tokens == after);
    CHECK(s.document().sentence.starts_with("bad cab"));
    s.app.act(act::Undo{});
    s.settle();
    CHECK(s.document().sentence == "bad cab");
    CHECK(s.app.trace().tokens == before);
  }
}

TEST_CASE("writing: a model writes on as it does without a window, and one undo takes it back", "[app][writing]") {
  for (const double temperature : {0.0, 1.0}) {
    CAPTURE(temperature);
    ModelSession s("llama");
    s.open();
    s.app.edit(SetSentence{"bad cab"});
    s.settle();
    const Document before = s.document();
    const std::size_t steps = s.app.history().steps();
    s.app.act(act::Write{4, temperature, 3});
    s.wait_until([&] { return std::ssize(s.app.trace().tokens) == 11 && !s.tools().writing; });
    s.settle();
    Document ids = before;
    ids.tokens = tokens_of(before);
    CHECK(s.document().sentence == before.sentence + written_by_core(ids, 4, temperature, 3));
    CHECK(s.app.history().steps() == steps + 1);
    CHECK(s.app.hands().of<SentenceField>().at_end);  // which is where it was written
    s.ui.click("sentence");
    CHECK_FALSE(s.app.hands().of<SentenceField>().at_end);
    s.ui.key(key::escape);
    s.app.act(act::Undo{});
    s.settle();
    CHECK(same_document(s.document(), before));
  }
}

TEST_CASE("writing: the button starts and stops it, an edit stops it, and it ends where there is no more room",
          "[app][writing]") {
  ModelSession s("gpt2");
  s.open();
  const Index room = s.document().weights.P.rows();
  s.app.edit(SetSentence{"bad"});
  s.settle();
  s.ui.click("write");
  s.wait_until([&] { return s.app.trace().tokens.size() >= 5; });
  CHECK(s.tools().writing);
  s.ui.click("write");
  s.settle();
  CHECK_FALSE(s.tools().writing);
  const std::size_t stopped = s.app.trace().tokens.size();
  s.ui.frames(60);
  CHECK(s.app.trace().tokens.size() == stopped);
  s.ui.click("write");
  s.wait_until([&] { return s.app.trace().tokens.size() > stopped; });
  s.app.edit(SetSentence{"cab"});
  s.settle();
  CHECK_FALSE(s.tools().writing);
  CHECK(s.document().sentence == "cab");
  s.ui.click("write");
  s.wait_until([&] { return !s.tools().writing; });
  CHECK(std::ssize(s.app.trace().tokens) == room);
  CHECK_THAT(s.app.notice().sentence, Contains("no room"));
}

TEST_CASE("writing: next words have a row of their own under a narrow sentence, where all of them stand",
          "[app][writing]") {
  for (const bool presenting : {false, true}) {
    ModelSession s("gpt2");
    s.open();
    s.set(s.view().presentation, presenting);
    s.app.edit(SetSentence{"bad cab"});
    s.settle();
    CHECK(s.ui.exists("next/4"));
    CHECK(s.ui.exists("write"));
    CHECK(s.ui.rect("next/0").min.y >= s.ui.rect("sentence").max.y);
  }
}

TEST_CASE("writing: nothing of it is there where no next word is read out", "[app][writing]") {
  Session s;
  CHECK_FALSE(s.ui.exists("write"));
  CHECK_FALSE(s.ui.exists("next/0"));
}
