// The weights of one layer, combined as real implementations store them: head i is columns i*d_k .. (i+1)*d_k of W_Q,
// W_K and W_V, and rows i*d_k .. (i+1)*d_k of W_O. Vaswani et al. 2017, section 3.2.2. Where heads share keys and
// values (one for all: multi-query, Shazeer 2019; one for each group of neighbours: grouped-query, Ainslie et al.
// 2023, or for groups that are given), W_K and W_V have d_k columns for each set of them only. Around the heads a block
// has more (model/layer_program.cpp).
#pragma once
#include <array>

#include <span>
#include <vector>

#include "core/linalg/array.h"
#include "core/model/site.h"
#include "core/weights/key_groups.h"

namespace hydra {

template <class S>
struct AttentionWeights {
  // [d_model x h d_k], W_K and W_V [d_model x kv_heads d_k], W_O [h d_k x d_model]; acting from the right
  Array<S> W_Q, W_K, W_V, W_O;
  Array<S> b_Q, b_K, b_V, b_O;  // rows, as wide as their matrices, or none
  // Of what the settings switch on, else none: rows of the norms of queries and keys, as wide as b_Q and b_K,
  Array<S> gain_Q{}, gain_K{};
  // the score of each head's sink [1 x heads],
  Array<S> sink{};
  // of the output's gates, for each number of the heads [d_model x h d_k] or for each head [d_model x heads],
  Array<S> W_G{}, w_G{};
  // of what heads take of each other's scores and weights [heads x heads],
  Array<S> P_L{}, P_W{};
  // of what is added to the scores by offset [heads x 2 reach + 1],
  Array<S> offset_bias{};
  // of differential attention rows [1 x d_k / 2], and that of the norm of the heads' outputs, as wide as b_Q,
  Array<S> lambda_q1{}, lambda_k1{}, lambda_q2{}, lambda_k2{}, gain_O{};
  // rows of the norms around the heads, and of the feed-forward part W_1 and W_3
  // [d_model x hidden], W_2 [hidden x d_model], with biases or none.
  Array<S> gain_1{}, shift_1{}, gain_2{}, shift_2{}, W_1{}, b_1{}, W_3{}, W_2{}, b_2{};
  // Rows of the norms of what the heads and the feed-forward part give.
  Array<S> gain_Y{}, shift_Y{}, gain_F{}, shift_F{};
  // Of what heads compute with, where groups are given: KeyGroups::of. A document's layer has it beside its weights.
  std::vector<Index> kv_of{};
};

// The weights and biases, in the order of files. Those of plain attention come first.
inline constexpr Quantity kWeights[] = {
    Quantity::W_Q,         Quantity::W_K,       Quantity::W_V,       Quantity::W_O,       Quantity::b_Q,
    Quantity::b_K,         Quantity::b_V,       Quantity::b_O,       Quantity::gain_Q,    Quantity::gain_K,
    Quantity::sink,        Quantity::W_G,       Quantity::w_G,       Quantity::P_L,       Quantity::P_W,
    Quantity::offset_bias, Quantity::lambda_q1, Quantity::lambda_k1, Quantity::lambda_q2, Quantity::lambda_k2,
    Quantity::gain_O,      Quantity::gain_1,    Quantity::shift_1,   Quantity::W_1,       Quantity::b_1,
    Quantity::W_3,         Quantity::W_2,       Quantity::b_2,       Quantity::gain_2,    Quantity::shift_2,
    Quantity::gain_Y,      Quantity::shift_Y,   Quantity::gain_F,    Quantity::shift_F};
inline bool is_plain(Quantity parameter) { return parameter <= Quantity::b_O; }  // of every layer
// How wide the axes of a layer's parameters are; concat: of the heads side by side, kv: of W_K and W_V; offsets:
// settings.h.
struct LayerWidths {
  Index d_model = 0, concat = 0, kv = 0, hidden = 0, heads = 1, offsets = 1;
  Index rows(Quantity parameter) const { return along(entry_of(parameter).rows, false); }
  Index cols(Quantity parameter) const { return along(entry_of(parameter).cols, entry_of(parameter).of_group); }

 private:
  Index along(Axis axis, bool of_group) const {
    return axis == Axis::one          ? 1
           : axis == Axis::hidden_dim ? hidden
           : axis == Axis::heads      ? heads
           : axis == Axis::offset     ? offsets
           : axis == Axis::half_dim   ? concat / heads / 2
           : axis == Axis::model_dim  ? d_model
           : of_group                 ? kv
                                      : concat;
  }
};

// The field of a weight or bias; null when the quantity is neither.
template <class S>
Array<S>* field_of(AttentionWeights<S>& weights, Quantity quantity);
template <class S>
const Array<S>* field_of(const AttentionWeights<S>& weights, Quantity quantity);
// The same bits in all of them (linalg/same_bits.h).
bool same_bits(const AttentionWeights<float>& a, const AttentionWeights<float>& b);
// New values of a weight or bias, told apart by what heads have of them: columns, or rows of W_O, P_L and P_W.
Array<float> make_weight(Quantity quantity, Mat<float> values);
Array<float> with_part_stamps(Quantity quantity,
                              const Array<float>& values);  // of new values that stand somewhere else

// The column of W_K and W_V at which a head's keys and values begin.
template <class S>
Index kv_column(const AttentionWeights<S>& weights, Index heads, Index head) {
  const Index d_k = weights.W_Q.cols() / heads, sets = weights.W_K.cols() / d_k;
  return KeyGroups{heads, weights.kv_of.empty() ? heads / sets : 1, weights.kv_of}.set_of(head) * d_k;
}

enum class Init { xavier, identity, zero };

// Seeded weights without biases. xavier: uniform in +-sqrt(6 / (d + d)) (Glorot and Bengio 2010, equation 16), each
// matrix from its own stream of the seed. identity makes head i read slice i of the embedding, and nothing else.
// d + d: of their rows and columns.
AttentionWeights<float> initial_weights(const LayerWidths& widths, Init init, std::uint64_t seed);
// One parameter of them: a matrix as above (its bound by its rows and columns), a gain as ones, a shift as zeros; none
// where a bias begins as none.
Array<float> initial_parameter(Quantity parameter, const LayerWidths& widths, Init init, std::uint64_t seed);
// Keys and values for other groups of heads, the same for every head where it is possible: with more of them blocks
// are repeated; with fewer, each is the mean of those of its group (Ainslie et al. 2023, section 2.1).
// The mean of blocks that differ is smaller than they are, so scores shrink and attention flattens; keep_norm scales
// each mean of W_K to the root of the mean square of the norms of its blocks, which tells sharing from that.
AttentionWeights<float> with_key_groups(const AttentionWeights<float>& weights, const KeyGroups& before,
                                        const KeyGroups& after, bool keep_norm = false);
// The same from groups of one size to groups of one size.
AttentionWeights<float> with_kv_heads(const AttentionWeights<float>& weights, Index heads, Index kv_heads,
                                      bool keep_norm = false);

}  // namespace hydra
