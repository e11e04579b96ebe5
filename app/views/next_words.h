// The words that may come next, where they are read out.
#pragma once
#include "app/views/context.h"

namespace hydra {

// "after “it”", and the likeliest with their probabilities: lines of a tooltip.
std::vector<std::string> next_words_told(const Frame& frame, Index token);

}  // namespace hydra
