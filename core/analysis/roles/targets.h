// Which keys a query would attend to if its head had a certain job: token patterns that need no marks, and the
// relations marked in a sentence. Computed once per sentence and mask, and shared by all heads.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/model/mask.h"
#include "core/text/annotated.h"
#include "core/text/lexicon.h"

namespace hydra {

// The targets of query i, with t the tokens in lower case:
//   previous     i - 1                                     next   i + 1
//   self         i                                         first  0
//   punctuation  every mark or delimiter, i itself included
//   same_word    every other j with t_j = t_i, before and after (a "duplicate token" head)
//   induction    every j <= i with t_(j-1) = t_i: what followed the earlier occurrences of the word. Olsson et al.
//   2022,
//                "prefix matching", with the erratum of 20 September 2022 (the printed text says "preceded")
//   rarest       the least frequent words of the sentence (lowest zipf; guessed words are rarest), i itself included;
//                none where all words are equally rare. Voita et al. 2019, section 5.3
enum class TokenPattern { previous, next, self, first, punctuation, same_word, induction, rarest };
inline constexpr int kTokenPatterns = 8;
struct TokenPatternEntry {
  TokenPattern pattern;
  const char* key;  // "previous_token": in files
  // Keys of texts.
  const char* title;    // "previous token"
  const char* brief;    // "prev": where there is little room
  const char* heading;  // "Previous token"
  const char* tip;      // one sentence: which keys count
};
const std::array<TokenPatternEntry, kTokenPatterns>& token_patterns();  // in the order of the enum

// Rows with their target keys. Row k is query rows[k]; its keys are keys[begin[k]] .. keys[begin[k + 1] - 1],
// ascending. Only what the mask lets a query see is here. A query that sees no target, or nothing but targets, has no
// row: whatever a head does there says nothing about it.
struct Targets {
  std::vector<int> rows, begin{0}, keys;
  Index count() const { return static_cast<Index>(rows.size()); }
  bool operator==(const Targets&) const = default;
};

// Per relation the most frequent offset (key - query) over all marked queries of a set of sentences: what a head that
// knows positions alone would do. Voita et al. 2019, section 5.2. The nearest wins a tie, then the one before the
// query.
struct RelationOffsets : std::array<std::optional<int>, kRelations> {
  std::vector<std::optional<int>> jobs;  // the same of a task's jobs
  std::optional<int> of_job(std::size_t job) const { return job < jobs.size() ? jobs[job] : std::nullopt; }
  bool operator==(const RelationOffsets&) const = default;
};
RelationOffsets best_offsets(const std::vector<AnnotatedSentence>& sentences);

// How alike the words of a sentence are, pair by pair: the cosine of their feature sets, |a and b| / sqrt(|a| |b|), 0
// to 1. Counted are the pairs i != j of words that have features, where i may see j.
struct Similarity {
  Mat<float> values;                       // [n x n]  0 where the pair does not count
  Mat<float> counted;                      // [n x n]  1 or 0
  double pairs = 0, sum = 0, squares = 0;  // over the counted: how many, of the values, of their squares
};

Index counted_rows(const Similarity& similarity);  // with a pair that counts

struct SentenceTargets {
  Index n = 0;
  std::vector<int> seen;  // per query: how many keys the mask lets it see
  Mask mask;
  std::array<Targets, kTokenPatterns> patterns;
  std::array<Targets, kRelations> relations;
  std::vector<Targets> jobs;  // of a task's sequence
  RelationOffsets offsets;
  // Rows that are asked for nothing: no relation, and no job that asks less than half of the rows, has a target there.
  // Not the first one, whose own token is the first token. marks: keys that are punctuation.
  std::vector<int> at_rest;
  std::vector<int> marks;
  std::shared_ptr<const Similarity> similarity;  // null without features
  // Of heads with a mask of their own, by head: null where it is this one; empty: none has one.
  std::vector<std::shared_ptr<const SentenceTargets>> own;
  const SentenceTargets& of_head(Index head) const {
    const auto h = static_cast<std::size_t>(head);
    return own.empty() || !own[h] ? *this : *own[h];
  }
};

// words may be empty (no rarest word, no similarity), else one per token. marks may be null, else has these tokens.
SentenceTargets sentence_targets(const std::vector<std::string>& tokens, const std::vector<WordFeatures>& words,
                                 const AnnotatedSentence* marks, const Mask& mask, const RelationOffsets& offsets = {});

}  // namespace hydra
