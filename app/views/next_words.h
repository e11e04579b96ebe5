// The words that may come next, where they are read out.
#pragma once
#include "app/views/context.h"

namespace hydra {

// "after “it”", and the likeliest answers to a question of the readout with their probabilities: lines of a tooltip.
std::vector<std::string> next_words_told(const Frame& frame, Index token, Index question);

}  // namespace hydra
