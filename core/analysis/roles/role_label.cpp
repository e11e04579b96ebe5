#include "core/analysis/roles/role_label.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "core/text/wording.h"

namespace hydra {

namespace {

std::string fixed(double value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

bool by_position(const RoleMeasures& head, const Role& claim) {
  return claim.kind == Role::Kind::relation && is_positional(head, head.relation(claim.relation));
}

// How much speaks for it: rows times what it is above the best random head of half of the layers.
double evidence_for(const Role& claim, const NameBounds& bounds) {
  const double chance = bounds.median[static_cast<std::size_t>(claim_of(claim))];
  return static_cast<double>(claim.rows) * (claim.score - (std::isnan(chance) ? 0 : chance));
}

double least_score(int claim, double threshold) {
  if (claim == kUniformClaim) return kUniformFraction;
  return claim == kOffsetClaim ? std::max(kPositionalShare, threshold) : threshold;
}

}  // namespace

std::string two_decimals(double value) { return fixed(value, 2); }

bool is_rest(const Role& claim) {
  if (claim.kind == Role::Kind::offset) return claim.offset == 0;
  return claim.kind == Role::Kind::pattern &&
         (claim.pattern == TokenPattern::self || claim.pattern == TokenPattern::first ||
          claim.pattern == TokenPattern::punctuation);
}

// Sums of floats may miss a bound by a rounding.
bool reaches(double value, double least) { return value >= least - 1e-9; }

double explained_by_position(const RoleMeasures& head, const RelationScore& score) {
  if (!score.best_offset) return kUndefined;
  const double always = head.offset(*score.best_offset).maxima;
  return std::isnan(always) ? score.offset_accuracy : std::min(score.offset_accuracy, always);
}

bool is_positional(const RoleMeasures& head, const RelationScore& score) {
  const double position = explained_by_position(head, score);
  return !std::isnan(position) && !reaches(score.accuracy, position + kAboveOffset);
}

std::vector<Role> roles_of(const RoleMeasures& head, const NameBounds& bounds, double threshold) {
  const Claims claims = claims_of(head);
  std::vector<Role> done;
  for (int k = 0; k < kClaims; ++k) {
    const Role& claim = claims[static_cast<std::size_t>(k)];
    if (!reaches(claim.score, least_score(k, threshold)) || !exceeds(bounds, k, claim) || by_position(head, claim))
      continue;
    if (k == kUniformClaim) return {claim};
    done.push_back(claim);
  }
  const auto place = [&](const Role& role) {  // the least goes first
    return std::pair(is_rest(role), role.kind == Role::Kind::offset ? -std::numeric_limits<double>::infinity()
                                                                    : -evidence_for(role, bounds));
  };
  std::ranges::stable_sort(done, {}, place);
  std::vector<Role> once;  // an offset has the name of a pattern
  for (const Role& role : done)
    if (std::ranges::none_of(once, [&](const Role& other) { return role_key(other) == role_key(role); }))
      once.push_back(role);
  return once;
}

Role role_of(const RoleMeasures& head, const NameBounds& bounds, double threshold) {
  const std::vector<Role> done = roles_of(head, bounds, threshold);
  return done.empty() ? Role{} : done.front();
}

int nearest_claim(const RoleMeasures& head, const NameBounds& bounds) {
  const Claims claims = claims_of(head);
  int nearest = -1;
  double closest = 0;
  for (int k = 0; k < kClaims; ++k) {
    const double height = height_of(bounds, k, claims[static_cast<std::size_t>(k)].score);
    if (std::isnan(height) || (nearest >= 0 && height <= closest)) continue;
    nearest = k;
    closest = height;
  }
  return nearest;
}

std::string score_text(const Role& role, double score) {
  return role.kind == Role::Kind::offset ? fixed(100 * score, 0) + " %" : two_decimals(score);
}

std::string short_label(const Role& role) {
  if (role.kind == Role::Kind::mixed) return role_brief(role);
  const std::string label = role_brief(role) + " " + score_text(role, role.score);
  return role.rows == 1 ? wording("core:role.one_row", {{"label", label}}) : label;
}

std::string long_label(const Role& role) { return with_rows(scored_name(role), role); }

std::string scored_name(const Role& role) {
  if (role.kind == Role::Kind::mixed) return role_name(role);
  const std::string score = score_text(role, role.score);
  if (role.kind == Role::Kind::offset)
    return wording("core:role.offset.scored", {{"name", role_name(role)}, {"score", score}});
  return role_name(role) + " " + score;
}

std::string with_rows(const std::string& name, const Role& role) {
  if (role.kind == Role::Kind::mixed) return name;
  return wording(role.kind == Role::Kind::offset ? "core:role.rows.in" : "core:role.rows",
                 {{"name", name}, {"n", role.rows}});
}

std::string evidence_sentence(const RoleMeasures& head, const NameBounds& bounds, const Role& role) {
  const bool mixed = role.kind == Role::Kind::mixed;
  const int number = mixed ? nearest_claim(head, bounds) : claim_of(role);
  if (number < 0 || bounds.layers == 0) return {};
  const auto k = static_cast<std::size_t>(number);
  const Role claim = claims_of(head)[k];
  const std::string chance = chance_sentence(bounds, number, claim);
  if (!mixed) return chance;
  const std::string nearest =
      claim.rows < kLeastRows
          ? wording("core:role.nearest.few_rows", {{"claim", long_label(claim)}, {"chance", chance}})
          : wording("core:role.nearest", {{"claim", long_label(claim)}, {"chance", chance}});
  if (!by_position(head, claim)) return nearest;
  const RelationScore& relation = head.relation(claim.relation);
  return wording(
      "core:role.by_position",
      {{"sentence", nearest}, {"offset", *relation.best_offset}, {"share", two_decimals(relation.offset_accuracy)}});
}

std::string chance_sentence(const NameBounds& bounds, int claim, const Role& role) {
  if (claim < 0 || bounds.layers == 0) return {};
  const double half = bounds.median[static_cast<std::size_t>(claim)],
               needed = bounds.needed[static_cast<std::size_t>(claim)];
  if (std::isnan(half) || std::isnan(needed)) return {};
  const bool share = role.kind == Role::Kind::offset;
  int digits = share ? 0 : 2;
  const auto text = [&](double score) { return share ? fixed(100 * score, digits) + " %" : fixed(score, digits); };
  while (digits < 6 && role.score != needed && text(role.score) == text(needed)) ++digits;
  return bounds.heads == 1
             ? wording("core:role.chance.one_head", {{"half", text(half)}, {"needed", text(needed)}})
             : wording("core:role.chance", {{"n", bounds.heads}, {"half", text(half)}, {"needed", text(needed)}});
}

namespace {
std::string percent_text(double share) {
  char text[32];
  const double percent = 100 * share;
  std::snprintf(text, sizeof text, percent < 9.95 ? "%.1f %%" : percent < 1e5 ? "%.0f %%" : "%.0e %%", percent);
  return text;
}
}  // namespace

std::string removal_sentence(double removal) {
  return std::isfinite(removal) ? wording("core:role.removal", {{"percent", percent_text(removal)}}) : "";
}
std::string removal_brief(double removal) {
  return std::isfinite(removal) ? wording("core:role.removal.brief", {{"percent", percent_text(removal)}}) : "";
}

}  // namespace hydra
