#include "core/analysis/roles/lit_pairs.h"

#include <algorithm>
#include <cassert>

#include "core/text/tokenizer.h"

namespace hydra {

namespace {

std::string relation_of(const AnnotatedSentence& sentence, const GoldPair& pair, const HeadJobs& jobs) {
  const auto has = [&](const std::vector<GoldPair>& pairs) { return std::ranges::binary_search(pairs, pair); };
  for (const MarkedRelation& own : sentence.own)
    if (has(own.pairs)) return own.name;
  for (const RelationEntry& entry : relations())
    if (has(sentence.gold[static_cast<std::size_t>(entry.relation)])) return entry.key;
  for (std::size_t j = 0; j < std::min(jobs.size(), sentence.jobs.size()); ++j)
    if (std::ranges::find(sentence.jobs[j], pair) != sentence.jobs[j].end()) return jobs[j]->title;
  return {};
}

// As targets.h has them, but for rarest words, which say nothing of a pair.
std::optional<TokenPattern> pattern_of(const std::vector<std::string>& tokens, const GoldPair& pair) {
  const auto word = [&](int k) { return lower_case(tokens[static_cast<std::size_t>(k)]); };
  if (pair.to == pair.from - 1) return TokenPattern::previous;
  if (pair.to == pair.from + 1) return TokenPattern::next;
  if (pair.to == pair.from) return TokenPattern::self;
  if (is_mark(tokens[static_cast<std::size_t>(pair.to)])) return TokenPattern::punctuation;
  if (word(pair.to) == word(pair.from)) return TokenPattern::same_word;
  if (pair.to > 0 && pair.to <= pair.from && word(pair.to - 1) == word(pair.from)) return TokenPattern::induction;
  if (pair.to == 0) return TokenPattern::first;
  return std::nullopt;
}

}  // namespace

LitPairs lit_pairs(const std::vector<Array<float>>& patterns, const std::vector<AnnotatedSentence>& sentences,
                   const HeadJobs& jobs, bool unknown, std::size_t most) {
  assert(patterns.size() == sentences.size());
  LitPairs lit;
  for (std::size_t k = 0; k < patterns.size(); ++k) {
    const MatView<float> pattern = *patterns[k];
    for (Index i = 0; i < pattern.rows(); ++i)
      for (Index j = 0; j < pattern.cols(); ++j) {
        if (!(pattern(i, j) >= kLit)) continue;
        LitPair pair{k, {static_cast<int>(i), static_cast<int>(j)}, pattern(i, j), {}, {}};
        pair.relation = relation_of(sentences[k], pair.pair, jobs);
        if (pair.relation.empty()) pair.pattern = pattern_of(sentences[k].tokens, pair.pair);
        ++lit.strong;
        if (pair.is_known()) ++lit.known;
        if (!unknown || !pair.is_known()) lit.pairs.push_back(std::move(pair));
      }
  }
  std::ranges::stable_sort(lit.pairs, std::greater(), &LitPair::weight);
  if (lit.pairs.size() > most) lit.pairs.resize(most);
  return lit;
}

}  // namespace hydra
