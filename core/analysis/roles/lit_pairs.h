// Where in a text a head looks the most: pairs of a query and a key, the largest weight first, each with what is known
// of it. What nothing is known of may be a relation that nobody has marked yet.
#pragma once
#include "core/analysis/roles/jobs.h"
#include "core/analysis/roles/targets.h"

namespace hydra {

struct LitPair {
  std::size_t sentence = 0;
  GoldPair pair;
  float weight = 0;
  std::string relation;                 // that the sentence is marked with there: a key, one's own name, a job's title
  std::optional<TokenPattern> pattern;  // where no relation is: of tokens or places; none: nothing is known
  bool is_known() const { return !relation.empty() || pattern.has_value(); }
};

struct LitPairs {
  std::vector<LitPair> pairs;
  Index strong = 0, known = 0;  // weights of at least kLit, and of these those of which something is known
};
inline constexpr float kLit = 0.3f;

// patterns: of the head, one for each sentence [n x n]. jobs: as the sentences' jobs. unknown: only what nothing is
// known of. At most so many, none below kLit.
LitPairs lit_pairs(const std::vector<Array<float>>& patterns, const std::vector<AnnotatedSentence>& sentences,
                   const HeadJobs& jobs, bool unknown, std::size_t most);

}  // namespace hydra
