#include "core/linalg/matmul.h"

#include <cassert>

namespace hydra {

namespace {

// Up to this many rows of A, arranging B for a cache-blocked product, as Eigen does, costs more than it saves.
constexpr Index kFewRows = 16;

template <class S>
inline constexpr Index kLanes = 32 / static_cast<Index>(sizeof(S));

// out[0..ROWS, 0..LANES] = A[0..ROWS, 0..k] * B[0..k, 0..LANES], the sums kept in registers. LANES is a multiple of
// kLanes. Every number is summed in the order of k.
template <class S, int ROWS, Index LANES>
void multiply_tile(const S* A, Index A_stride, const S* B, Index B_stride, Index k, S* out, Index out_stride) {
  using Lanes [[gnu::vector_size(32), gnu::aligned(sizeof(S)), gnu::may_alias]] = S;  // may start anywhere
  constexpr int PARTS = static_cast<int>(LANES / kLanes<S>);
  Lanes sums[ROWS][PARTS] = {};
  for (Index l = 0; l < k; ++l) {
    const auto* b = reinterpret_cast<const Lanes*>(B + l * B_stride);
    for (int i = 0; i < ROWS; ++i)
      for (int p = 0; p < PARTS; ++p) sums[i][p] += A[i * A_stride + l] * b[p];
  }
  for (int i = 0; i < ROWS; ++i)
    for (int p = 0; p < PARTS; ++p) reinterpret_cast<Lanes*>(out + i * out_stride)[p] = sums[i][p];
}

// The same for the whole width of B: wide tiles, a narrow one, single columns.
template <class S, int ROWS>
void multiply_rows(const S* A, Index A_stride, MatIn<S> B, S* out, Index out_stride) {
  const Index k = B.rows(), n = B.cols();
  const S* b = B.data();
  Index j = 0;
  for (; j + 2 * kLanes<S> <= n; j += 2 * kLanes<S>)
    multiply_tile<S, ROWS, 2 * kLanes<S>>(A, A_stride, b + j, B.outerStride(), k, out + j, out_stride);
  for (; j + kLanes<S> <= n; j += kLanes<S>)
    multiply_tile<S, ROWS, kLanes<S>>(A, A_stride, b + j, B.outerStride(), k, out + j, out_stride);
  for (; j < n; ++j)
    for (int i = 0; i < ROWS; ++i) {
      S sum = 0;
      for (Index l = 0; l < k; ++l) sum += A[i * A_stride + l] * b[l * B.outerStride() + j];
      out[i * out_stride + j] = sum;
    }
}

template <class S>
void multiply_few_rows(MatIn<S> A, MatIn<S> B, MatOut<S>& out) {
  const Index a = A.outerStride(), o = out.outerStride();
  Index i = 0;
  for (; i + 6 <= A.rows(); i += 6) multiply_rows<S, 6>(A.data() + i * a, a, B, out.data() + i * o, o);
  for (; i + 3 <= A.rows(); i += 3) multiply_rows<S, 3>(A.data() + i * a, a, B, out.data() + i * o, o);
  for (; i < A.rows(); ++i) multiply_rows<S, 1>(A.data() + i * a, a, B, out.data() + i * o, o);
}

}  // namespace

template <class S>
void multiply(MatIn<S> A, MatIn<S> B, MatOut<S> out) {
  assert(A.cols() == B.rows() && out.rows() == A.rows() && out.cols() == B.cols());
  if (A.rows() <= kFewRows) return multiply_few_rows<S>(A, B, out);
  out.noalias() = A * B;
}

template <class S>
void multiply_transposed(MatIn<S> A, MatIn<S> B, S scale, MatOut<S> out) {
  assert(A.cols() == B.cols() && out.rows() == A.rows() && out.cols() == B.rows());
  if (A.rows() <= kFewRows) {
    const Mat<S> B_transposed = B.transpose();
    multiply_few_rows<S>(A, B_transposed, out);
    out *= scale;
  } else {
    out.noalias() = scale * A * B.transpose();
  }
}

template void multiply<float>(MatIn<float>, MatIn<float>, MatOut<float>);
template void multiply<double>(MatIn<double>, MatIn<double>, MatOut<double>);
template void multiply_transposed<float>(MatIn<float>, MatIn<float>, float, MatOut<float>);
template void multiply_transposed<double>(MatIn<double>, MatIn<double>, double, MatOut<double>);

}  // namespace hydra
