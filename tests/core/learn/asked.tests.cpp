// At which words the questions of a task are asked.
#include "core/learn/asked.h"

#include <catch2/catch.hpp>

#include "core/document/model.h"
#include "tests/support/examples.h"

using namespace hydra;
using namespace hydra::learn;

namespace {

std::shared_ptr<const AskedWords> of(const Document& document) {
  return asked_words(document.embedding.vocabulary, next_words_of(document));
}

}  // namespace

TEST_CASE("asked: whom a pronoun means is asked of pronouns alone", "[learn]") {
  const Document document = test::example("trained_grammar");
  const auto asked = of(document);
  REQUIRE(asked);
  const Vocabulary& words = document.embedding.vocabulary;
  const Index antecedent = 3, subject = 2, end_mark = 1;
  REQUIRE(document.readout.questions.word(antecedent) == "antecedent");
  for (const char* word : {"she", "it", "he", "they", "his"}) CHECK(asked->is_asked(antecedent, words.row_of(word)));
  for (const char* word : {"the", "king", "sees", "because", ".", "tired"})
    CHECK_FALSE(asked->is_asked(antecedent, words.row_of(word)));
  CHECK(asked->is_asked(subject, words.row_of("sees")));
  CHECK_FALSE(asked->is_asked(subject, words.row_of("tired")));
  CHECK_FALSE(asked->is_asked(end_mark, words.row_of(".")));
  CHECK_FALSE(asked->is_asked(antecedent, words.row_of("Quux")));
  CHECK(asked->share[3] < asked->share[2]);
  CHECK(asked->share[1] > 0.8);
  CHECK(of(document) == asked);  // counted once
}

TEST_CASE("asked: of other models every token may be asked", "[learn]") {
  CHECK_FALSE(of(test::example("trained_induction")));   // one question
  CHECK_FALSE(of(test::example("trained_students_4")));  // several words at a place
  CHECK_FALSE(of(default_document()));
}
