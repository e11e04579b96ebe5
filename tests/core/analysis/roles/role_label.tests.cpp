// Which role a head is called after.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/analysis/roles/role_label.h"

using namespace hydra;

namespace {

// No role: every score is low, and so is chance.
RoleMeasures plain() {
  RoleMeasures m;
  m.rows = 10;
  for (RoleMeasures::Number& number : m.numbers) number.rows = m.rows;
  m[head_number::entropy_fraction] = 0.5;
  m.positional_share = 0.3;
  m.positional_rows = 9;
  m.offsets.assign(19, {0.1, 0.1});
  for (TargetScore& score : m.patterns) score = {0.1, 0.1, 10};
  for (RelationScore& score : m.relations) {
    score.mass = score.accuracy = 0.1;
    score.rows = 3;
    score.best_offset = -1;
    score.offset_accuracy = 0.2;
  }
  m[head_number::semantic] = 0;
  m[head_number::removal] = 0.118;
  return m;
}

// Random heads reach 0.3 at any claim, hardly ever more than 0.4; a uniform one 0.8 and 0.95.
NameBounds by_chance() {
  NameBounds bounds;
  bounds.layers = 400;
  bounds.heads = 8;
  bounds.height = 3;
  for (std::size_t k = 0; k < bounds.needed.size(); ++k) {
    const bool uniform = k == kUniformClaim;
    bounds.median[k] = uniform ? 0.8 : 0.3;
    bounds.needed[k] = uniform ? 0.95 : 0.4;
    // Of a correlation the logits are those of (1 + r) / 2.
    const auto logit = [&](double score) {
      const double share = k == kSemanticClaim ? (1 + score) / 2 : score;
      return std::log(share / (1 - share));
    };
    bounds.middle[k] = logit(bounds.median[k]);
    bounds.spread[k] = (logit(bounds.needed[k]) - bounds.middle[k]) / bounds.height;
  }
  return bounds;
}
// Of one claim another bound.
NameBounds by_chance(int claim, double needed) {
  NameBounds bounds = by_chance();
  const auto k = static_cast<std::size_t>(claim);
  bounds.needed[k] = needed;
  bounds.spread[k] = (std::log(needed / (1 - needed)) - bounds.middle[k]) / bounds.height;
  return bounds;
}

TargetScore& pattern(RoleMeasures& m, TokenPattern p) { return m.patterns[static_cast<std::size_t>(p)]; }
RelationScore& relation(RoleMeasures& m, Relation r) { return m.relations[static_cast<std::size_t>(r)]; }

}  // namespace

TEST_CASE("role label: mixed below the threshold, which can be moved", "[core][analysis][roles]") {
  RoleMeasures m = plain();
  CHECK(role_of(m, by_chance()).kind == Role::Kind::mixed);
  CHECK(short_label(role_of(m, by_chance())) == "mixed");
  pattern(m, TokenPattern::first).mass = 0.49;
  CHECK(role_of(m, by_chance()).kind == Role::Kind::mixed);
  CHECK(short_label(role_of(m, by_chance(), 0.4)) == "first 0.49");
  pattern(m, TokenPattern::first).mass = 0.5;
  const Role role = role_of(m, by_chance());
  CHECK(role.kind == Role::Kind::pattern);
  CHECK(short_label(role) == "first 0.50");
  CHECK(long_label(role) == "first token 0.50 on 10 rows");
  CHECK(role_key(role) == "first_token");
}

TEST_CASE("role label: a uniform head has no other job", "[core][analysis][roles]") {
  RoleMeasures m = plain();
  m[head_number::entropy_fraction] = 0.99;
  m.positional_share = 1;
  CHECK(short_label(role_of(m, by_chance())) == "uniform 0.99");
  m[head_number::entropy_fraction] = 0.989;
  CHECK(role_of(m, by_chance()).kind == Role::Kind::offset);
}

