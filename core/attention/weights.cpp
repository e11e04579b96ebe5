#include "core/attention/weights.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/linalg/random.h"
#include "core/linalg/same_bits.h"

namespace hydra {

namespace {

using Single = AttentionWeights<float>;
constexpr std::array<std::pair<Quantity, Array<float> Single::*>, 8> kFields{{{Quantity::W_Q, &Single::W_Q},
                                                                              {Quantity::W_K, &Single::W_K},
                                                                              {Quantity::W_V, &Single::W_V},
                                                                              {Quantity::W_O, &Single::W_O},
                                                                              {Quantity::b_Q, &Single::b_Q},
                                                                              {Quantity::b_K, &Single::b_K},
                                                                              {Quantity::b_V, &Single::b_V},
                                                                              {Quantity::b_O, &Single::b_O}}};

// Weights: const or not, and so is the field.
template <class Weights>
auto* field(Weights& weights, Quantity quantity) {
  for (const auto& [known, member] : kFields)
    if (known == quantity) return &(weights.*member);
  return static_cast<decltype(&weights.W_Q)>(nullptr);
}

}  // namespace

Array<float>* field_of(AttentionWeights<float>& weights, Quantity quantity) { return field(weights, quantity); }
const Array<float>* field_of(const AttentionWeights<float>& weights, Quantity quantity) {
  return field(weights, quantity);
}

bool same_bits(const AttentionWeights<float>& a, const AttentionWeights<float>& b) {
  return std::ranges::all_of(kWeights, [&](Quantity W) { return same_bits(*field_of(a, W), *field_of(b, W)); });
}

Array<float> share_weight(Quantity quantity, Mat<float> values) {
  return quantity == Quantity::W_O ? share_rows(std::move(values)) : share_columns(std::move(values));
}

namespace {
Array<float> initial_matrix(Index d_model, Index width, Init init, std::uint64_t seed, Quantity quantity) {
  if (init == Init::zero) return share_weight(quantity, Mat<float>::Zero(d_model, width));
  if (init == Init::identity) return share_weight(quantity, Mat<float>::Identity(d_model, width));
  Random random(hash(entry_of(quantity).key, seed));
  const double bound = std::sqrt(6.0 / static_cast<double>(d_model + width));
  Mat<float> W(d_model, width);
  for (Index k = 0; k < W.size(); ++k) W.data()[k] = static_cast<float>(bound * (2 * random.uniform() - 1));
  return share_weight(quantity, std::move(W));
}

// What the mean of each group must be multiplied with to have the size of its blocks again; 1 where it is 0.
void keep_norms(MatIn<float> blocks, Index heads, Mat<float>& means, Index d_k) {
  const Index to = means.cols() / d_k, from = blocks.cols() / d_k, group = heads / to;
  for (Index k = 0; k < to; ++k) {
    double squares = 0;
    for (Index h = k * group; h < (k + 1) * group; ++h)
      squares += blocks.middleCols(kv_head_of(h, heads, from) * d_k, d_k).cast<double>().squaredNorm();
    const double norm = means.middleCols(k * d_k, d_k).cast<double>().norm();
    if (norm > 0)
      means.middleCols(k * d_k, d_k) *= static_cast<float>(std::sqrt(squares / static_cast<double>(group)) / norm);
  }
}

// Blocks of d_k columns, `from` of them, as `to`: repeated, or the means of groups. Both divide the number of heads.
Array<float> regrouped(const Array<float>& blocks, Index heads, Index from, Index to, bool keep_norm) {
  const Index d_k = blocks.cols() / from, group = heads / to;
  Mat<double> sums = Mat<double>::Zero(blocks.rows(), to * d_k);
  std::vector<Stamp> stamps;
  for (Index col = 0; col < to * d_k; ++col) {
    Key key("mean of a group");
    key << keep_norm << group;
    for (Index h = col / d_k * group; h < (col / d_k + 1) * group; ++h) {
      const Index first = kv_head_of(h, heads, from) * d_k;
      sums.col(col) += blocks->col(first + col % d_k).cast<double>();
      key << blocks.stamp_of_columns(first + col % d_k, 1);
      if (keep_norm) key << blocks.stamp_of_columns(first, d_k);
    }
    stamps.push_back(key.stamp());
  }
  Mat<float> means = (sums / static_cast<double>(group)).cast<float>();
  if (keep_norm && to < from) keep_norms(*blocks, heads, means, d_k);
  return share_columns(std::move(means), std::move(stamps));
}

}  // namespace

AttentionWeights<float> initial_weights(Index d_model, Init init, std::uint64_t seed, Index kv_width) {
  if (kv_width == 0) kv_width = d_model;
  AttentionWeights<float> weights;
  weights.W_Q = initial_matrix(d_model, d_model, init, seed, Quantity::W_Q);
  weights.W_K = initial_matrix(d_model, kv_width, init, seed, Quantity::W_K);
  weights.W_V = initial_matrix(d_model, kv_width, init, seed, Quantity::W_V);
  weights.W_O = initial_matrix(d_model, d_model, init, seed, Quantity::W_O);
  return weights;
}

AttentionWeights<float> with_kv_heads(const AttentionWeights<float>& weights, Index heads, Index kv_heads,
                                      bool keep_norm) {
  const Index d_k = weights.W_Q->cols() / heads, from = weights.W_K->cols() / d_k;
  AttentionWeights<float> changed = weights;
  if (from == kv_heads) return changed;
  changed.W_K = regrouped(weights.W_K, heads, from, kv_heads, keep_norm);
  for (Array<float>* values : {&changed.W_V, &changed.b_K, &changed.b_V})
    if (*values) *values = regrouped(*values, heads, from, kv_heads, false);
  return changed;
}

}  // namespace hydra
