// Relations of one's own, which sentences are marked with, as they are measured: like the jobs of a task (jobs.h), but
// that no answer hangs on them, and no head is named after one.
#pragma once
#include "core/analysis/roles/jobs.h"
#include "core/document/document.h"
#include "core/measures/pooled.h"

namespace hydra {

struct OwnRelations {
  MarkedSentences sentences;  // where there are own relations, each with the pairs of all of them as its jobs
  HeadJobs relations;         // in the order of their names
};
// Throws InputError where there are more than can be told apart (kMostOwnRelations).
OwnRelations with_own_relations(const MarkedSentences& sentences);

MarkedSentences sentences_of(const std::vector<MarkedText>& marks);
// Of a document's own sentence: these, with what the document marks. Those themselves, where it marks nothing.
MarkedSentences with_marks(const MarkedSentences& sentences, const std::vector<MarkedText>& marks);

}  // namespace hydra
