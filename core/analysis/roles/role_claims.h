// Every job that a head could be called after, each with its score and its rows of evidence; and what it is called.
#pragma once
#include <string>

#include "core/analysis/roles/jobs.h"
#include "core/analysis/roles/roles.h"

namespace hydra {

struct Role {
  enum class Kind { mixed, uniform, offset, pattern, relation, semantic, job };
  Kind kind = Kind::mixed;
  int offset = 0;                                 // of an offset
  TokenPattern pattern = TokenPattern::previous;  // of a pattern
  Relation relation = Relation::coreference;      // of a relation
  std::shared_ptr<const HeadJob> job = nullptr;   // of a task's job
  double score = kUndefined;                      // undefined when mixed
  Index rows = 0;                                 // that the score is from
  double lost = kUndefined;                       // of a job: by how much the accuracy falls without the head
};

// uniform, whose score is the entropy fraction; offset, the positional share; the mass on the targets of each pattern
// and of each relation, in the order of their enums; semantic, the correlation with the words' similarity.
inline constexpr int kClaims = 2 + kTokenPatterns + kRelations + 1;
inline constexpr int kUniformClaim = 0, kOffsetClaim = 1, kPatternClaims = 2,
                     kRelationClaims = kPatternClaims + kTokenPatterns, kSemanticClaim = kRelationClaims + kRelations;
using Claims = std::array<Role, kClaims>;
Claims claims_of(const RoleMeasures& head);
int claim_of(const Role& role);    // its place; -1 of mixed and of a task's job
std::string claim_key(int claim);  // "uniform", "offset", "same_word", "coreference", "semantic": for files

const std::string& brief_name(Relation relation);  // "coref": where there is little room
std::string role_key(const Role& role);            // "coreference", "previous_token", "offset -2", "mixed": for files
std::string role_name(const Role& role);           // "pronoun to antecedent", "previous token", "offset −2", "mixed"
std::string role_brief(const Role& role);          // "coref", "prev", "at −2", "mixed"

}  // namespace hydra
