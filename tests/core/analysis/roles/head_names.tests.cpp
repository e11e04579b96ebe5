// What the heads of a layer are called, by what silencing them costs and beside each other.
#include "core/analysis/roles/head_names.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace hydra;
using Catch::Contains;

namespace {

const HeadJobs kJobs{std::make_shared<const HeadJob>(HeadJob{"subject", "subject", "subject", "", 0}),
                     std::make_shared<const HeadJob>(HeadJob{"antecedent", "antecedent", "antec.", "", 1})};

// A head that gives its rows' targets so much, in 400 rows of each job, of 2000.
RoleMeasures looking(double subject, double antecedent) {
  RoleMeasures head;
  head.rows = 2000;
  for (RoleMeasures::Number& number : head.numbers) number.rows = head.rows;
  head.offsets.assign(19, {0.1, 0.1});
  for (const double mass : {subject, antecedent}) {
    RelationScore score;
    score.mass = score.accuracy = mass;
    score.rows = 400;
    score.best_offset = -1;
    score.offset_accuracy = 0.2;
    head.jobs.push_back(score);
  }
  return head;
}

AnswersLost answers(const std::vector<std::vector<double>>& lost) {
  AnswersLost all;
  all.sequences = 256;
  all.accuracy = {1, 0.9};
  all.lost = all.job_lost = lost;
  all.job_accuracy = all.accuracy;
  all.alone.assign(lost.size(), {kUndefined, kUndefined});
  return all;
}

HeadName name_of(const RoleMeasures& head, const AnswersLost& lost, double threshold = 0.5) {
  return name_heads({head}, {}, threshold, kJobs, &lost).front();
}

// As random heads have them: 0.3 at any claim, hardly ever more than 0.4.
NameBounds bounds_by_chance() {
  NameBounds bounds;
  bounds.layers = 400, bounds.heads = 2, bounds.height = 3;
  const auto logit = [](double share) { return std::log(share / (1 - share)); };
  for (std::size_t k = 0; k < bounds.needed.size(); ++k) {
    bounds.median[k] = 0.3, bounds.needed[k] = 0.4;
    bounds.middle[k] = logit(0.3), bounds.spread[k] = (logit(0.4) - logit(0.3)) / 3;
  }
  return bounds;
}

RoleMeasures with_relations(Relation relation, double mass, Relation other, double other_mass) {
  RoleMeasures head;
  head.rows = 100;
  head.offsets.assign(19, {0.1, 0.1});
  for (const auto& [which, score] : {std::pair(relation, mass), std::pair(other, other_mass)}) {
    RelationScore& of = head.relations[static_cast<std::size_t>(which)];
    of.mass = of.accuracy = score;
    of.rows = 10;
  }
  return head;
}

}  // namespace

TEST_CASE("head names: a job needs attention, and answers that go with the head", "[core][analysis][names]") {
  CHECK(role_key(name_of(looking(0.9, 0.1), answers({{0.3, 0}})).role) == "subject");
  CHECK(name_of(looking(0.9, 0.1), answers({{0.04, 0}})).role.kind == Role::Kind::mixed);  // nothing is lost
  CHECK(name_of(looking(0.4, 0.1), answers({{0.3, 0}})).role.kind == Role::Kind::mixed);   // it looks elsewhere
  CHECK(role_key(name_of(looking(0.4, 0.1), answers({{0.3, 0}}), 0.3).role) == "subject");
  CHECK(name_of(looking(0.54, 0.1), answers({{0.3, 0}})).role.kind == Role::Kind::mixed);  // 0.55 and more on 400 rows
  CHECK(role_key(name_of(looking(0.56, 0.1), answers({{0.3, 0}})).role) == "subject");
  RoleMeasures two_rows = looking(0.9, 0.1);
  two_rows.jobs[0].rows = 2;
  CHECK(name_of(two_rows, answers({{0.3, 0}})).role.kind == Role::Kind::mixed);
}

TEST_CASE("head names: the job whose answers are lost the most, the others listed", "[core][analysis][names]") {
  const HeadName both = name_of(looking(0.9, 0.8), answers({{0.1, 0.4}}));
  CHECK(role_key(both.role) == "antecedent");
  CHECK(both.role.lost == 0.4);
  REQUIRE(both.also.size() == 1);
  CHECK(role_key(both.also.front()) == "subject");
  // What it costs the most is none of the jobs that it looks like: such a name would be false.
  CHECK(name_of(looking(0.9, 0.2), answers({{0.1, 0.4}})).role.kind == Role::Kind::mixed);
}

TEST_CASE("head names: a backup is confirmed with the others silent", "[core][analysis][names]") {
  AnswersLost lost = answers({{0.02, 0}});
  lost.alone[0][0] = 0.6;
  const HeadName name = name_of(looking(0.9, 0.1), lost);
  CHECK(role_key(name.role) == "subject");
  CHECK(name.role.lost == 0.6);
  CHECK_THAT(confirmation_sentence({looking(0.9, 0.1)}, 0, name.role, kJobs, lost),
             Contains("once these are silent 0.60"));
  lost.alone[0][0] = 0.01;
  CHECK(name_of(looking(0.9, 0.1), lost).role.kind == Role::Kind::mixed);
}

