#include "core/analysis/role_label.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace hydra {

namespace {

// A NaN is above nothing. Sums of floats may miss a bound by a rounding.
bool reaches(double value, double least) { return value >= least - 1e-9; }

bool above_chance(double score, double chance) {
  return reaches(score, std::isnan(chance) ? 0 : chance + kAboveChance);
}

struct Best {
  Role role;
  double threshold;
  void offer(Role::Kind kind, double score, double chance, Index rows, TokenPattern pattern, Relation relation) {
    if (!reaches(score, threshold) || !above_chance(score, chance)) return;
    if (role.kind != Role::Kind::mixed && (score < role.score || (score == role.score && rows <= role.rows))) return;
    role = {kind, 0, pattern, relation, score, rows};
  }
};

std::string fixed2(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

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

const char* brief_name(Relation relation) {
  switch (relation) {
    case Relation::coreference:
      return "coref";
    case Relation::subject_verb:
      return "subj";
    case Relation::verb_object:
      return "object";
    case Relation::adjective_noun:
      return "adj";
    case Relation::determiner_noun:
      return "det";
    case Relation::relative_clause:
      return "relcl";
    case Relation::negation:
      return "neg";
    case Relation::same_word:
      return "same";
    case Relation::similar_meaning:
      return "similar";
  }
  return "";
}

double explained_by_position(const RoleMeasures& head, Relation relation) {
  const RelationScore& score = head.relation(relation);
  if (!score.best_offset) return kUndefined;
  const double always = head.offset(*score.best_offset).maxima;
  return std::isnan(always) ? score.offset_accuracy : std::min(score.offset_accuracy, always);
}

Role role_of(const RoleMeasures& head, const RoleMeasures& chance, double threshold) {
  if (reaches(head.entropy_fraction, kUniformFraction)) {
    return {.kind = Role::Kind::uniform, .score = head.entropy_fraction, .rows = head.rows};
  }
  if (reaches(head.positional_share, std::max(kPositionalShare, threshold)) &&
      above_chance(head.positional_share, chance.positional_share)) {
    return {.kind = Role::Kind::offset,
            .offset = head.positional_offset,
            .score = head.positional_share,
            .rows = head.positional_rows};
  }
  Best best{{}, threshold};
  for (const TokenPatternEntry& p : token_patterns()) {
    const TargetScore& score = head.pattern(p.pattern);
    best.offer(Role::Kind::pattern, score.mass, chance.pattern(p.pattern).mass, score.rows, p.pattern, {});
  }
  for (const RelationEntry& r : relations()) {
    const RelationScore& score = head.relation(r.relation);
    const double position = explained_by_position(head, r.relation);
    if (!std::isnan(position) && !reaches(score.accuracy, position + kAboveOffset)) continue;
    best.offer(Role::Kind::relation, score.mass, chance.relation(r.relation).mass, score.rows, {}, r.relation);
  }
  best.offer(Role::Kind::semantic, head.semantic, chance.semantic, head.rows, {}, {});
  return best.role;
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
  }
  return {};
}

std::string role_name(const Role& role) {
  switch (role.kind) {
    case Role::Kind::offset:
      return pattern_at(role.offset) ? pattern_at(role.offset)->title : "offset " + signed_offset(role.offset, "−");
    case Role::Kind::pattern:
      return entry(role).title;
    case Role::Kind::relation:
      return relation_entry(role).title;
    case Role::Kind::semantic:
      return "similar features";
    default:
      return role_key(role);
  }
}

std::string short_label(const Role& role) {
  std::string brief;
  switch (role.kind) {
    case Role::Kind::mixed:
      return "mixed";
    case Role::Kind::uniform:
      return "uniform";
    case Role::Kind::offset:
      brief = pattern_at(role.offset) ? pattern_at(role.offset)->brief : "at " + signed_offset(role.offset, "−");
      break;
    case Role::Kind::pattern:
      brief = entry(role).brief;
      break;
    case Role::Kind::relation:
      brief = brief_name(role.relation);
      break;
    case Role::Kind::semantic:
      brief = "feat";
      break;
  }
  return brief + " " + fixed2(role.score);
}

std::string long_label(const Role& role) {
  if (role.kind == Role::Kind::mixed) return "mixed";
  return role_name(role) + " " + fixed2(role.score) + " on " + std::to_string(role.rows) +
         (role.rows == 1 ? " row" : " rows");
}

std::string removal_sentence(double removal) {
  if (std::isnan(removal)) return {};
  char text[64];
  const double percent = 100 * removal;
  std::snprintf(text, sizeof text,
                percent < 9.95 ? "removing it changes Y by %.1f %%" : "removing it changes Y by %.0f %%", percent);
  return text;
}

}  // namespace hydra
