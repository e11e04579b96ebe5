// A document's weights on other sentences than its own.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "core/document/document.h"
#include "core/text/annotated.h"
#include "core/work/progress.h"

namespace hydra {

struct Trace;
class ThreadPool;

using MarkedSentences = std::shared_ptr<const std::vector<AnnotatedSentence>>;

MarkedSentences shipped_sentences();

// Throws InputError when that is not possible: there are none, or X or the mask fit this document's sentence only.
void check_poolable(const Document& document, const MarkedSentences& marked);
// The document with another sentence; what was set by hand in X and painted, and pads, belong to the old one and are
// left out.
Document with_tokens(const Document& document, const std::vector<std::string>& tokens);

// The document on these tokens, of which the first are pads: as it is where they are its own, else with_tokens. Throws
// InputError where X is of its own sentence, or a mask set by hand is of one of another length.
std::shared_ptr<const Trace> trace_on(const Document& document, const std::vector<std::string>& tokens,
                                      ThreadPool* pool = nullptr, const Pads& pads = {});

// A document on a set of sentences, again and again: each trace shares with the one before it.
class PooledTraces {
 public:
  // One trace per marked sentence, a step of progress each. Throws as check_poolable does.
  const std::vector<std::shared_ptr<const Trace>>& evaluate(const Document& document, const MarkedSentences& marked,
                                                            ThreadPool* pool = nullptr, const Progress& progress = {});
  // Calls visit(index, trace) for each sentence, one after the other, with a trace of the first so many layers. Traces
  // that would take more than 64 MB together are not kept.
  void visit(const Document& document, int layers, const MarkedSentences& marked, ThreadPool* pool,
             const std::function<void(std::size_t, const Trace&)>& visit);

 private:
  std::vector<std::shared_ptr<const Trace>> traces_;
};

}  // namespace hydra
