// Vectors for words and positions.
#pragma once
#include <string>
#include <vector>

#include "core/linalg/types.h"

namespace hydra {

// One row per token, each entry of mean 0 and variance 1, drawn from a hash of the word and the seed: the same word has
// the same vector in every sentence and on every machine.  [n x d_model]
Mat<float> hashed_embedding(const std::vector<std::string>& tokens, Index d_model, std::uint64_t seed);

// P[i, 2k] = sin(i / 10000^(2k/d)), P[i, 2k+1] = cos(the same).  [n x d_model]  Vaswani et al. 2017, section 3.5.
Mat<float> sinusoidal_positions(Index n, Index d_model);

}  // namespace hydra
