#include "core/design/asked.h"

#include <algorithm>
#include <cmath>

namespace hydra {

namespace {

// The weighted sum of features that the word has. "any" is a feature of every token.
float side_of(const std::vector<FeatureWeight>& side, const WordFeatures& word) {
  float sum = 0;
  for (const FeatureWeight& term : side)
    if (const int feature = Lexicon::standard().feature(term.feature);
        feature == 0 || (feature > 0 && has_feature(word.features, feature)))
      sum += term.weight;
  return sum;
}

}  // namespace

bool asks_in_row(const HeadDesign& design, const std::vector<std::string>& tokens,
                 const std::vector<WordFeatures>& words, const Mask& mask, Index row) {
  if ((design.asks.empty() && design.same_word == 0) || design.slot_word != 0 || words.size() != tokens.size())
    return true;
  const auto i = static_cast<std::size_t>(row);
  for (const Ask& ask : design.asks) {
    if (std::abs(ask.strength) < std::abs(design.asks.front().strength)) continue;
    const float query = ask.strength * side_of(ask.query, words[i]);
    if (query == 0) continue;
    for (std::size_t j = 0; j < words.size(); ++j)
      if (mask.allows(row, static_cast<Index>(j)) && query * side_of(ask.key, words[j]) > 0) return true;
  }
  if (design.same_word <= 0) return false;
  const std::string word = word_key(tokens[i]);
  for (std::size_t j = 0; j < tokens.size(); ++j)
    if (i != j && mask.allows(row, static_cast<Index>(j)) && word_key(tokens[j]) == word) return true;
  return false;
}

std::string first_job(const HeadDesign& design) {
  if (design.preset != HeadPreset::none || design.asks.empty()) return {};
  const auto wanted = [](const std::vector<FeatureWeight>& side) {
    std::string words;
    for (const FeatureWeight& term : side)
      if (term.weight > 0) words += (words.empty() ? "" : "/") + term.feature;
    return words;
  };
  const std::string query = wanted(design.asks.front().query), key = wanted(design.asks.front().key);
  return query.empty() || key.empty() || design.asks.front().strength <= 0 ? std::string() : query + " to " + key;
}

bool same_first_ask(const HeadDesign& a, const HeadDesign& b) { return a.asks.front() == b.asks.front(); }

std::vector<HeadDesign> with_first_asks(const std::vector<std::optional<HeadDesign>>& designs) {
  std::vector<HeadDesign> asking;
  for (const std::optional<HeadDesign>& design : designs) {
    if (!design || first_job(*design).empty()) continue;
    const auto same = [&](const HeadDesign& other) { return same_first_ask(other, *design); };
    if (std::ranges::none_of(asking, same)) asking.push_back(*design);
  }
  return asking;
}

std::vector<Index> keys_of_first_ask(const HeadDesign& design, const std::vector<WordFeatures>& words, const Mask& mask,
                                     Index row) {
  std::vector<Index> keys;
  const Ask& ask = design.asks.front();
  if (side_of(ask.query, words[static_cast<std::size_t>(row)]) <= 0) return keys;
  for (Index j = 0; j < static_cast<Index>(words.size()); ++j)
    if (mask.allows(row, j) && side_of(ask.key, words[static_cast<std::size_t>(j)]) > 0) keys.push_back(j);
  return keys;
}

}  // namespace hydra
