#include "core/analysis/roles/head_names.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "core/text/wording.h"

namespace hydra {

namespace {

// --- models that give answers

bool is_offset(const RelationScore& score) { return score.offset_accuracy >= kPositionalShare; }

// Two standard errors of a share of one half on so many rows, at most.
double margin_of(Index rows) { return 1 / std::sqrt(static_cast<double>(rows)); }

// The question whose answers suffer the most without the head; -1 where none suffers enough.
Index most_lost(const std::vector<double>& lost) {
  const auto most = std::ranges::max_element(lost);
  return most == lost.end() || !(*most >= kLeastLost) ? -1 : most - lost.begin();
}

Role job_role(const RoleMeasures& head, std::size_t job, const HeadJobs& jobs, double lost) {
  Role role;
  role.kind = Role::Kind::job;
  role.job = jobs[job];
  role.score = head.jobs[job].mass;
  role.rows = head.jobs[job].rows;
  role.lost = lost;
  return role;
}

double evidence_of(const Role& role) { return role.score * static_cast<double>(role.rows); }

HeadName name_by_answers(const RoleMeasures& head, double threshold, const HeadJobs& jobs, const AnswersLost& answers,
                         std::size_t at) {
  HeadName name;
  const Index most = most_lost(answers.lost[at]);
  std::vector<Role> done;
  for (std::size_t j = 0; j < std::min(jobs.size(), head.jobs.size()); ++j) {
    const RelationScore& score = head.jobs[j];
    const double without = most < 0 ? answers.alone[at][j] : answers.job_lost[at][j];
    if (score.rows < kLeastRows || !reaches(score.mass, threshold + margin_of(score.rows)) || !(without >= kLeastLost))
      continue;
    if (!is_offset(score) && is_positional(head, score)) continue;
    done.push_back(job_role(head, j, jobs, without));
  }
  std::ranges::stable_sort(done, [](const Role& a, const Role& b) { return evidence_of(a) > evidence_of(b); });
  const auto first =
      std::ranges::find_if(done, [&](const Role& role) { return most < 0 || role.job->question == most; });
  if (first == done.end()) return name;
  name.role = *first;
  done.erase(first);
  name.also = std::move(done);
  return name;
}

// --- others

// Whether b's claim is the one that a was made by.
bool is_same_claim(const Role& a, const Role& b) { return role_key(a) == role_key(b); }

// The score of a head in another one's claim.
double score_in(const RoleMeasures& head, const Role& claim) {
  if (claim.kind == Role::Kind::job) return kUndefined;
  return claim.kind == Role::Kind::offset ? head.offset(claim.offset).maxima
                                          : claims_of(head)[static_cast<std::size_t>(claim_of(claim))].score;
}

std::vector<HeadName> name_by_claims(const std::vector<RoleMeasures>& heads, const NameBounds& bounds, double threshold,
                                     const std::vector<Role>& designed) {
  std::vector<std::vector<Role>> done;
  for (std::size_t head = 0; head < heads.size(); ++head) {
    done.push_back(roles_of(heads[head], bounds, threshold));
    if (head >= designed.size() || designed[head].kind == Role::Kind::mixed) continue;
    const Role& own = designed[head];
    if (own.kind == Role::Kind::relation) {
      std::stable_partition(done.back().begin(), done.back().end(),
                            [&](const Role& role) { return is_same_claim(role, own); });
      continue;
    }
    std::erase_if(done.back(), is_rest);
    if (done.back().empty() && own.rows >= kLeastRows && reaches(own.score, threshold)) done.back() = {own};
  }
  // Another head that scores nearly as high; there is none: heads.size().
  const auto as_good_elsewhere = [&](std::size_t head, const Role& role) {
    std::size_t other = 0;
    while (other < heads.size() && (other == head || done[other].empty() || is_same_claim(done[other].front(), role) ||
                                    !(score_in(heads[other], role) > role.score - kAboveOffset)))
      ++other;
    return other;
  };
  std::vector<HeadName> names(heads.size());
  for (std::size_t head = 0; head < heads.size(); ++head) {
    std::vector<Role> left;
    for (const Role& role : done[head])
      if (as_good_elsewhere(head, role) == heads.size()) left.push_back(role);
    if (left.empty()) {
      if (done[head].empty()) continue;
      names[head].taken = done[head].front();
      names[head].taken_by = as_good_elsewhere(head, done[head].front());
      continue;
    }
    names[head].role = left.front();
    names[head].also.assign(left.begin() + 1, left.end());
  }
  return names;
}

}  // namespace

Rest rest_of(const RoleMeasures& head) {
  Rest rest;
  const std::array<std::pair<Rest::Kind, double>, 3> places{
      {{Rest::Kind::first, head.rest.first}, {Rest::Kind::marks, head.rest.marks}, {Rest::Kind::self, head.rest.self}}};
  if (head.rest.rows < kLeastRows) return rest;
  for (const auto& [kind, share] : places)
    if (reaches(share, kAtRest) && !(share <= rest.share)) rest = {kind, share, head.rest.rows};
  return rest;
}

std::string rest_key(const Rest& rest) {
  static constexpr std::array<const char*, 4> keys{"none", "first_token", "self", "punctuation"};
  return keys[static_cast<std::size_t>(rest.kind)];
}

std::string rest_sentence(const Rest& rest) {
  const std::string share = two_decimals(rest.share);
  switch (rest.kind) {
    case Rest::Kind::nowhere:
      break;
    case Rest::Kind::first:
      return wording("core:rest.first", {{"share", share}});
    case Rest::Kind::self:
      return wording("core:rest.self", {{"share", share}});
    case Rest::Kind::marks:
      return wording("core:rest.marks", {{"share", share}});
  }
  return {};
}

std::vector<HeadName> name_heads(const std::vector<RoleMeasures>& heads, const NameBounds& bounds, double threshold,
                                 const HeadJobs& jobs, const AnswersLost* answers, const std::vector<Role>& designed) {
  std::vector<HeadName> names;
  if (!answers) {
    names = name_by_claims(heads, bounds, threshold, designed);
  } else {
    for (std::size_t head = 0; head < heads.size(); ++head)
      names.push_back(name_by_answers(heads[head], threshold, jobs, *answers, head));
  }
  for (std::size_t head = 0; head < heads.size(); ++head)
    if (2 * names[head].role.rows < heads[head].rows) names[head].rest = rest_of(heads[head]);
  return names;
}

std::string confirmation_sentence(const std::vector<RoleMeasures>& heads, std::size_t head, const Role& role,
                                  const HeadJobs& jobs, const AnswersLost& answers) {
  const std::vector<double>& lost = answers.lost[head];
  const std::string sequences = answers.opened ? wording("core:confirmed.sequences.opened", {{"n", answers.sequences}})
                                               : wording("core:confirmed.sequences", {{"n", answers.sequences}});
  if (role.kind == Role::Kind::job) {
    const auto job = static_cast<std::size_t>(std::ranges::find(jobs, role.job) - jobs.begin());
    const double right = answers.job_accuracy[job], own = answers.job_lost[head][job];
    double others = 0;
    for (std::size_t other = 0; other < answers.job_lost.size(); ++other)
      if (other != head) others = std::max(others, answers.job_lost[other][job]);
    if (*std::ranges::max_element(lost) < kLeastLost)  // a backup
      return wording(
          "core:confirmed.backup",
          {{"own", two_decimals(std::max(0.0, own))}, {"lost", two_decimals(role.lost)}, {"sequences", sequences}});
    // The job of a question's number is its own; another job exists in some of its rows only.
    const std::string before = two_decimals(right), after = two_decimals(right - own), &question = role.job->asks;
    const std::string text =
        question.empty() ? wording("core:confirmed", {{"right", before}, {"without", after}, {"sequences", sequences}})
        : static_cast<Index>(job) == role.job->question
            ? wording("core:confirmed.question",
                      {{"question", question}, {"right", before}, {"without", after}, {"sequences", sequences}})
            : wording("core:confirmed.question.some_rows", {{"question", question},
                                                            {"job", role.job->title},
                                                            {"right", before},
                                                            {"without", after},
                                                            {"sequences", sequences}});
    return answers.lost.size() < 2
               ? text
               : wording("core:confirmed.others", {{"sentence", text}, {"most", two_decimals(others)}});
  }
  std::size_t nearest = 0;
  const std::vector<RelationScore>& scores = heads[head].jobs;
  if (scores.empty()) return {};
  for (std::size_t j = 1; j < scores.size(); ++j)
    if (scores[j].mass > scores[nearest].mass || std::isnan(scores[nearest].mass)) nearest = j;
  const double most = lost.empty() ? 0 : *std::ranges::max_element(lost);
  return wording("core:confirmed.nearest", {{"job", jobs[nearest]->title},
                                            {"score", two_decimals(scores[nearest].mass)},
                                            {"most", two_decimals(std::max(0.0, most))},
                                            {"sequences", sequences}});
}

}  // namespace hydra
