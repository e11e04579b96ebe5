#include "core/analysis/roles/targets.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>

#include "core/text/tokenizer.h"

namespace hydra {

namespace {

using KeyLists = std::vector<std::vector<int>>;  // by query

// Equal words have equal numbers.
std::vector<int> word_numbers(const std::vector<std::string>& tokens) {
  std::map<std::string, int> known;
  std::vector<int> numbers;
  for (const std::string& token : tokens)
    numbers.push_back(known.emplace(word_key(token), static_cast<int>(known.size())).first->second);
  return numbers;
}

// The rarest words, ascending; none where all of several words are equally rare.
std::vector<int> rarest_words(const std::vector<std::string>& tokens, const std::vector<WordFeatures>& words) {
  const auto rarity = [](const WordFeatures& word) { return word.guessed ? -1.0f : word.zipf; };
  std::vector<int> rarest;
  int counted = 0;
  float least = std::numeric_limits<float>::infinity();
  for (std::size_t j = 0; j < words.size(); ++j) {
    if (is_mark(tokens[j])) continue;
    ++counted;
    const float zipf = rarity(words[j]);
    if (zipf < least) rarest.clear();
    if (zipf <= least) rarest.push_back(static_cast<int>(j));
    least = std::min(least, zipf);
  }
  if (counted > 1 && static_cast<int>(rarest.size()) == counted) rarest.clear();
  return rarest;
}

std::array<KeyLists, kTokenPatterns> pattern_keys(const std::vector<std::string>& tokens,
                                                  const std::vector<WordFeatures>& words) {
  const int n = static_cast<int>(tokens.size());
  std::array<KeyLists, kTokenPatterns> keys;
  keys.fill(KeyLists(tokens.size()));
  const auto of = [&](TokenPattern pattern, int i) -> std::vector<int>& {
    return keys[static_cast<std::size_t>(pattern)][static_cast<std::size_t>(i)];
  };
  const std::vector<int> word = word_numbers(tokens), rarest = rarest_words(tokens, words);
  std::vector<int> marks;
  for (int j = 0; j < n; ++j)
    if (is_mark(tokens[static_cast<std::size_t>(j)])) marks.push_back(j);
  for (int i = 0; i < n; ++i) {
    if (i > 0) of(TokenPattern::previous, i) = {i - 1};
    if (i + 1 < n) of(TokenPattern::next, i) = {i + 1};
    of(TokenPattern::self, i) = {i};
    of(TokenPattern::first, i) = {0};
    of(TokenPattern::punctuation, i) = marks;
    of(TokenPattern::rarest, i) = rarest;
    for (int j = 0; j < n; ++j) {
      if (word[static_cast<std::size_t>(j)] != word[static_cast<std::size_t>(i)] || j == i) continue;
      of(TokenPattern::same_word, i).push_back(j);
      if (j < i) of(TokenPattern::induction, i).push_back(j + 1);
    }
  }
  return keys;
}

// Leaves out what the mask hides, and the rows that then say nothing.
Targets visible_targets(const KeyLists& keys, const Mask& mask, const std::vector<int>& seen) {
  Targets targets;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::size_t start = targets.keys.size();
    for (const int j : keys[i])
      if (mask.allows(static_cast<Index>(i), j)) targets.keys.push_back(j);
    const std::size_t count = targets.keys.size() - start;
    if (count == 0 || static_cast<int>(count) == seen[i]) {
      targets.keys.resize(start);
      continue;
    }
    targets.rows.push_back(static_cast<int>(i));
    targets.begin.push_back(static_cast<int>(targets.keys.size()));
  }
  return targets;
}

std::vector<int> seen_keys(Index n, const Mask& mask) {
  std::vector<int> seen;
  for (Index i = 0; i < n; ++i) {
    int count = 0;
    for (Index j = 0; j < n; ++j) count += mask.allows(i, j);
    seen.push_back(count);
  }
  return seen;
}

KeyLists relation_keys(const std::vector<GoldPair>& gold, std::size_t n) {
  KeyLists keys(n);
  for (const GoldPair& pair : gold) keys[static_cast<std::size_t>(pair.from)].push_back(pair.to);
  return keys;
}

std::shared_ptr<const Similarity> similarity_of(const std::vector<WordFeatures>& words, const Mask& mask) {
  const auto n = static_cast<Index>(words.size());
  auto similarity = std::make_shared<Similarity>();
  similarity->values = Mat<float>::Zero(n, n);
  similarity->counted = Mat<float>::Zero(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      const FeatureSet a = words[static_cast<std::size_t>(i)].features, b = words[static_cast<std::size_t>(j)].features;
      if (i == j || a == 0 || b == 0 || !mask.allows(i, j)) continue;
      const float cosine = static_cast<float>(std::popcount(a & b)) /
                           std::sqrt(static_cast<float>(std::popcount(a)) * static_cast<float>(std::popcount(b)));
      similarity->values(i, j) = cosine;
      similarity->counted(i, j) = 1;
      similarity->pairs += 1;
      similarity->sum += cosine;
      similarity->squares += static_cast<double>(cosine) * cosine;
    }
  return similarity;
}

template <class PairsOf>
std::optional<int> best_offset(const std::vector<AnnotatedSentence>& sentences, const PairsOf& pairs_of) {
  std::map<int, int> counts;
  for (const AnnotatedSentence& sentence : sentences)
    if (const std::vector<GoldPair>* pairs = pairs_of(sentence))
      for (const GoldPair& pair : *pairs) ++counts[pair.to - pair.from];
  std::optional<int> best;
  int most = 0;
  for (const auto& [offset, count] : counts) {  // ascending: of two that are as near, the one before the query first
    if (count < most || (count == most && std::abs(offset) >= std::abs(*best))) continue;
    most = count;
    best = offset;
  }
  return best;
}

std::vector<int> rows_at_rest(const SentenceTargets& targets) {
  std::vector<bool> asked(static_cast<std::size_t>(targets.n), false);
  const auto ask = [&](const Targets& of) {
    for (const int row : of.rows) asked[static_cast<std::size_t>(row)] = true;
  };
  for (const Targets& relation : targets.relations) ask(relation);
  for (const Targets& job : targets.jobs)
    if (2 * job.count() < targets.n) ask(job);
  std::vector<int> rows;
  for (Index i = 1; i < targets.n; ++i)
    if (const auto k = static_cast<std::size_t>(i); !asked[k] && targets.seen[k] > 1)
      rows.push_back(static_cast<int>(i));
  return rows;
}

}  // namespace

