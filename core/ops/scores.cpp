#include "core/ops/scores.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/linalg/matmul.h"

namespace hydra::scores {

double Slope::value() const { return std::exp2(-8 * static_cast<double>(step) / static_cast<double>(of)); }

Slope slope_of(Index head, Index heads, AlibiSlopes slopes) {
  if (slopes == AlibiSlopes::geometric) return {head + 1, heads};
  const auto power = static_cast<Index>(std::bit_floor(static_cast<std::uint64_t>(heads)));
  return head < power ? Slope{head + 1, power} : Slope{2 * (head - power) + 1, 2 * power};
}

double slope_of(const LayerSettings& settings, Index head, Index heads) {
  return settings.alibi ? slope_of(head, heads, settings.alibi_slopes).value() : 0;
}

Index keys_to_visit(const Mask& mask, Index row, Index rows, Index n) {
  return mask.kind == Mask::Kind::causal ? std::min(row + rows, n) : n;
}

template <class S>
void forward(MatIn<S> Q, MatIn<S> K, const Rule<S>& rule, const Mask& mask, Index first_query, MatOut<S> scores,
             Index first_key) {
  const Index last = keys_to_visit(mask, first_query, Q.rows(), first_key + K.rows());
  const Index keys = std::clamp<Index>(last - first_key, 0, K.rows());
  multiply_transposed<S>(Q, K.topRows(keys), rule.factor, scores.leftCols(keys));
  if (rule.cap != 0)
    for (Index i = 0; i < scores.rows(); ++i)
      for (Index j = 0; j < keys; ++j) {
        const auto cap = static_cast<double>(rule.cap);
        scores(i, j) = static_cast<S>(cap * std::tanh(static_cast<double>(scores(i, j)) / cap));
      }
  if (rule.slope != 0)
    for (Index i = 0; i < scores.rows(); ++i)
      for (Index j = 0; j < keys; ++j) scores(i, j) -= rule.slope * static_cast<S>(first_query + i - first_key - j);
  if (rule.biases)
    for (Index i = 0; i < scores.rows(); ++i)
      for (Index j = 0; j < keys; ++j)
        scores(i, j) += rule.biases[place_of_offset(first_key + j - first_query - i, rule.reach)];
  if (keys < K.rows()) scores.rightCols(K.rows() - keys).setConstant(-std::numeric_limits<S>::infinity());
  apply_mask<S>(mask, first_query, scores, first_key);
}

template <class S>
void grad_Q(MatIn<S> K, S factor, MatIn<S> dS, MatOut<S> dQ) {
  dQ.noalias() += factor * (dS * K);
}

template <class S>
void grad_cap(MatIn<S> scores, const Rule<S>& rule, Index first_query, MatOut<S> dS) {
  if (rule.cap == 0) return;
  for (Index i = 0; i < dS.rows(); ++i)
    for (Index j = 0; j < dS.cols(); ++j) {
      S capped = scores(i, j) + rule.slope * static_cast<S>(first_query + i - j);
      if (rule.biases) capped -= rule.biases[place_of_offset(j - first_query - i, rule.reach)];
      const S share = std::isfinite(capped) ? capped / rule.cap : S(0);
      dS(i, j) *= 1 - share * share;
    }
}

template <class S>
void grad_K(MatIn<S> Q, S factor, MatIn<S> dS, MatOut<S> dK) {
  dK.noalias() += factor * (dS.transpose() * Q);
}

template <class S>
void grad_biases(MatIn<S> dS, Index first_query, MatOut<S> dB) {
  for (Index i = 0; i < dS.rows(); ++i)
    for (Index j = 0; j < dS.cols(); ++j) dB(0, place_of_offset(j - first_query - i, dB.cols() / 2)) += dS(i, j);
}

#define HYDRA_SCORES(S)                                                                               \
  template void forward<S>(MatIn<S>, MatIn<S>, const Rule<S>&, const Mask&, Index, MatOut<S>, Index); \
  template void grad_cap<S>(MatIn<S>, const Rule<S>&, Index, MatOut<S>);                              \
  template void grad_Q<S>(MatIn<S>, S, MatIn<S>, MatOut<S>);                                          \
  template void grad_K<S>(MatIn<S>, S, MatIn<S>, MatOut<S>);                                          \
  template void grad_biases<S>(MatIn<S>, Index, MatOut<S>);
HYDRA_SCORES(float)
HYDRA_SCORES(double)
#undef HYDRA_SCORES

}  // namespace hydra::scores
