// Which role a head is called after.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/analysis/role_label.h"

using namespace hydra;

namespace {

// No role: every score is low, and so is chance.
RoleMeasures plain() {
  RoleMeasures m;
  m.rows = 10;
  m.entropy_fraction = 0.5;
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
  m.semantic = 0;
  m.removal = 0.118;
  return m;
}

TargetScore& pattern(RoleMeasures& m, TokenPattern p) { return m.patterns[static_cast<std::size_t>(p)]; }
RelationScore& relation(RoleMeasures& m, Relation r) { return m.relations[static_cast<std::size_t>(r)]; }

}  // namespace

TEST_CASE("role label: mixed below the threshold, which can be moved", "[core][analysis][roles]") {
  RoleMeasures m = plain();
  CHECK(role_of(m, plain()).kind == Role::Kind::mixed);
  CHECK(short_label(role_of(m, plain())) == "mixed");
  pattern(m, TokenPattern::first).mass = 0.49;
  CHECK(role_of(m, plain()).kind == Role::Kind::mixed);
  CHECK(short_label(role_of(m, plain(), 0.4)) == "first 0.49");
  pattern(m, TokenPattern::first).mass = 0.5;
  const Role role = role_of(m, plain());
  CHECK(role.kind == Role::Kind::pattern);
  CHECK(short_label(role) == "first 0.50");
  CHECK(long_label(role) == "first token 0.50 on 10 rows");
  CHECK(role_key(role) == "first_token");
}

TEST_CASE("role label: a uniform head has no other job", "[core][analysis][roles]") {
  RoleMeasures m = plain();
  m.entropy_fraction = 0.99;
  m.positional_share = 1;
  CHECK(short_label(role_of(m, plain())) == "uniform");
  m.entropy_fraction = 0.989;
  CHECK(role_of(m, plain()).kind == Role::Kind::offset);
}

TEST_CASE("role label: positional from 90 % of the rows, before everything else", "[core][analysis][roles]") {
  RoleMeasures m = plain();
  pattern(m, TokenPattern::first).mass = 1;
  m.positional_share = 0.9;
  m.positional_offset = -1;
  CHECK(short_label(role_of(m, plain())) == "prev 0.90");
  CHECK(long_label(role_of(m, plain())) == "previous token 0.90 on 9 rows");
  CHECK(role_key(role_of(m, plain())) == "previous_token");
  m.positional_offset = -2;
  CHECK(short_label(role_of(m, plain())) == "at −2 0.90");
  CHECK(role_name(role_of(m, plain())) == "offset −2");
  CHECK(role_key(role_of(m, plain())) == "offset -2");
  m.positional_offset = 3;
  CHECK(role_key(role_of(m, plain())) == "offset +3");
  m.positional_share = 0.89;
  CHECK(short_label(role_of(m, plain())) == "first 1.00");
  m.positional_share = 0.95;
  CHECK(short_label(role_of(m, plain(), 0.97)) == "first 1.00");
}

TEST_CASE("role label: what chance explains is no role", "[core][analysis][roles]") {
  RoleMeasures m = plain(), chance = plain();
  pattern(m, TokenPattern::punctuation).mass = 0.62;
  pattern(chance, TokenPattern::punctuation).mass = 0.55;
  CHECK(role_of(m, chance).kind == Role::Kind::mixed);
  pattern(chance, TokenPattern::punctuation).mass = 0.52;
  CHECK(role_of(m, chance).kind == Role::Kind::pattern);
  m.positional_share = 1;
  chance.positional_share = 0.95;  // one of two rows, say
  CHECK(role_of(m, chance).kind == Role::Kind::pattern);
}

TEST_CASE("role label: a relation must not be explained by position", "[core][analysis][roles]") {
  RoleMeasures m = plain();
  RelationScore& subject = relation(m, Relation::subject_verb);
  subject.mass = subject.accuracy = 0.8;
  subject.rows = 5;
  CHECK(short_label(role_of(m, plain())) == "subj 0.80");
  subject.offset_accuracy = 0.75;  // above the offset by too little, but this head does not always look there
  m.offsets[9 - 1].maxima = 0.7;
  CHECK(explained_by_position(m, Relation::subject_verb) == 0.7);
  CHECK(short_label(role_of(m, plain())) == "subj 0.80");
  m.offsets[9 - 1].maxima = 0.72;
  CHECK(role_of(m, plain()).kind == Role::Kind::mixed);
  subject.offset_accuracy = 0.7;
  CHECK(role_of(m, plain()).kind == Role::Kind::relation);
  subject.best_offset.reset();  // nothing to compare with
  subject.offset_accuracy = kUndefined;
  CHECK(role_of(m, plain()).kind == Role::Kind::relation);
}

TEST_CASE("role label: the highest score wins, of equals the one on more rows", "[core][analysis][roles]") {
  RoleMeasures m = plain();
  pattern(m, TokenPattern::same_word).mass = 0.9;
  pattern(m, TokenPattern::same_word).rows = 2;
  relation(m, Relation::coreference).mass = relation(m, Relation::coreference).accuracy = 0.95;
  m.semantic = 0.93;
  CHECK(short_label(role_of(m, plain())) == "coref 0.95");
  CHECK(long_label(role_of(m, plain())) == std::string(relations().front().title) + " 0.95 on 3 rows");
  m.semantic = 0.97;
  CHECK(short_label(role_of(m, plain())) == "feat 0.97");
  m.semantic = 0;
  pattern(m, TokenPattern::same_word).mass = 0.95;
  CHECK(role_of(m, plain()).kind == Role::Kind::relation);
  pattern(m, TokenPattern::same_word).rows = 4;
  CHECK(role_of(m, plain()).kind == Role::Kind::pattern);
}

TEST_CASE("role label: undefined measures give no role", "[core][analysis][roles]") {
  const RoleMeasures nothing;
  CHECK(role_of(nothing, nothing, 0).kind == Role::Kind::mixed);
  RoleMeasures m = plain();
  pattern(m, TokenPattern::induction) = {1, 1, 1};
  CHECK(short_label(role_of(m, nothing)) == "induct 1.00");  // without a chance to compare with
}

TEST_CASE("role label: what removing the head changes", "[core][analysis][roles]") {
  CHECK(removal_sentence(0.118) == "removing it changes Y by 12 %");
  CHECK(removal_sentence(0.0412) == "removing it changes Y by 4.1 %");
  CHECK(removal_sentence(0) == "removing it changes Y by 0.0 %");
  CHECK(removal_sentence(1.5) == "removing it changes Y by 150 %");
  CHECK(removal_sentence(kUndefined).empty());
}
