// What the model does not know of the sentence, as the window says it.
#include <catch2/catch.hpp>

#include "app/views/model_panel/known_note.h"
#include "tests/support/examples.h"
#include "tests/support/session.h"

using namespace hydra;
using Catch::Contains;

namespace {

Session reading(const std::string& sentence) {
  return Session(hydra::apply(test::example("trained_grammar"), SetSentence{sentence}), {1600, 2400});
}
std::string words(int count) {
  std::string sentence;
  for (int k = 0; k < count; ++k) sentence += k % 2 == 0 ? "the " : "king ";
  return sentence;
}

}  // namespace

TEST_CASE("known view: nothing is said where everything is known", "[app][known]") {
  for (const char* sentence : {"the king sleeps .", "The king sleeps ."}) {
    Session s = reading(sentence);
    CHECK_FALSE(s.ui.exists("status/known"));
    CHECK_FALSE(s.ui.exists("status/add_places"));
  }
  Session hashed;
  CHECK_FALSE(hashed.ui.exists("status/known"));
}

TEST_CASE("known view: a word that the model does not know is counted, in either size of text", "[app][known]") {
  Session s = reading("the quokka sleeps .");
  CHECK(s.ui.exists("status/known"));
  CHECK_FALSE(s.ui.exists("status/add_places"));
  s.set(s.view().presentation, true);
  s.ui.frames(3);
  CHECK(s.ui.exists("status/known"));
}

TEST_CASE("known view: capitals are read by choice, and Undo has the other", "[app][known]") {
  Session s = reading("The king sleeps .");
  const auto row = [&] { return Mat<float>(s.app.trace().embedding->row(0)); };
  const Mat<float> folded = row();
  s.ui.click("panels/model");
  s.ui.click("model/case");
  s.settle();
  CHECK(s.document().embedding.vocabulary.letter_case() == Vocabulary::Case::exact);
  CHECK(row() != folded);
  CHECK(s.ui.exists("status/known"));
  s.ui.click("undo");
  s.settle();
  CHECK(row() == folded);
}

TEST_CASE("known view: places are added by choice alone, and change no number", "[app][known]") {
  Session s = reading(words(30));
  const Mat<float> X = *s.app.trace().X;
  REQUIRE(s.document().weights.P.rows() == 16);
  s.ui.click("status/add_places");
  s.settle();
  CHECK(s.document().weights.P.rows() == 30);
  CHECK(*s.app.trace().X == X);
  CHECK_FALSE(s.ui.exists("status/add_places"));
  s.ui.click("undo");
  s.settle();
  CHECK(s.document().weights.P.rows() == 16);
  s.ui.click("panels/model");
  s.ui.click("model/places/add");
  s.settle();
  CHECK(s.document().weights.P.rows() == 30);
}
