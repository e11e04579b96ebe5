// What a task asks of heads: where a head would look that did a job, which answers hang on it, and what of them is lost
// when a head is silenced.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/linalg/types.h"

namespace hydra {

struct HeadJob {
  std::string key;     // "subject": in files
  std::string title;   // "subject": on the screen, in the task's own words
  std::string brief;   // where there is little room
  std::string tip;     // one sentence: who looks where
  Index question = 0;  // of the task, whose answers hang on it
  std::string asks{};  // that question's name; empty: the task has no other
};
using HeadJobs = std::vector<std::shared_ptr<const HeadJob>>;

// The answers to each question, with all heads of the model and without one of a layer. Over sequences of the task
// that no head was named on. The answers that hang on a job are those to its question in rows where the job exists.
struct AnswersLost {
  Index sequences = 0;
  bool opened = false;                        // heads that the document silences were not silent
  std::vector<double> accuracy;               // [question] share of answers that are right with all heads
  std::vector<std::vector<double>> lost;      // [head][question] by how much that share falls without the head
  std::vector<double> job_accuracy;           // [job] the same of the answers that hang on the job
  std::vector<std::vector<double>> job_lost;  // [head][job]
  // [head][job] by how much the share of those falls without the head, once all other heads of the model that look
  // where the job is are silent; NaN where there are no others, or the head does not look there.
  std::vector<std::vector<double>> alone;
  bool operator==(const AnswersLost&) const = default;
};

}  // namespace hydra