TEST_CASE("role label: positional from 90 % of the rows, before everything else", "[core][analysis][roles]") {
  RoleMeasures m = plain();
  pattern(m, TokenPattern::first).mass = 1;
  m.positional_share = 0.9;
  m.positional_offset = -1;
  CHECK(short_label(role_of(m, by_chance())) == "prev 90 %");
  CHECK(long_label(role_of(m, by_chance())) == "previous token in 90 % of 9 rows");
  CHECK(role_key(role_of(m, by_chance())) == "previous_token");
  m.positional_offset = -2;
  CHECK(short_label(role_of(m, by_chance())) == "at −2 90 %");
  CHECK(role_name(role_of(m, by_chance())) == "offset −2");
  CHECK(role_key(role_of(m, by_chance())) == "offset -2");
  m.positional_offset = 3;
  CHECK(role_key(role_of(m, by_chance())) == "offset +3");
  m.positional_share = 0.89;
  CHECK(short_label(role_of(m, by_chance())) == "first 1.00");
  m.positional_share = 0.95;
  CHECK(short_label(role_of(m, by_chance(), 0.97)) == "first 1.00");
}

TEST_CASE("role label: what random layers reach is no role", "[core][analysis][roles]") {
  RoleMeasures m = plain();
  pattern(m, TokenPattern::punctuation).mass = 0.62;
  const int punctuation = kPatternClaims + static_cast<int>(TokenPattern::punctuation);
  CHECK(role_of(m, by_chance()).kind == Role::Kind::pattern);
  CHECK(role_of(m, by_chance(punctuation, 0.62)).kind == Role::Kind::mixed);
  CHECK(role_of(m, by_chance(punctuation, 0.6)).kind == Role::Kind::pattern);
  m.positional_share = 1;
  CHECK(role_of(m, by_chance()).kind == Role::Kind::offset);
  m[head_number::entropy_fraction] = 0.992;
  CHECK(role_of(m, by_chance(kUniformClaim, 0.995)).kind == Role::Kind::offset);  // random heads are as flat
  CHECK(role_of(m, by_chance()).kind == Role::Kind::uniform);
}

TEST_CASE("role label: a name needs three rows", "[core][analysis][roles]") {
  RoleMeasures m = plain();
  RelationScore& pronoun = relation(m, Relation::coreference);
  pronoun.mass = pronoun.accuracy = 1;
  for (const Index rows : {1, 2}) {
    pronoun.rows = rows;
    CHECK(role_of(m, by_chance()).kind == Role::Kind::mixed);
  }
  pronoun.rows = 3;
  CHECK(role_of(m, by_chance()).kind == Role::Kind::relation);
  pronoun.rows = 1;
  const auto claim = static_cast<std::size_t>(nearest_claim(m, by_chance()));
  CHECK(claim_key(static_cast<int>(claim)) == "coreference");
  CHECK(short_label(claims_of(m)[claim]) == "coref 1.00, 1 row");
  CHECK(long_label(claims_of(m)[claim]) == "pronoun to antecedent 1.00 on 1 row");
  CHECK(evidence_sentence(m, by_chance(), {}) ==
        "nearest is pronoun to antecedent 1.00 on 1 row (a name needs 3); the best of 8 random heads reaches 0.30, "
        "hardly ever more than 0.40");
}

TEST_CASE("role label: what random heads reach is told from the score by as many digits as that needs",
          "[core][analysis][roles]") {
  NameBounds bounds = by_chance();
  bounds.median[kUniformClaim] = 0.9962, bounds.needed[kUniformClaim] = 0.99851;
  const auto flat = [](double score) { return Role{.kind = Role::Kind::uniform, .score = score}; };
  CHECK(chance_sentence(bounds, kUniformClaim, flat(1)) ==
        "the best of 8 random heads reaches 0.996, hardly ever more than 0.999");
  CHECK(chance_sentence(bounds, kUniformClaim, flat(0.5)) ==
        "the best of 8 random heads reaches 1.00, hardly ever more than 1.00");
  CHECK(chance_sentence(bounds, kUniformClaim, flat(0.99851)) ==
        "the best of 8 random heads reaches 1.00, hardly ever more than 1.00");
  CHECK(chance_sentence(bounds, -1, flat(1)).empty());
  CHECK(chance_sentence(NameBounds{}, kUniformClaim, flat(1)).empty());
}

