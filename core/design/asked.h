// In which rows a designed head is asked for something. Elsewhere its pattern is what its kernels and its weaker asks
// leave, however bold it looks.
#pragma once
#include "core/design/head_design.h"
#include "core/model/mask.h"

namespace hydra {

inline constexpr float kBoldWeight = 0.5f;  // a row with more than this on one key is bold
inline constexpr Index kBoldKeys = 3;       // where it may see at least so many

// Whether the token of the row, as a query, asks for a key that it may see: an ask as strong as the design's first one
// scores above zero for some key, or the same word stands elsewhere. Always for a design that asks for a place or an
// offset alone, for nothing, or for a word in the slot, of which the words alone say nothing.
bool asks_in_row(const HeadDesign& design, const std::vector<std::string>& tokens,
                 const std::vector<WordFeatures>& words, const Mask& mask, Index row,
                 const Lexicon& lexicon = Lexicon::standard());

}  // namespace hydra
