// The one job that a head is called after, and how surely. Names for patterns, not for causes: the removal stands
// beside them.
//
// The first rule that holds gives the role:
// 1. uniform     the entropy fraction is at least 0.99: the head looks everywhere alike. Its score is that fraction.
// 2. offset      at least 90 % of the rows, and the threshold, have their maximum at one offset (Voita et al. 2019,
// section
//                5.1), and chance does not explain it. Its score is that share. Offsets -1, 1 and 0 are "previous
//                token", "next token" and "self".
// 3. the highest of these scores that reaches the threshold and that chance does not explain:
//    pattern     the mass on a token pattern's targets;
//    relation    the mass on a relation's targets, where position does not explain the accuracy: it must be at least
//    0.1
//                above that of the relation's best fixed offset (Voita et al. 2019, section 5.2), or else above the
//                share of all rows in which this head looks at that offset (a head that looks there from these rows
//                only is not a positional one);
//    semantic    the correlation with the words' similarity.
// 4. mixed       otherwise.
// Chance explains a score that is not at least 0.1 above the mean of random heads. Of equal scores the one on more rows
// wins, then the one that stands first in this list.
#pragma once
#include <string>

#include "core/analysis/roles.h"

namespace hydra {

inline constexpr double kPositionalShare = 0.9, kUniformFraction = 0.99, kAboveChance = 0.1, kAboveOffset = 0.1;
inline constexpr double kRoleThreshold = 0.5;  // by default

struct Role {
  enum class Kind { mixed, uniform, offset, pattern, relation, semantic };
  Kind kind = Kind::mixed;
  int offset = 0;                                 // of an offset
  TokenPattern pattern = TokenPattern::previous;  // of a pattern
  Relation relation = Relation::coreference;      // of a relation
  double score = kUndefined;                      // undefined when mixed
  Index rows = 0;                                 // that the score is from
};

// chance: the same measures of random heads (role_baseline.h).
Role role_of(const RoleMeasures& head, const RoleMeasures& chance, double threshold = kRoleThreshold);

// What position explains of a relation's accuracy, by the rule above; undefined without a best offset.
double explained_by_position(const RoleMeasures& head, Relation relation);

const char* brief_name(Relation relation);  // "coref": where there is little room
std::string role_key(const Role& role);     // "coreference", "previous_token", "offset -2", "mixed": for files
std::string role_name(const Role& role);    // "coreference", "previous token", "offset −2", "mixed"
std::string short_label(const Role& role);  // "coref 0.93": for a thumbnail
// "coreference 0.93 on 3 rows"
std::string long_label(const Role& role);
// "removing it changes Y by 12 %"; empty when that is not defined.
std::string removal_sentence(double removal);

}  // namespace hydra