TEST_CASE("head names: a job's own rows count, not all answers to its question", "[core][analysis][names]") {
  const HeadJobs jobs{std::make_shared<const HeadJob>(HeadJob{"who", "who", "who", "", 0, "who"}),
                      std::make_shared<const HeadJob>(HeadJob{"word", "deciding word", "deciding", "", 0, "who"})};
  AnswersLost lost = answers({{0.06, 0}});
  lost.accuracy = {0.98};
  lost.job_accuracy = {0.98, 0.96};
  lost.job_lost = {{0.06, 0.51}};
  const RoleMeasures head = looking(0.1, 0.9);
  const HeadName name = name_heads({head}, {}, 0.5, jobs, &lost).front();
  CHECK(role_key(name.role) == "word");
  CHECK(name.role.lost == 0.51);
  CHECK(confirmation_sentence({head}, 0, name.role, jobs, lost) ==
        "silencing it takes the right answers to “who” where there is a deciding word from 0.96 to 0.45 on 256 other "
        "sequences");
  lost.opened = true;
  CHECK_THAT(confirmation_sentence({head}, 0, name.role, jobs, lost), Contains("sequences, with all heads open"));
  lost.job_lost = {{0.06, 0.01}};  // it looks there, but the answers that need it do not suffer
  CHECK(name_heads({head}, {}, 0.5, jobs, &lost).front().role.kind == Role::Kind::mixed);
}

TEST_CASE("head names: a job that position explains names no head, one that is a position may",
          "[core][analysis][names]") {
  RoleMeasures head = looking(0.8, 0.1);
  head.jobs[0].offset_accuracy = 0.75;
  head.offsets[9 - 1].maxima = 0.9;
  CHECK(name_of(head, answers({{0.3, 0}})).role.kind == Role::Kind::mixed);
  head.jobs[0].offset_accuracy = 1;  // "previous word"
  CHECK(name_of(head, answers({{0.3, 0}})).role.kind == Role::Kind::job);
}

TEST_CASE("head names: a head with another name that scores nearly as high takes a name away",
          "[core][analysis][names]") {
  const Relation clause = Relation::relative_clause, subject = Relation::subject_verb;
  const RoleMeasures other = with_relations(subject, 1.0, clause, 0.5);
  const auto names = [&](double mass) {
    return name_heads({with_relations(clause, mass, subject, 0.1), other}, bounds_by_chance(), 0.5);
  };
  CHECK(names(0.57)[0].role.kind == Role::Kind::mixed);
  REQUIRE(names(0.57)[0].taken);
  CHECK(role_key(*names(0.57)[0].taken) == "relative-clause");
  CHECK(names(0.57)[0].taken_by == 1);
  CHECK_FALSE(names(0.61)[0].taken);
  CHECK(role_key(names(0.57)[1].role) == "subject-verb");
  CHECK(role_key(names(0.61)[0].role) == "relative-clause");
}

TEST_CASE("head names: where a head rests is said apart from what it does", "[core][analysis][names]") {
  RoleMeasures head = looking(0.9, 0.1);
  head.rest = {0.1, 0.2, 0.7, 60};
  const HeadName name = name_of(head, answers({{0.3, 0}}));
  CHECK(role_key(name.role) == "subject");
  CHECK(rest_key(name.rest) == "punctuation");
  CHECK(rest_sentence(name.rest) == "at rest on punctuation 0.70");
  head.rest = {0.49, 0.2, 0.1, 60};
  CHECK(rest_sentence(name_of(head, answers({{0.3, 0}})).rest).empty());
  head.rest = {1, 0, 0, 2};  // too few rows
  CHECK(rest_key(name_of(head, answers({{0.3, 0}})).rest) == "none");
}

TEST_CASE("head names: by hand after what the design asks, never after where it rests", "[core][analysis][names]") {
  RoleMeasures head;
  head.rows = 100;
  head.offsets.assign(19, {0.1, 0.1});
  head.patterns[static_cast<std::size_t>(TokenPattern::punctuation)] = {0.92, 0.92, 90};
  CHECK(role_key(name_heads({head}, bounds_by_chance(), 0.5).front().role) == "punctuation");
  Role asked{.kind = Role::Kind::job, .job = kJobs[0], .score = 0.9};
  asked.rows = 8;
  CHECK(role_key(name_heads({head}, bounds_by_chance(), 0.5, {}, nullptr, {asked}).front().role) == "subject");
  asked.score = 0.3;
  CHECK(name_heads({head}, bounds_by_chance(), 0.5, {}, nullptr, {asked}).front().role.kind == Role::Kind::mixed);
}
