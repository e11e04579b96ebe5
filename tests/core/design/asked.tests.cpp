// In which rows a designed head is asked for something.
#include "core/design/asked.h"

#include <catch2/catch.hpp>

#include "core/text/tokenizer.h"

using namespace hydra;

namespace {

const std::vector<std::string> kTokens{"The",     "animal", "didn't", "cross", "the",   "street",
                                       "because", "it",     "was",    "too",   "tired", "."};

std::vector<int> asked(HeadPreset preset, const Mask& mask = {}) {
  std::vector<WordFeatures> words;
  for (const std::string& token : kTokens) words.push_back(Lexicon::standard().look_up(token));
  std::vector<int> list;
  for (int i = 0; i < static_cast<int>(kTokens.size()); ++i)
    if (asks_in_row(preset_design(preset), kTokens, words, mask, i)) list.push_back(i);
  return list;
}

}  // namespace

TEST_CASE("asked rows: those whose query asks for a key that is there", "[core][design]") {
  CHECK(asked(HeadPreset::pronoun_antecedent) == std::vector<int>{7});
  CHECK(asked(HeadPreset::verb_subject) == std::vector<int>{2, 3, 8});
  CHECK(asked(HeadPreset::determiner_noun) == std::vector<int>{0, 4});
  CHECK(asked(HeadPreset::same_word) == std::vector<int>{0, 4});
}

TEST_CASE("asked rows: what the mask hides is not there", "[core][design]") {
  const Mask causal{Mask::Kind::causal, nullptr};
  CHECK(asked(HeadPreset::determiner_noun, causal) == std::vector<int>{4});  // "animal" is seen from the second one on
  CHECK(asked(HeadPreset::same_word, causal) == std::vector<int>{4});
}

TEST_CASE("asked rows: places and offsets are asked for everywhere", "[core][design]") {
  CHECK(asked(HeadPreset::previous).size() == kTokens.size());
  CHECK(asked(HeadPreset::first).size() == kTokens.size());
  CHECK(asked(HeadPreset::uniform).size() == kTokens.size());
  CHECK(asked(HeadPreset::punctuation).size() == kTokens.size());
}
