#include "core/text/usual_token.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace hydra {

namespace {

constexpr auto kSpeakers =
    std::to_array<std::string_view>({"i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves", "you",
                                     "your", "yours", "yourself", "yourselves"});

bool has(const WordFeatures& word, std::string_view name) {
  const int feature = Lexicon::standard().feature(name);
  return feature >= 0 && has_feature(word.features, feature);
}

}  // namespace

std::optional<Index> pronoun_in(const std::vector<std::string>& tokens, const std::vector<WordFeatures>& words) {
  bool named = false;  // a noun came
  for (std::size_t k = 0; k < std::min(tokens.size(), words.size()); ++k) {
    const bool stands_for_one = has(words[k], "pronoun") && !has(words[k], "relative") &&
                                std::ranges::find(kSpeakers, word_key(tokens[k])) == kSpeakers.end();
    if (named && stands_for_one) return static_cast<Index>(k);
    named = named || has(words[k], "noun");
  }
  return std::nullopt;
}

Index usual_token(const std::vector<std::string>& tokens, const std::vector<WordFeatures>& words) {
  if (const std::optional<Index> pronoun = pronoun_in(tokens, words)) return *pronoun;
  const auto first = [&](const auto& is_it) { return std::ranges::find_if(words, is_it) - words.begin(); };
  const auto count = std::ssize(words);
  if (const auto noun = first([](const WordFeatures& word) { return has(word, "noun"); }); noun < count) return noun;
  const auto more =
      first([](const WordFeatures& word) { return !has(word, "determiner") && !has(word, "punctuation"); });
  return more < count ? more : 0;
}

}  // namespace hydra
