// What the heads of a layer are called. A name is a claim about a head, so heads that do nothing must not get one, and
// where it can be tried by taking the head away, that is done.
//
// Of a model that answers a task's questions (jobs.h) a head has a job when
// - in the rows where the job exists it gives the places where one would look more of its attention than the threshold,
//   by two standard errors of a share of one half on so many rows;
// - position does not explain that: see role_label.h; a job that is a fixed offset itself is none the less a job;
// - silencing it costs at least 5 % of the answers that hang on the job, those in rows where the job exists, over
//   sequences that it was not named on, and no other question more; or, where silencing it costs nothing that counts as
//   other heads look there as well, silencing it costs that much once those are silent (a backup head, as in Wang et
//   al. 2023).
// It is called after the one of these with the most evidence (rows times attention); the others are listed.
//
// Of other models a head is called by the rule of role_label.h, among the claims for which in addition no other head of
// the layer, one with another name, has nearly the same score (0.1 less): what such a head does for another reason is
// no evidence for the job. Nothing is confirmed there by silencing: there are no answers to lose. A head that was
// designed for a relation is called after it where that holds; one by hand after what it asks, if that is where it
// looks, and not after where it rests.
#pragma once
#include <optional>

#include "core/analysis/roles/role_label.h"

namespace hydra {

inline constexpr double kLeastLost = 0.05;  // of the answers: less is no confirmation
inline constexpr double kAtRest = 0.5;      // of the attention

// Where a head looks in rows that are asked for nothing, when it looks at one kind of place mainly.
struct Rest {
  enum class Kind { nowhere, first, self, marks };
  Kind kind = Kind::nowhere;
  double share = kUndefined;  // of the attention; undefined when nowhere
  Index rows = 0;
};
Rest rest_of(const RoleMeasures& head);
std::string rest_key(const Rest& rest);       // "first_token", "self", "punctuation"; "none": for files
std::string rest_sentence(const Rest& rest);  // "at rest on punctuation 0.92"; empty when nowhere

struct HeadName {
  Role role;
  std::vector<Role> also;  // other jobs that it does, most evidence first
  Rest rest;               // nowhere for a head whose job asks most rows
  // Of a head without a name: what it would be called after, if the other one, with another name, did not score nearly
  // as high there.
  std::optional<Role> taken;
  std::size_t taken_by = 0;
};

// jobs: as RoleMeasures::jobs. answers: null where the model gives none; by the layer's heads. designed: by head what
// its design is for, a relation, or a job with its score; mixed: nothing; may be empty.
std::vector<HeadName> name_heads(const std::vector<RoleMeasures>& heads, const NameBounds& bounds, double threshold,
                                 const HeadJobs& jobs = {}, const AnswersLost* answers = nullptr,
                                 const std::vector<Role>& designed = {});

// What speaks for the name of a head of a model that gives answers, or against one: "silencing it takes the right
// answers to “subject” from 0.98 to 0.31 on 256 other sequences; no other head of the layer costs more than 0.02".
std::string confirmation_sentence(const std::vector<RoleMeasures>& heads, std::size_t head, const Role& role,
                                  const HeadJobs& jobs, const AnswersLost& answers);

}  // namespace hydra
