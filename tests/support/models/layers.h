// Random layers for tests of the attention core.
#pragma once
#include <cmath>

#include "core/attention/forward.h"
#include "core/linalg/random.h"

namespace hydra::test {

template <class S>
Mat<S> random_matrix(Random& random, Index rows, Index cols, double size = 1) {
  Mat<S> values(rows, cols);
  for (Index k = 0; k < values.size(); ++k) values.data()[k] = static_cast<S>(random.uniform(-size, size));
  return values;
}

template <class S>
Array<S> random_bias(Random& random, Index cols) {
  return share_columns(random_matrix<S>(random, 1, cols));
}

// Entries of X within 1, weights within 2 / sqrt(d_model): attention neither flat nor one-hot. d_k: 0 for d_model /
// heads.
template <class S>
LayerInput<S> random_layer(Random& random, Index n, Index d_model, Index heads, bool biases = false,
                           Index group_size = 1, Index d_k = 0) {
  const double size = 2 / std::sqrt(static_cast<double>(d_model));
  LayerInput<S> input;
  input.heads = heads;
  input.X = share(random_matrix<S>(random, n, d_model));
  input.group_size = group_size;
  const Index concat = d_k == 0 ? d_model : heads * d_k, kv_width = concat / group_size;
  AttentionWeights<S>& w = input.weights;
  for (Array<S>* W : {&w.W_Q, &w.W_K, &w.W_V})
    *W = share_columns(random_matrix<S>(random, d_model, W == &w.W_Q ? concat : kv_width, size));
  w.W_O = share_rows(random_matrix<S>(random, concat, d_model, size));
  if (biases)
    for (Array<S>* b : {&w.b_Q, &w.b_K, &w.b_V, &w.b_O})
      *b = random_bias<S>(random, b == &w.b_K || b == &w.b_V ? kv_width : b == &w.b_Q ? concat : d_model);
  return input;
}

inline Mask causal_mask() { return {Mask::Kind::causal, nullptr}; }

// Each entry 0 or 1 with equal chance; rows of zeros may occur.
inline Mask random_mask(Random& random, Index n) {
  Mat<std::uint8_t> allowed(n, n);
  for (Index k = 0; k < allowed.size(); ++k) allowed.data()[k] = static_cast<std::uint8_t>(random.bits() & 1);
  return {Mask::Kind::custom, share(std::move(allowed))};
}

}  // namespace hydra::test
