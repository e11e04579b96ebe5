// Answer: what is patched of the head in focus, as it is in this sentence, in the counterfactual one, and the
// difference.
#pragma once
#include "app/views/frame/context.h"
#include "core/analysis/answer/head_answers.h"

namespace hydra {

// Whether that part of the head is kept in both; they are of as many tokens.
bool has_answer_pictures(const Frame& frame, const Trace& now, const Trace& other, PatchedPart part);
// As high as they are wide enough for; the height that they take.
float draw_answer_pictures(Frame& frame, const Trace& now, const Trace& other, PatchedPart part, const Box& box);

}  // namespace hydra
