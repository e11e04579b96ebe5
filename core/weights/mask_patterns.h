// Masks that models use, to start from, and what a hand does to a mask. Pure functions.
#pragma once
#include <string>
#include <vector>

#include "core/model/mask.h"

namespace hydra {

// Query i may attend to key j when (s is the size):
//
//   window   |i - j| <= s, at most s places away (Longformer's window of 2 s; Beltagy et al. 2020, section 3.1)
//
//   blocks   floor(i / s) = floor(j / s), blocks of s tokens (the first head of "fixed"; Child et al. 2019, 4.2)
//
//   prefix   j <= i or j < s, the first s tokens are seen by all (prefix LM; Raffel et al. 2020, section 3.2.1)
//
//   strided  j <= i and (i - j <= s or (i - j) mod s = 0), both heads of "strided" in one (Child et al. 2019)
enum class MaskPattern { none, causal, window, blocks, prefix, strided };
inline constexpr int kMaskPatterns = 6;

struct PatternMask {
  MaskPattern pattern = MaskPattern::none;
  Index size = 1;            // at least 1; none and causal have none
  bool only_before = false;  // window and blocks: and j <= i
  bool operator==(const PatternMask&) const = default;
};

bool has_size(MaskPattern pattern);
bool sees_ahead(MaskPattern pattern);  // window and blocks, unless they see only what comes before
bool allows(const PatternMask& mask, Index query, Index key);
// For n tokens: none and causal where the pattern is one of them, else its matrix.
Mask mask_of(const PatternMask& mask, Index n);

// Every pair of n tokens as a custom mask has them.
Mat<std::uint8_t> allowed_pairs(const Mask& mask, Index n);
// The custom mask; none or causal where it allows just what these do.
Mask simplest(Mat<std::uint8_t> allowed);
// The queries that may attend to nothing.
std::vector<Index> blind_rows(const Mask& mask, Index n);
// What can hardly be meant, in words: a custom mask that hides every pair, or that shows just what a causal one hides,
// as where 1 stands for what is hidden. Else nothing.
std::string mask_remark(const Mask& mask);

}  // namespace hydra
