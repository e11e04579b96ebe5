#include "core/attention/weights.h"

#include <cmath>
#include <utility>

#include "core/linalg/random.h"

namespace hydra {

namespace {

template <class Field>
using Fields = std::array<std::pair<Quantity, Field AttentionWeights<float>::*>, 4>;

using Single = AttentionWeights<float>;
constexpr Fields<MatPtr<float>> kMatrices{{{Quantity::W_Q, &Single::W_Q},
                                           {Quantity::W_K, &Single::W_K},
                                           {Quantity::W_V, &Single::W_V},
                                           {Quantity::W_O, &Single::W_O}}};
constexpr Fields<RowVecPtr<float>> kBiases{{{Quantity::b_Q, &Single::b_Q},
                                            {Quantity::b_K, &Single::b_K},
                                            {Quantity::b_V, &Single::b_V},
                                            {Quantity::b_O, &Single::b_O}}};

// Weights: const or not, and so is the field.
template <class Weights, class Field>
auto field(Weights& weights, const Fields<Field>& fields, Quantity quantity) -> decltype(&(weights.*fields[0].second)) {
  for (const auto& [known, member] : fields)
    if (known == quantity) return &(weights.*member);
  return nullptr;
}

}  // namespace

MatPtr<float>* matrix_of(AttentionWeights<float>& weights, Quantity quantity) {
  return field(weights, kMatrices, quantity);
}
RowVecPtr<float>* bias_of(AttentionWeights<float>& weights, Quantity quantity) {
  return field(weights, kBiases, quantity);
}
const MatPtr<float>* matrix_of(const AttentionWeights<float>& weights, Quantity quantity) {
  return field(weights, kMatrices, quantity);
}
const RowVecPtr<float>* bias_of(const AttentionWeights<float>& weights, Quantity quantity) {
  return field(weights, kBiases, quantity);
}

namespace {
MatPtr<float> initial_matrix(Index d_model, Index width, Init init, std::uint64_t seed, std::string_view name) {
  if (init == Init::zero) return share(Mat<float>(Mat<float>::Zero(d_model, width)));
  if (init == Init::identity) return share(Mat<float>(Mat<float>::Identity(d_model, width)));
  Random random(hash(name, seed));
  const double bound = std::sqrt(6.0 / static_cast<double>(d_model + width));
  Mat<float> W(d_model, width);
  for (Index k = 0; k < W.size(); ++k) W.data()[k] = static_cast<float>(bound * (2 * random.uniform() - 1));
  return share(std::move(W));
}

// Blocks of d_k columns, `from` of them, as `to`: repeated, or the means of groups. Both divide the number of heads.
Mat<float> regrouped(const Mat<float>& blocks, Index heads, Index from, Index to) {
  const Index d_k = blocks.cols() / from, group = heads / to;
  Mat<double> sums = Mat<double>::Zero(blocks.rows(), to * d_k);
  for (Index h = 0; h < heads; ++h)
    sums.middleCols(kv_head_of(h, heads, to) * d_k, d_k) +=
        blocks.middleCols(kv_head_of(h, heads, from) * d_k, d_k).cast<double>();
  return (sums / static_cast<double>(group)).cast<float>();
}

// What the mean of each group must be multiplied with to have the size of its blocks again; 1 where it is 0.
void keep_norms(const Mat<float>& blocks, Index heads, Mat<float>& means, Index d_k) {
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

}  // namespace

AttentionWeights<float> initial_weights(Index d_model, Init init, std::uint64_t seed, Index kv_width) {
  if (kv_width == 0) kv_width = d_model;
  AttentionWeights<float> weights;
  weights.W_Q = initial_matrix(d_model, d_model, init, seed, "W_Q");
  weights.W_K = initial_matrix(d_model, kv_width, init, seed, "W_K");
  weights.W_V = initial_matrix(d_model, kv_width, init, seed, "W_V");
  weights.W_O = initial_matrix(d_model, d_model, init, seed, "W_O");
  return weights;
}

AttentionWeights<float> with_kv_heads(const AttentionWeights<float>& weights, Index heads, Index kv_heads,
                                      bool keep_norm) {
  const Index d_k = weights.W_Q->cols() / heads, from = weights.W_K->cols() / d_k;
  AttentionWeights<float> changed = weights;
  if (from == kv_heads) return changed;
  Mat<float> W_K = regrouped(*weights.W_K, heads, from, kv_heads);
  if (keep_norm && kv_heads < from) keep_norms(*weights.W_K, heads, W_K, d_k);
  changed.W_K = share(std::move(W_K));
  changed.W_V = share(regrouped(*weights.W_V, heads, from, kv_heads));
  for (RowVecPtr<float>* b : {&changed.b_K, &changed.b_V})
    if (*b) *b = share(RowVec<float>(regrouped(**b, heads, from, kv_heads)));
  return changed;
}

}  // namespace hydra
