// The role table: the measures of every head of a document's layer, on its own sentence or pooled over marked
// sentences.
#pragma once
#include <functional>

#include "core/analysis/roles/head_names.h"
#include "core/analysis/roles/role_baseline.h"
#include "core/analysis/roles/role_intervals.h"
#include "core/design/head_design.h"
#include "core/files/whole_file.h"
#include "core/work/parallel.h"

namespace hydra {

class JsonWriter;

// What random heads are measured on, to be compared with the table's: all that chance depends on (of the streams only
// the size beside them does, and no name).
struct RandomInput {
  std::vector<Array<float>> inputs;
  std::vector<double> streams;                                  // BaselineSentence
  std::vector<std::shared_ptr<const SentenceTargets>> targets;  // with the mask
  HeadsLike layer;
  // By what scores are multiplied in random layers that are as far spread as the layer, which is not as it was drawn.
  float sharpness = 1;

  std::vector<BaselineSentence> sentences() const;
};
bool same_random_input(const RandomInput& a, const RandomInput& b);  // by value; but for the streams and jobs
bool same_jobs(const RandomInput& a, const RandomInput& b);

// Rows in which a designed head is asked for nothing (asked.h), and what it does there.
struct Unasked {
  Index rows = 0;
  Index bold = 0;        // of these, with more than half of the attention on one of three keys or more
  double strongest = 0;  // the largest weight in a bold one
};

struct RoleTable {
  std::vector<RoleMeasures> heads;
  std::vector<RoleIntervals> intervals;  // by head; none of a single sentence
  std::vector<Unasked> unasked;          // by head; none where no head is designed
  RoleMeasures chance;                   // the mean of that many random heads
  Index random_heads = 0;
  RandomInput random;
  std::optional<NameBounds> bounds;    // what a name must exceed; nullopt: not measured yet, and nothing has a name
  std::vector<std::string> sentences;  // that were pooled; empty: the document's own
  HeadJobs jobs;                       // as RoleMeasures::jobs, of a task
  HeadJobs asked;                      // of other text: what designs by hand ask first (with_first_asks)
  HeadJobs own;                        // of such text, too: relations of a user's own, and then nothing that is asked
  std::vector<std::optional<HeadDesign>> designs;  // by head; may be empty
  // What is lost without each head; null: the model gives no answers, or why_unconfirmed says why that is not known.
  std::shared_ptr<const AnswersLost> answers;
  std::string why_unconfirmed;
  std::string unit = "sentence", source;  // what is pooled: a "sequence" of a task; its title, empty of marked ones
  double known_words = kUndefined;        // share of the pooled words that the model knows; undefined: not looked at
  // By whose numbers the heads are named; null: by its own. Of a model that answers a task's questions, a table of its
  // own sentence has one.
  std::shared_ptr<const RoleTable> named;

  const RoleTable& naming() const { return named ? *named : *this; }
  const HeadJobs& measured_jobs() const { return !jobs.empty() ? jobs : !asked.empty() ? asked : own; }
};

// What the heads are called. Without answers that needs the bounds: none, before they are measured, and nothing is
// named.
std::vector<HeadName> names_of(const RoleTable& table, double threshold = kRoleThreshold);

// Measures what is still missing; with a sharpness both kinds of random layers, of which the higher bound holds claim
// by claim. Throws Stopped when that is requested.
NameBounds bounds_of(const RandomInput& random, ThreadPool* pool = nullptr, const std::stop_token& stop = {});

Interval interval_of(const Role& role, const RoleTable& table, int head);  // of the score; NaN where there is none
// "pronoun to antecedent 0.90 (0.78 to 0.96) on 20 rows of 40 sentences"; without an interval where the table has none.
std::string scored_name_with_interval(const Role& role, const RoleTable& table, int head);  // up to the interval
std::string label_with_interval(const Role& role, const RoleTable& table, int head);
// What speaks for the name, or against one: chance, or what is lost without the head. May be empty.
std::string evidence_for_name(const HeadName& name, const RoleTable& table, int head);
std::string pooled_text(const RoleTable& table);  // "40 sentences", "1 sequence"
// "also subject 0.71, end mark 0.60"; empty without others.
std::string also_sentence(const HeadName& name);
// "on 9 rows where nothing was asked it attends boldly in 7 (up to 0.98)"; empty where it does not.
std::string bold_sentence(const RoleTable& table, int head);

// A layer as it is written: the names are those of the table's naming(). rest, when given, adds keys to its object.
struct WrittenRoles {
  int layer = 0;
  const RoleTable& table;
  std::function<void(JsonWriter&)> rest = nullptr;
};
// The analyze command's JSON (docs/document.md): 9 significant digits, null for what is not defined. tokens are the
// document's own, and are left out of pooled tables. rest, when given, adds keys to the document's object.
void write_roles(const std::vector<WrittenRoles>& written, const std::vector<std::string>& tokens, double threshold,
                 const Sink& sink, const std::function<void(JsonWriter&)>& rest = nullptr);

}  // namespace hydra