const std::array<TokenPatternEntry, kTokenPatterns>& token_patterns() {
  static const std::array<TokenPatternEntry, kTokenPatterns> entries{{
      {TokenPattern::previous, "previous_token", "core:pattern.previous_token", "core:pattern.previous_token.brief",
       "core:pattern.previous_token.heading", "core:pattern.previous_token.tip"},
      {TokenPattern::next, "next_token", "core:pattern.next_token", "core:pattern.next_token.brief",
       "core:pattern.next_token.heading", "core:pattern.next_token.tip"},
      {TokenPattern::self, "self", "core:pattern.self", "core:pattern.self.brief", "core:pattern.self.heading",
       "core:pattern.self.tip"},
      {TokenPattern::first, "first_token", "core:pattern.first_token", "core:pattern.first_token.brief",
       "core:pattern.first_token.heading", "core:pattern.first_token.tip"},
      {TokenPattern::punctuation, "punctuation", "core:pattern.punctuation", "core:pattern.punctuation.brief",
       "core:pattern.punctuation.heading", "core:pattern.punctuation.tip"},
      {TokenPattern::same_word, "same_word", "core:pattern.same_word", "core:pattern.same_word.brief",
       "core:pattern.same_word.heading", "core:pattern.same_word.tip"},
      {TokenPattern::induction, "induction", "core:pattern.induction", "core:pattern.induction.brief",
       "core:pattern.induction.heading", "core:pattern.induction.tip"},
      {TokenPattern::rarest, "rarest_word", "core:pattern.rarest_word", "core:pattern.rarest_word.brief",
       "core:pattern.rarest_word.heading", "core:pattern.rarest_word.tip"},
  }};
  return entries;
}

RelationOffsets best_offsets(const std::vector<AnnotatedSentence>& sentences) {
  std::size_t jobs = 0;
  for (const AnnotatedSentence& sentence : sentences) jobs = std::max(jobs, sentence.jobs.size());
  RelationOffsets best;
  for (std::size_t r = 0; r < best.size(); ++r)
    best[r] = best_offset(sentences, [r](const AnnotatedSentence& sentence) { return &sentence.gold[r]; });
  for (std::size_t j = 0; j < jobs; ++j)
    best.jobs.push_back(best_offset(sentences, [j](const AnnotatedSentence& sentence) {
      return j < sentence.jobs.size() ? &sentence.jobs[j] : nullptr;
    }));
  return best;
}

Index counted_rows(const Similarity& similarity) { return (similarity.counted.array() > 0).rowwise().any().count(); }

SentenceTargets sentence_targets(const std::vector<std::string>& tokens, const std::vector<WordFeatures>& words,
                                 const AnnotatedSentence* marks, const Mask& mask, const RelationOffsets& offsets) {
  assert(words.empty() || words.size() == tokens.size());
  assert(!marks || marks->tokens.size() == tokens.size());
  SentenceTargets targets;
  targets.n = static_cast<Index>(tokens.size());
  targets.mask = mask;
  targets.offsets = offsets;
  targets.seen = seen_keys(targets.n, mask);
  const std::array<KeyLists, kTokenPatterns> keys = pattern_keys(tokens, words);
  for (std::size_t p = 0; p < keys.size(); ++p) targets.patterns[p] = visible_targets(keys[p], mask, targets.seen);
  for (std::size_t r = 0; marks && r < targets.relations.size(); ++r)
    targets.relations[r] = visible_targets(relation_keys(marks->gold[r], tokens.size()), mask, targets.seen);
  for (std::size_t j = 0; marks && j < marks->jobs.size(); ++j)
    targets.jobs.push_back(visible_targets(relation_keys(marks->jobs[j], tokens.size()), mask, targets.seen));
  targets.at_rest = rows_at_rest(targets);
  for (std::size_t j = 0; j < tokens.size(); ++j)
    if (is_mark(tokens[j])) targets.marks.push_back(static_cast<int>(j));
  if (!words.empty()) targets.similarity = similarity_of(words, mask);
  return targets;
}

}  // namespace hydra
