// Which heads an answer needs together: the smallest set of heads without which the answer is another one, and the
// smallest that keeps it while all others are silent. A head that can go alone may be needed none the less, where
// another one stands in for it: only the set tells.
#pragma once
#include "core/analysis/answer/head_answers.h"

namespace hydra {

struct HeadSet {
  std::vector<std::size_t> heads;  // places among the heads of all layers, in their order
  AnswerRead read;                 // needed: with these silent; enough: with all others silent
  Index likeliest = 0;             // the word that is read then
  double margin = 0;               // the answer's logit less that of the likeliest other word
};

struct HeadSets {
  std::optional<HeadSet> needed;  // none: with every head silent the answer is the same
  std::optional<HeadSet> enough;  // may have no head, where the answer needs none
  // No smaller set does it, and no other of that size does it more: all were tried. Else the sets were found head by
  // head, and none of theirs can be left out.
  bool exact = false;
  Index tried = 0;  // sets
};

inline constexpr std::size_t kMostExactHeads = 16;
// Nothing where the answer is not the likeliest word with all heads. A step of progress for each head; the trace has a
// readout. Throws Stopped.
std::optional<HeadSets> head_sets(const Trace& trace, const AskedAnswer& asked, ThreadPool* pool = nullptr,
                                  const Progress& progress = {});

}  // namespace hydra
