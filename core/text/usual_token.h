// The word of a sentence that a class asks about first.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/linalg/types.h"
#include "core/text/lexicon.h"

namespace hydra {

// The first pronoun that stands for a noun before it; not one of the speaker or the hearer, whom no word names. words:
// what the lexicon says of each token.
std::optional<Index> pronoun_in(const std::vector<std::string>& tokens, const std::vector<WordFeatures>& words);

// That pronoun, else the first noun, else the first word that is more than a determiner or a mark, else the first
// token.
Index usual_token(const std::vector<std::string>& tokens, const std::vector<WordFeatures>& words);

}  // namespace hydra
