// The role table: the measures of every head of a document's layer, on its own sentence or pooled over marked
// sentences.
#pragma once
#include <functional>

#include "core/analysis/role_baseline.h"
#include "core/analysis/role_intervals.h"
#include "core/analysis/role_label.h"
#include "core/attention/trace.h"
#include "core/document/pooled.h"
#include "core/files/whole_file.h"

namespace hydra {

class JsonWriter;

// What random heads are measured on, to be compared with the table's: all that chance depends on.
struct RandomInput {
  std::vector<Array<float>> inputs;
  std::vector<std::shared_ptr<const SentenceTargets>> targets;  // with the mask
  HeadsLike layer;

  std::vector<BaselineSentence> sentences() const;
};
bool same_random_input(const RandomInput& a, const RandomInput& b);  // by value

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
};

// Measures what is still missing. Throws Stopped when that is requested.
NameBounds bounds_of(const RandomInput& random, ThreadPool* pool = nullptr, const std::stop_token& stop = {});

// Makes role tables without bounds, one after the other, keeping what the next one shares: after an edit only the heads
// whose pattern changed are measured again, and chance only when the input changed.
class RoleTables {
 public:
  explicit RoleTables(ThreadPool* pool = nullptr) : pool_(pool) {}

  // Of the trace's sentence, which has relations when it is among the marked ones. Their offsets are compared with.
  // source: where the document's weights came from, whose gain random heads have, too.
  RoleTable of_sentence(const Trace& trace, int layer, const MarkedSentences& marked, const WeightSource& source = {});
  // Of the document's weights on each of the marked sentences, entries of X and rows painted by hand left out. Throws
  // InputError when that is not possible: there are none, or X or the mask fit this document's sentence only.
  RoleTable pooled(const Document& document, int layer, const MarkedSentences& marked);

 private:
  struct Head {  // what its sums were computed from
    Stamp attention, contribution;
    RoleSums sums;
  };
  struct KeptChance {
    RandomInput on;
    RoleMeasures mean;
  };

  const std::shared_ptr<const SentenceTargets>& own_targets(const Trace& trace, const Mask& mask,
                                                            const MarkedSentences& marked);
  void renew_pooled_targets(const MarkedSentences& marked, const Mask& mask,
                            std::vector<std::vector<WordFeatures>> words);
  void add_chance(RandomInput random, KeptChance& kept, RoleTable& table) const;

  ThreadPool* pool_;
  std::vector<std::string> tokens_;  // what own_targets_ is for
  std::vector<WordFeatures> words_;
  MarkedSentences marked_;
  std::shared_ptr<const SentenceTargets> own_targets_;
  std::vector<Head> heads_;  // measured against own_targets_
  KeptChance own_chance_;

  std::vector<std::vector<WordFeatures>> pooled_words_;  // what pooled_targets_ are for
  PooledTraces traces_;
  MarkedSentences pooled_;
  Mask pooled_mask_;
  std::vector<std::shared_ptr<const SentenceTargets>> pooled_targets_;
  KeptChance pooled_chance_;
};

Interval interval_of(const Role& role, const RoleTable& table, int head);  // of the score; NaN where there is none
// "pronoun to antecedent 0.90 (0.78 to 0.96) on 20 rows of 40 sentences"; without an interval where the table has none.
std::string scored_name_with_interval(const Role& role, const RoleTable& table, int head);  // up to the interval
std::string label_with_interval(const Role& role, const RoleTable& table, int head);
// "on 9 rows where nothing was asked it attends boldly in 7 (up to 0.98)"; empty where it does not.
std::string bold_sentence(const RoleTable& table, int head);

// The analyze command's JSON (docs/document.md): 9 significant digits, null for what is not defined. tokens are the
// document's own, and are left out of a pooled table. The names are those of the table named, or of this one without
// it. rest_of_layer, when given, adds keys to the layer's object.
void write_roles(const RoleTable& table, const RoleTable* named, const std::vector<std::string>& tokens,
                 double threshold, const Sink& sink, const std::function<void(JsonWriter&)>& rest_of_layer = nullptr);

}  // namespace hydra
