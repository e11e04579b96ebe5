#include "core/ops/softmax.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <type_traits>

#include "core/linalg/kernels/kernels.h"

namespace hydra::softmax {

template <class S>
S exponentials(S* scores, Index count, S top) {
  if constexpr (std::is_same_v<S, float>) return kernels::chosen().exponentials(scores, count, top);
  S sum = 0;
  for (Index j = 0; j < count; ++j) sum += scores[j] = std::exp(scores[j] - top);
  return sum;
}

template <class S>
void forward(MatIn<S> scores, MatOut<S> out, std::optional<S> sink, Index parts) {
  assert(scores.rows() == out.rows() && scores.cols() == out.cols() && scores.cols() % parts == 0);
  if (const Index width = scores.cols() / parts; parts > 1) {
    for (Index k = 0; k < parts; ++k)
      forward<S>(scores.middleCols(k * width, width), out.middleCols(k * width, width), sink);
    return;
  }
  if constexpr (std::is_same_v<S, float>)
    if (!sink)
      return kernels::chosen().softmax(scores.data(), scores.outerStride(), out.data(), out.outerStride(),
                                       scores.rows(), scores.cols());
  constexpr S masked = -std::numeric_limits<S>::infinity();
  for (Index i = 0; i < scores.rows(); ++i) {
    S top = sink.value_or(masked);
    for (Index j = 0; j < scores.cols(); ++j) top = std::max(top, scores(i, j));
    if (top == masked) top = 0;
    out.row(i) = scores.row(i);
    S sum = exponentials<S>(out.row(i).data(), out.cols(), top);
    if (sink) sum += std::exp(*sink - top);
    out.row(i) /= sum == 0 ? 1 : sum;  // a NaN or +inf makes the sum NaN, and that the row; that of a masked row is 0
  }
}

template <class S>
void grad(MatIn<S> A, MatIn<S> dA, MatOut<S> dS, Index parts) {
  const Index width = A.cols() / parts;
  for (Index i = 0; i < A.rows(); ++i)
    for (Index k = 0; k < parts; ++k) {
      const auto part = [&](auto& matrix) { return matrix.row(i).segment(k * width, width); };
      const S mean = part(A).dot(part(dA));
      part(dS).array() = part(A).array() * (part(dA).array() - mean);
    }
}

template <class S>
S grad_sink(MatIn<S> A, MatIn<S> dA) {
  S sum = 0;
  for (Index i = 0; i < A.rows(); ++i) sum -= (1 - A.row(i).sum()) * A.row(i).dot(dA.row(i));
  return sum;
}

template float exponentials<float>(float*, Index, float);
template double exponentials<double>(double*, Index, double);
template void forward<float>(MatIn<float>, MatOut<float>, std::optional<float>, Index);
template void forward<double>(MatIn<double>, MatOut<double>, std::optional<double>, Index);
template float grad_sink<float>(MatIn<float>, MatIn<float>);
template double grad_sink<double>(MatIn<double>, MatIn<double>);
template void grad<float>(MatIn<float>, MatIn<float>, MatOut<float>, Index);
template void grad<double>(MatIn<double>, MatIn<double>, MatOut<double>, Index);

}  // namespace hydra::softmax
