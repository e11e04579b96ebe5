// The weights of one layer, combined as real implementations store them: head i is columns i*d_k .. (i+1)*d_k of W_Q,
// W_K and W_V, and rows i*d_k .. (i+1)*d_k of W_O. Vaswani et al. 2017, section 3.2.2.
#pragma once
#include <array>

#include "core/linalg/types.h"

namespace hydra {

template <class S>
struct AttentionWeights {
  MatPtr<S> W_Q, W_K, W_V, W_O;     // each [d_model x d_model], acting from the right
  RowVecPtr<S> b_Q, b_K, b_V, b_O;  // each [d_model], or null for none
};

enum class Init { xavier, identity, zero };

// Seeded weights without biases. xavier: uniform in +-sqrt(6 / (d + d)) (Glorot and Bengio 2010, equation 16), each
// matrix from its own stream of the seed. identity makes head i read slice i of the embedding, and nothing else.
AttentionWeights<float> initial_weights(Index d_model, Init init, std::uint64_t seed);

}  // namespace hydra
