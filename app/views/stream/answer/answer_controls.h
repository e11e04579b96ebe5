// Answer: what is asked there, what of a counterfactual sentence is patched, and what is done with the table.
#pragma once
#include "app/views/frame/context.h"
#include "app/views/stream/answer/answer_table.h"

namespace hydra {

struct AnswerHands {
  std::optional<std::string> draft;  // of the counterfactual sentence, while it is typed
};

void draw_answer_controls(Frame& frame, const AnswerMeasure::Result& result, const Trace& trace, const HeadNames& names,
                          float width);

}  // namespace hydra
