// Patterns that a head is asked to make: drawn, or of the sentence. A target P [n x n] has rows that sum to 1, or all 0
// where nothing is asked of the query.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "core/model/mask.h"

namespace hydra::learn {

enum class FitTarget {
  identity,     // i looks at i
  previous,     // at i - 1; the first token is asked for nothing
  permutation,  // at one drawn place each, all of them different where the mask hides none
  several,      // at three drawn places each, alike
  any,          // at all, by drawn weights: softmax of 1.5 times normal numbers
};
struct FitTargetEntry {
  FitTarget target;
  const char* key;    // "previous": on the command line
  const char* title;  // key of "previous token"
  const char* tip;    // key of one sentence
};
std::span<const FitTargetEntry> fit_targets();  // in the order of the enum
FitTarget fit_target_of(std::string_view key);  // throws InputError, naming the keys
const FitTargetEntry& entry_of(FitTarget target);

// Of what the mask lets each query see alone: where it hides what is asked for, nothing is asked.
Mat<float> make_fit_target(FitTarget target, Index n, const Mask& mask, std::uint64_t seed);

}  // namespace hydra::learn