TEST_CASE("role label: a relation must not be explained by position", "[core][analysis][roles]") {
  RoleMeasures m = plain();
  RelationScore& subject = relation(m, Relation::subject_verb);
  subject.mass = subject.accuracy = 0.8;
  subject.rows = 5;
  CHECK(short_label(role_of(m, by_chance())) == "subj 0.80");
  subject.offset_accuracy = 0.75;  // above the offset by too little, but this head does not always look there
  m.offsets[9 - 1].maxima = 0.7;
  CHECK(explained_by_position(m, m.relation(Relation::subject_verb)) == 0.7);
  CHECK(short_label(role_of(m, by_chance())) == "subj 0.80");
  m.offsets[9 - 1].maxima = 0.72;
  CHECK(role_of(m, by_chance()).kind == Role::Kind::mixed);
  CHECK(evidence_sentence(m, by_chance(), {}) ==
        "nearest is verb to subject 0.80 on 5 rows; the best of 8 random heads reaches 0.30, hardly ever more than "
        "0.40; position explains it: always looking at offset -1 finds it in 0.75");
  subject.offset_accuracy = 0.7;
  CHECK(role_of(m, by_chance()).kind == Role::Kind::relation);
  subject.best_offset.reset();  // nothing to compare with
  subject.offset_accuracy = kUndefined;
  CHECK(role_of(m, by_chance()).kind == Role::Kind::relation);
}

TEST_CASE("role label: the most evidence wins, a score weighed by its rows", "[core][analysis][roles]") {
  RoleMeasures m = plain();
  RelationScore& clause = relation(m, Relation::relative_clause);
  clause.mass = clause.accuracy = 1;  // on 3 rows: 3 x (1.00 - 0.30) = 2.1
  CHECK(short_label(role_of(m, by_chance())) == "relcl 1.00");
  pattern(m, TokenPattern::same_word).mass = 0.52;  // on 10 rows: 2.2
  CHECK(short_label(role_of(m, by_chance())) == "same 0.52");
  CHECK(roles_of(m, by_chance()).size() == 2);
  pattern(m, TokenPattern::same_word).rows = 9;  // 1.98
  CHECK(short_label(role_of(m, by_chance())) == "relcl 1.00");
}

TEST_CASE("role label: where heads rest names one only when nothing else does", "[core][analysis][roles]") {
  RoleMeasures m = plain();
  for (const TokenPattern rest : {TokenPattern::punctuation, TokenPattern::first, TokenPattern::self}) {
    pattern(m, rest).mass = 0.95;
    pattern(m, rest).rows = 400;
    CHECK(role_of(m, by_chance()).pattern == rest);
    RelationScore& pronoun = relation(m, Relation::coreference);
    pronoun.mass = pronoun.accuracy = 0.9;
    CHECK(short_label(role_of(m, by_chance())) == "coref 0.90");
    m = plain();
  }
  m.positional_share = 0.95;
  m.positional_offset = 0;
  CHECK(role_key(role_of(m, by_chance())) == "self");
  relation(m, Relation::coreference).mass = relation(m, Relation::coreference).accuracy = 0.9;
  CHECK(short_label(role_of(m, by_chance())) == "coref 0.90");
}

TEST_CASE("role label: undefined measures give no role, nor does what was not compared", "[core][analysis][roles]") {
  const RoleMeasures nothing;
  CHECK(role_of(nothing, by_chance(), 0).kind == Role::Kind::mixed);
  CHECK(evidence_sentence(nothing, by_chance(), {}).empty());
  RoleMeasures m = plain();
  pattern(m, TokenPattern::induction) = {1, 1, 5};
  CHECK(short_label(role_of(m, by_chance())) == "induct 1.00");
  CHECK(long_label(role_of(m, by_chance())) == "matches induction targets 1.00 on 5 rows");
  CHECK(role_of(m, {}).kind == Role::Kind::mixed);
}

TEST_CASE("role label: what removing the head changes", "[core][analysis][roles]") {
  CHECK(removal_sentence(0.118) == "removing it changes Y by 12 %");
  CHECK(removal_sentence(0.0412) == "removing it changes Y by 4.1 %");
  CHECK(removal_sentence(999.4) == "removing it changes Y by 99940 %");
  CHECK(removal_sentence(3.4e38) == "removing it changes Y by 3e+40 %");
  CHECK(removal_sentence(std::numeric_limits<double>::infinity()).empty());
  CHECK(removal_sentence(0) == "removing it changes Y by 0.0 %");
  CHECK(removal_sentence(1.5) == "removing it changes Y by 150 %");
  CHECK(removal_sentence(kUndefined).empty());
}
