// What token labels need so that each has one: for layouts that make room for them, see token_axis.h.
#pragma once
#include <string>
#include <vector>

namespace hydra {

inline constexpr float kLeastLabel = 8;                                      // height in pixels that can still be read
inline constexpr float kGoodLabel = 11;                                      // with ease, though some words have none
inline constexpr float kRowStep = 0.9f, kColumnStep = 0.74f;                 // of a step, in heights of the labels
inline constexpr float kLabelSine = 0.8192f, kLabelCosine = 0.5736f;         // column labels rise by 55 degrees
inline constexpr float kLeastStep = kLeastLabel * kColumnStep / kLabelSine;  // of rows and columns that all have theirs

// Scripts with marks over and under their letters (Arabic, those of India, Thai and their neighbours) need more of a
// step: this many times what others do; of some words, 1 where none is in such a script.
float tall_step(const std::vector<std::string>& words);

static_assert(kLeastStep >= kLeastLabel * kRowStep);

}  // namespace hydra
