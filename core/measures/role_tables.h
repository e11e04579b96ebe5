// Making role tables (role_table.h) without bounds, one after the other, of a layer or of all layers of a stack. What
// the next one shares is kept: after an edit only the heads whose pattern or contribution changed are measured again,
// and chance only where the input changed.
#pragma once
#include <map>

#include "core/attention/trace.h"
#include "core/measures/pooled.h"
#include "core/measures/role_table.h"
#include "core/work/progress.h"

namespace hydra {

using StackRoleTables = std::vector<std::shared_ptr<const RoleTable>>;  // by layer

class RoleTables {
 public:
  explicit RoleTables(ThreadPool* pool = nullptr) : pool_(pool) {}

  // Of the trace's sentence, which has relations when it is among the marked ones. Their offsets are compared with.
  // of: the document's layer, whose gain random heads have, too; null: as it is drawn by default. Names of weights that
  // are no longer as they were drawn also have to beat random heads whose scores are as far spread as theirs.
  RoleTable of_sentence(const Trace& trace, int layer, const MarkedSentences& marked, const Layer* of = nullptr,
                        const Progress& progress = {});
  // Of the document's weights on each of the marked sentences, entries of X and rows painted by hand left out. Throws
  // InputError when that is not possible: there are none, or X or the mask fit this document's sentence only.
  RoleTable pooled(const Document& document, int layer, const MarkedSentences& marked, const Progress& progress = {});

  // The same of every layer, to the same bits. What did not change is the same table as before. A step of progress for
  // each layer, and where sentences are pooled for each of them as well. Layers of which the trace keeps the output
  // alone are recomputed, one at a time. The trace is the document's.
  StackRoleTables of_sentence(const Trace& trace, const Document& document, const MarkedSentences& marked,
                              const Progress& progress = {});
  StackRoleTables pooled(const Document& document, const MarkedSentences& marked, const Progress& progress = {});

 private:
  // A layer that is asked for.
  struct Asked {
    int layer;
    const WeightSource* source;
    bool untrained;  // as they were drawn
    std::vector<HeadDesign> asking(Index heads) const;
  };
  static Asked layer_at(const Document& document, int layer);
  static std::vector<Asked> all_layers(const Document& document);

  // The heads of a layer on one sentence, and what they were measured from.
  struct OnSentence {
    Stamp of;
    std::shared_ptr<const SentenceTargets> targets;
    std::vector<std::optional<HeadDesign>> designs;
    std::vector<Stamp> attention, contribution;  // by head, like what follows
    std::vector<RoleSums> sums;
    std::vector<Unasked> unasked;
    Array<float> X;
    double stream = 0;           // squared norm
    double spread = kUndefined;  // of the scores; undefined where the layer is as it was drawn
  };
  struct OfLayer {
    std::vector<OnSentence> sentences;
    bool of_task = false;  // the jobs are a task's, not what designs ask
    HeadsLike like;        // of random heads
    RandomInput random;    // that chance was measured on
    RoleMeasures chance;
    std::shared_ptr<const RoleTable> table;  // null: something was measured anew
  };
  // The targets of all sentences under one mask, with those of what designs ask as jobs.
  struct Masked {
    Mask mask;
    std::vector<Mask> own;  // by head, where one has another; else none
    std::vector<HeadDesign> asking;
    std::vector<std::shared_ptr<const SentenceTargets>> targets;
  };
  // What is kept of the document's own sentence, and of the pooled ones.
  struct Kept {
    std::vector<std::string> tokens;  // of the own sentence; the pooled ones are the marked ones
    std::vector<std::vector<WordFeatures>> words;
    MarkedSentences marked;
    std::vector<Masked> masked;  // for all these
    std::map<int, OfLayer> layers;
  };
  // Lets go of what is of other sentences or words, and of layers that are not asked for.
  static void keep_only(Kept& kept, const std::vector<Asked>& asked, std::vector<std::string> tokens,
                        std::vector<std::vector<WordFeatures>> words, const MarkedSentences& marked);
  template <class Make>
  static const Masked& under(Kept& kept, const Mask& mask, const std::vector<Mask>& own,
                             const std::vector<HeadDesign>& asking, const Make& make);

  void measure(OfLayer& kept, std::size_t sentence, const Trace& trace, const Asked& asked,
               const std::shared_ptr<const SentenceTargets>& targets) const;
  std::shared_ptr<const RoleTable> table_of(OfLayer& kept, const std::vector<std::string>& sentences) const;
  StackRoleTables own_tables(const Trace& trace, const std::vector<Asked>& asked, const MarkedSentences& marked,
                             const Progress& progress);
  StackRoleTables pooled_tables(const Document& document, const std::vector<Asked>& asked,
                                const MarkedSentences& marked, const Progress& progress);

  ThreadPool* pool_;
  Kept own_, pooled_;
  PooledTraces traces_;
};

}  // namespace hydra
