// Answer: where the head in focus looks in this sentence, where in the counterfactual one, and the difference.
#pragma once
#include "app/views/frame/context.h"

namespace hydra {

// Whether the patterns of that head are kept in both; they are of as many tokens.
bool has_answer_pictures(const Frame& frame, const Trace& now, const Trace& other);
// As high as they are wide enough for; the height that they take.
float draw_answer_pictures(Frame& frame, const Trace& now, const Trace& other, const Box& box);

}  // namespace hydra
