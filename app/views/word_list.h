// The words of the sentence and their features, to be looked at and corrected.
#pragma once
#include "app/views/context.h"

namespace hydra {

// A button that tells how many words are guessed; it opens the list. Probe names: words, words/blorp,
// words/feature/noun.
void draw_word_list(Frame& frame);

}  // namespace hydra
