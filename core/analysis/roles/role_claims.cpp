#include "core/analysis/roles/role_claims.h"

#include <array>
#include <cstdlib>

#include "core/text/wording.h"

namespace hydra {

namespace {

const TokenPatternEntry* pattern_at(int offset) {
  const auto of = [](TokenPattern p) { return &token_patterns()[static_cast<std::size_t>(p)]; };
  return offset == -1  ? of(TokenPattern::previous)
         : offset == 1 ? of(TokenPattern::next)
         : offset == 0 ? of(TokenPattern::self)
                       : nullptr;
}

const TokenPatternEntry& entry(const Role& role) { return token_patterns()[static_cast<std::size_t>(role.pattern)]; }
const RelationEntry& relation_entry(const Role& role) { return relations()[static_cast<std::size_t>(role.relation)]; }

std::string signed_offset(int offset, const char* minus) {
  return (offset < 0 ? minus : "+") + std::to_string(std::abs(offset));
}

}  // namespace

Claims claims_of(const RoleMeasures& head) {
  Claims claims;
  claims[kUniformClaim] = {.kind = Role::Kind::uniform,
                           .score = head[head_number::entropy_fraction],
                           .rows = head.rows_of(head_number::entropy_fraction)};
  claims[kOffsetClaim] = {.kind = Role::Kind::offset,
                          .offset = head.positional_offset,
                          .score = head.positional_share,
                          .rows = head.positional_rows};
  auto claim = claims.begin() + kPatternClaims;
  for (const TokenPatternEntry& p : token_patterns()) {
    const TargetScore& score = head.pattern(p.pattern);
    *claim++ = {.kind = Role::Kind::pattern, .pattern = p.pattern, .score = score.mass, .rows = score.rows};
  }
  for (const RelationEntry& r : relations()) {
    const RelationScore& score = head.relation(r.relation);
    *claim++ = {.kind = Role::Kind::relation, .relation = r.relation, .score = score.mass, .rows = score.rows};
  }
  *claim = {
      .kind = Role::Kind::semantic, .score = head[head_number::semantic], .rows = head.rows_of(head_number::semantic)};
  return claims;
}

int claim_of(const Role& role) {
  switch (role.kind) {
    case Role::Kind::mixed:
    case Role::Kind::job:
      break;
    case Role::Kind::uniform:
      return kUniformClaim;
    case Role::Kind::offset:
      return kOffsetClaim;
    case Role::Kind::pattern:
      return kPatternClaims + static_cast<int>(role.pattern);
    case Role::Kind::relation:
      return kRelationClaims + static_cast<int>(role.relation);
    case Role::Kind::semantic:
      return kSemanticClaim;
  }
  return -1;
}

std::string claim_key(int claim) {
  if (claim == kUniformClaim) return "uniform";
  if (claim == kOffsetClaim) return "offset";
  if (claim == kSemanticClaim) return "semantic";
  if (claim < kRelationClaims) return token_patterns()[static_cast<std::size_t>(claim - kPatternClaims)].key;
  return relations()[static_cast<std::size_t>(claim - kRelationClaims)].key;
}

const std::string& brief_name(Relation relation) {
  static constexpr std::array<const char*, kRelations> briefs{
      "core:relation.coreference.brief",     "core:relation.subject_verb.brief",
      "core:relation.verb_object.brief",     "core:relation.adjective_noun.brief",
      "core:relation.determiner_noun.brief", "core:relation.relative_clause.brief",
      "core:relation.negation.brief",        "core:relation.same_word.brief",
      "core:relation.similar_meaning.brief"};
  return wording(briefs[static_cast<std::size_t>(relation)]);
}

std::string role_key(const Role& role) {
  switch (role.kind) {
    case Role::Kind::mixed:
      return "mixed";
    case Role::Kind::uniform:
      return "uniform";
    case Role::Kind::offset:
      return pattern_at(role.offset) ? pattern_at(role.offset)->key : "offset " + signed_offset(role.offset, "-");
    case Role::Kind::pattern:
      return entry(role).key;
    case Role::Kind::relation:
      return relation_entry(role).key;
    case Role::Kind::semantic:
      return "semantic";
    case Role::Kind::job:
      return role.job->key;
  }
  return {};
}

namespace {
// Of a role that is neither of a place nor of words.
const std::string& unplaced_name(const Role& role) {
  return wording(role.kind == Role::Kind::uniform ? "core:role.uniform" : "core:role.mixed");
}
}  // namespace

std::string role_name(const Role& role) {
  switch (role.kind) {
    case Role::Kind::offset:
      return pattern_at(role.offset) ? wording(pattern_at(role.offset)->title)
                                     : wording("core:role.offset", {{"offset", signed_offset(role.offset, "−")}});
    case Role::Kind::pattern:
      return wording(entry(role).title);
    case Role::Kind::relation:
      return wording(relation_entry(role).title);
    case Role::Kind::semantic:
      return wording("core:role.semantic");
    case Role::Kind::job:
      return role.job->title;
    case Role::Kind::mixed:
    case Role::Kind::uniform:
      break;
  }
  return unplaced_name(role);
}

std::string role_brief(const Role& role) {
  switch (role.kind) {
    case Role::Kind::offset:
      return pattern_at(role.offset) ? wording(pattern_at(role.offset)->brief)
                                     : wording("core:role.offset.brief", {{"offset", signed_offset(role.offset, "−")}});
    case Role::Kind::pattern:
      return wording(entry(role).brief);
    case Role::Kind::relation:
      return brief_name(role.relation);
    case Role::Kind::semantic:
      return wording("core:role.semantic.brief");
    case Role::Kind::job:
      return role.job->brief;
    case Role::Kind::mixed:
    case Role::Kind::uniform:
      break;
  }
  return unplaced_name(role);
}

}  // namespace hydra
