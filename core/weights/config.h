// The sizes a layer may have, and the sentences for those it may not.
#pragma once
#include <vector>

#include "core/linalg/types.h"

namespace hydra {

inline constexpr Index kMaxTokens = 4096;
inline constexpr Index kMaxPatterns = Index{1} << 28;  // numbers of all heads' patterns in a layer: 1 GB
inline constexpr Index kMaxModel = 1024;
inline constexpr Index kMaxFileModel = 8192;  // of a model of a file, whose numbers stay there until they are looked at
inline constexpr Index kMaxHeads = 128;
inline constexpr Index kMaxConcat = 16384;  // of all heads side by side, where d_k is their own

// The head counts that a width of all heads (d_model, where d_k is not their own) can be cut into: its divisors, at
// most kMaxHeads, ascending.
std::vector<Index> head_counts(Index width);

// Each throws InputError with one sentence (which names the divisors when heads do not divide the width of them all).
void check_sizes(Index n, Index d_model, Index heads, Index widest = kMaxModel);  // heads of d_model / heads
void check_heads(Index heads, Index concat, Index d_model);                       // concat: of all heads side by side
void check_head_width(Index d_k, Index heads);                                    // of its own
void check_patterns(Index n, Index heads);                                        // n x n numbers of each

}  // namespace hydra
