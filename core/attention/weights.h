// The weights of one layer, combined as real implementations store them: head i is columns i*d_k .. (i+1)*d_k of W_Q,
// W_K and W_V, and rows i*d_k .. (i+1)*d_k of W_O. Vaswani et al. 2017, section 3.2.2. Where heads share keys and
// values (one for all: multi-query, Shazeer 2019; one for each group of neighbours: grouped-query, Ainslie et al.
// 2023), W_K and W_V have d_k columns for each of the kv_heads only.
#pragma once
#include <array>

#include "core/linalg/array.h"
#include "core/model/site.h"

namespace hydra {

template <class S>
struct AttentionWeights {
  Array<S> W_Q, W_K, W_V, W_O;  // [d_model x d_model], W_K and W_V [d_model x kv_heads d_k]; acting from the right
  Array<S> b_Q, b_K, b_V, b_O;  // rows, as wide as their matrices, or none
};

// The weights and biases, in the order of files.
inline constexpr Quantity kWeights[] = {Quantity::W_Q, Quantity::W_K, Quantity::W_V, Quantity::W_O,
                                        Quantity::b_Q, Quantity::b_K, Quantity::b_V, Quantity::b_O};
// The field of a weight or bias; null when the quantity is neither.
Array<float>* field_of(AttentionWeights<float>& weights, Quantity quantity);
const Array<float>* field_of(const AttentionWeights<float>& weights, Quantity quantity);
// The same bits in all of them (linalg/same_bits.h).
bool same_bits(const AttentionWeights<float>& a, const AttentionWeights<float>& b);
// New values of a weight or bias, told apart by what heads have of them: columns, or rows of W_O.
Array<float> share_weight(Quantity quantity, Mat<float> values);

// Whose keys and values a head uses, when heads have kv_heads of them.
inline Index kv_head_of(Index head, Index heads, Index kv_heads) { return head / (heads / kv_heads); }

// The column of W_K and W_V at which a head's keys and values begin.
template <class S>
Index kv_column(const AttentionWeights<S>& weights, Index heads, Index head) {
  const Index d_k = weights.W_Q->cols() / heads;
  return kv_head_of(head, heads, weights.W_K->cols() / d_k) * d_k;
}

enum class Init { xavier, identity, zero };

// Seeded weights without biases. xavier: uniform in +-sqrt(6 / (d + d)) (Glorot and Bengio 2010, equation 16), each
// matrix from its own stream of the seed. identity makes head i read slice i of the embedding, and nothing else.
// kv_width: of W_K and W_V, d_model unless heads share keys and values (the bound then has d_model + kv_width).
AttentionWeights<float> initial_weights(Index d_model, Init init, std::uint64_t seed, Index kv_width = 0);
// Keys and values for another number of heads, the same for every head where it is possible: with more of them blocks
// are repeated; with fewer, each is the mean of those of its group (Ainslie et al. 2023, section 2.1).
// The mean of blocks that differ is smaller than they are, so scores shrink and attention flattens; keep_norm scales
// each mean of W_K to the root of the mean square of the norms of its blocks, which tells sharing from that.
AttentionWeights<float> with_kv_heads(const AttentionWeights<float>& weights, Index heads, Index kv_heads,
                                      bool keep_norm = false);

}  // namespace hydra
