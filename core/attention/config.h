// The sizes a layer may have, and the sentences for those it may not.
#pragma once
#include <vector>

#include "core/linalg/types.h"

namespace hydra {

inline constexpr Index kMaxTokens = 1024;
inline constexpr Index kMaxModel = 1024;
inline constexpr Index kMaxHeads = 128;

// The head counts that a model width allows: divisors of d_model, at most kMaxHeads, ascending.
std::vector<Index> head_counts(Index d_model);

// Throws InputError with one sentence (which names the divisors when heads do not divide d_model).
void check_sizes(Index n, Index d_model, Index heads);

}  // namespace hydra
