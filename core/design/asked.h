// In which rows a designed head is asked for something. Elsewhere its pattern is what its kernels and its weaker asks
// leave, however bold it looks.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/design/head_design.h"
#include "core/model/mask.h"

namespace hydra {

inline constexpr float kBoldWeight = 0.5f;  // a row with more than this on one key is bold
inline constexpr Index kBoldKeys = 3;       // where it may see at least so many

// Whether the token of the row, as a query, asks for a key that it may see: an ask as strong as the design's first one
// scores above zero for some key, or the same word stands elsewhere. Always for a design that asks for a place or an
// offset alone, for nothing, or for a word in the slot, of which the words alone say nothing.
bool asks_in_row(const HeadDesign& design, const std::vector<std::string>& tokens,
                 const std::vector<WordFeatures>& words, const Mask& mask, Index row);

// Of a design by hand the job that its first ask is: "pronoun to noun", by the features that the two sides want. Empty
// for presets, whose jobs have names, and for designs that ask for nothing.
std::string first_job(const HeadDesign& design);
bool same_first_ask(const HeadDesign& a, const HeadDesign& b);  // of two that ask for something
// The designs by hand of which each has another first ask: the first heads' of those that share one.
std::vector<HeadDesign> with_first_asks(const std::vector<std::optional<HeadDesign>>& designs);
// The keys of a row that its first ask is for: the features of both sides are there. None where it does not ask.
std::vector<Index> keys_of_first_ask(const HeadDesign& design, const std::vector<WordFeatures>& words, const Mask& mask,
                                     Index row);

}  // namespace hydra
