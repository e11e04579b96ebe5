// Marked sentences as a model with a tokenizer of its own cuts them.
#pragma once
#include "core/document/document.h"
#include "core/measures/pooled.h"

namespace hydra {

// What cuts: another stamp, others tokens. Zero: sentences stand as they were marked.
Stamp cut_stamp(const Model& model);
// A word that is marked is the last of its tokens: the one that has seen all of it. Pairs within one token are left
// out, and so are sentences that are cut into more tokens than a document holds. The same where nothing cuts them.
MarkedSentences as_cut_by(const Model& model, const MarkedSentences& marked);

}  // namespace hydra
