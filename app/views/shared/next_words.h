// The words that are read out of each token: which may come next, or answers to questions.
#pragma once
#include "app/views/frame/context.h"

namespace hydra {

// A readout whose question has no name is asked for the next word; others have questions of their own.
inline bool asks_next_word(const NextWords& next) { return next.questions.size() == 0; }
// "after “it”", or "subject of “it”", and the likeliest answers with their probabilities: lines of a tooltip.
std::vector<std::string> next_words_told(const Frame& frame, Index token, Index question);

}  // namespace hydra
