// The role table: the measures of every head of a document's layer, on its own sentence or pooled over marked
// sentences.
#pragma once
#include <functional>

#include "core/analysis/role_baseline.h"
#include "core/analysis/role_label.h"
#include "core/attention/trace.h"
#include "core/document/pooled.h"
#include "core/files/whole_file.h"

namespace hydra {

class JsonWriter;

struct RoleTable {
  std::vector<RoleMeasures> heads;
  Chance chance;  // of that many random heads
  Index random_heads = 0;
  std::vector<std::string> sentences;  // that were pooled; empty: the document's own
};

// Makes role tables, one after the other, keeping what the next one shares: after an edit only the heads whose pattern
// changed are measured again, and chance only when the input changed.
class RoleTables {
 public:
  explicit RoleTables(ThreadPool* pool = nullptr) : pool_(pool) {}

  // Of the trace's sentence, which has relations when it is among the marked ones. Their offsets are compared with.
  RoleTable of_sentence(const Trace& trace, const MarkedSentences& marked);
  // Of the document's weights on each of the marked sentences, entries of X and rows painted by hand left out. Throws
  // InputError when that is not possible: there are none, or X or the mask fit this document's sentence only.
  RoleTable pooled(const Document& document, const MarkedSentences& marked);

 private:
  struct Head {  // what its sums were computed from
    std::weak_ptr<const Mat<float>> attention, contribution;
    RoleSums sums;
  };
  struct KeptChance {
    std::vector<MatPtr<float>> inputs;
    std::vector<std::shared_ptr<const SentenceTargets>> targets;
    HeadsLike layer;
    Chance measures;
  };

  const std::shared_ptr<const SentenceTargets>& own_targets(const Trace& trace, const MarkedSentences& marked);
  const Chance& chance(const std::vector<MatPtr<float>>& inputs,
                       const std::vector<std::shared_ptr<const SentenceTargets>>& targets, const HeadsLike& layer,
                       KeptChance& kept);

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
  Mask::Kind pooled_mask_ = Mask::Kind::none;
  std::vector<std::shared_ptr<const SentenceTargets>> pooled_targets_;
  KeptChance pooled_chance_;
};

// The analyze command's JSON (docs/document.md): 9 significant digits, null for what is not defined. tokens are the
// document's own, and are left out of a pooled table. rest_of_layer, when given, adds keys to the layer's object.
void write_roles(const RoleTable& table, const std::vector<std::string>& tokens, double threshold, const Sink& sink,
                 const std::function<void(JsonWriter&)>& rest_of_layer = nullptr);

}  // namespace hydra
