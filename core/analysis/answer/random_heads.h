// What heads that have learned nothing do for an answer: chance, against which a head of the model is held.
//
// Of each layer heads are drawn (redrawn_heads.h). Each stands in the model as one head more: its direct effect is what
// it writes itself, and silencing it leads back to the model as it is.
#pragma once
#include "core/analysis/answer/head_answers.h"

namespace hydra {

inline constexpr Index kRandomHeads = 100;  // of a layer, at least; the same ones for the same document

// Of a layer. What 19 in 20 of them change lies between - and + this; NaN of a rival where there is none.
struct RandomHeads {
  Index drawn = 0;
  double direct = 0, against_rival = 0;  // the direct effect on the answer, and on that less the rival's
  OfAnswer<double> zero;                 // what is read less what is read once the head is silenced
};
// A step of progress for each layer. The trace has a readout.
std::vector<RandomHeads> random_heads(const Trace& trace, const AskedAnswer& asked, ThreadPool* pool = nullptr,
                                      const Progress& progress = {}, std::uint64_t seed = 0);

}  // namespace hydra
