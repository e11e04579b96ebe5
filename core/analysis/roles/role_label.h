// The one job that a head is called after. A name is a claim about the head, so random heads must not get one.
//
// A score names a head when it is from at least three rows, reaches the threshold, and is above what chance gives: the
// bound of its claim that hardly any layer of random heads exceeds with any of its heads in any of the claims
// (role_bounds.h). So of untrained layers at most one in twenty gets a name for any head. The first rule that holds
// gives the role:
// 1. uniform     the entropy fraction is at least 0.99: the head looks everywhere alike.
// 2. offset      at least 90 % of the rows, and the threshold, have their maximum at one offset (Voita et al. 2019,
//                section 5.1). Offsets -1, 1 and 0 are "previous token", "next token" and "self".
//                Offset 0 is where heads rest (head_names.h): like first token and punctuation below it names a head
//                only when nothing else does.
// 3. of these claims the one with the most evidence, rows times what the score is above the best random head of half of
//    the layers:
//    pattern     the mass on a token pattern's targets;
//    relation    the mass on a relation's targets, where position does not explain the accuracy: it must be at least
//                0.1 above that of the relation's best fixed offset (Voita et al. 2019, section 5.2), or else above the
//                share of all rows in which this head looks at that offset (a head that looks there from these rows
//                only is not a positional one);
//    semantic    the correlation with the words' similarity.
// 4. mixed       otherwise.
// Of equal evidence the one that stands first in this list wins. Names for patterns, not for causes: the removal stands
// beside them.
#pragma once
#include "core/analysis/roles/role_bounds.h"

namespace hydra {

inline constexpr double kPositionalShare = 0.9, kUniformFraction = 0.99, kAboveOffset = 0.1;
inline constexpr double kRoleThreshold = 0.5;  // by default

Role role_of(const RoleMeasures& head, const NameBounds& bounds, double threshold = kRoleThreshold);
// All that hold, the one that names the head first. None: it is mixed.
std::vector<Role> roles_of(const RoleMeasures& head, const NameBounds& bounds, double threshold = kRoleThreshold);
bool reaches(double value, double least);  // within a rounding; a NaN reaches nothing
bool is_rest(const Role& claim);           // where heads look when they are asked for nothing: see rule 2
// Whether looking at the best fixed offset, as the head itself does in other rows, explains the accuracy.
bool is_positional(const RoleMeasures& head, const RelationScore& score);

// The claim that comes nearest to a name, or is furthest above what one needs: its number. -1 where no claim is
// defined.
int nearest_claim(const RoleMeasures& head, const NameBounds& bounds);

// What position explains of a relation's accuracy, by the rule above; undefined without a best offset.
double explained_by_position(const RoleMeasures& head, const RelationScore& score);

// A score as it stands behind a name: "0.93", the mean attention to a job's tokens; of an offset "93 %", the share of
// rows whose largest weight is there.
std::string score_text(const Role& role, double score);
std::string short_label(const Role& role);  // "coref 0.93", "coref 0.93, 1 row": for a thumbnail
std::string long_label(const Role& role);   // "pronoun to antecedent 0.93 on 3 rows", of the two below
// "pronoun to antecedent 0.93", "previous token in 93 %", "mixed".
std::string scored_name(const Role& role);
std::string with_rows(const std::string& name,
                      const Role& role);  // "... on 3 rows", "... of 30 rows"; of mixed the name
// What speaks for a role, or for mixed against the nearest one: "nearest is same word 0.42 on 2 rows (a name needs 3);
// the best of 8 random heads reaches 0.39, hardly ever more than 0.55". Empty without bounds.
std::string evidence_sentence(const RoleMeasures& head, const NameBounds& bounds, const Role& role);
// "the best of 8 random heads reaches 0.39, hardly ever more than 0.55", with as many digits as tell that bound from
// the score. claim: one of kClaims; empty below 0, and without bounds.
std::string chance_sentence(const NameBounds& bounds, int claim, const Role& role);
// "removing it changes Y by 12 %"; empty when that is not defined.
std::string removal_sentence(double removal);
std::string removal_brief(double removal);  // "removal 12 %"

std::string two_decimals(double value);  // "0.84": a share or a score in a sentence

}  // namespace hydra
