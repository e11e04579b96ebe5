// The word of a sentence that is looked at first.
#include "core/text/usual_token.h"

#include <catch2/catch.hpp>

#include "core/text/tokenizer.h"

using namespace hydra;

namespace {

std::string usual(const std::string& sentence) {
  const std::vector<std::string> tokens = tokenize(sentence);
  std::vector<WordFeatures> words;
  for (const std::string& token : tokens) words.push_back(Lexicon::standard().look_up(token));
  return tokens[static_cast<std::size_t>(usual_token(tokens, words))];
}

}  // namespace

TEST_CASE("usual token: the pronoun that stands for a noun, else the first noun", "[core][text]") {
  CHECK(usual("the dog chases the girl because she is scared .") == "she");
  CHECK(usual("The animal didn't cross the street because it was too tired.") == "it");
  CHECK(usual("The teacher gave the students their homework.") == "their");
  CHECK(usual("The cat that I adopted sleeps.") == "cat");  // nobody is named for “I”
  CHECK(usual("It was the cat that slept.") == "cat");      // nothing stands before it
  CHECK(usual("the small black dog") == "dog");
  CHECK(usual("slept .") == "slept");
  CHECK(usual(". .") == ".");
  CHECK(usual("She") == "She");
}
