#include "core/linalg/matmul.h"

#include <algorithm>
#include <cassert>
#include <type_traits>
#include <vector>

#include "core/linalg/fours.h"
#include "core/linalg/kernels/kernels.h"

namespace hydra {

namespace {

thread_local std::int64_t done = 0;  // of this thread: not shared, so counting costs nothing

template <class S>
inline constexpr bool kByKernels = std::is_same_v<S, float>;

// What is asked of a product beside its factors: by B^T, added to what stands there, times a number.
template <class S>
struct Asked {
  bool transposed = false, add = false;
  S scale = 1;
};

void multiply_standing(MatIn<float> A, const float* B, Index B_stride, const Asked<float>& asked, MatOut<float> out) {
  kernels::Product product;
  product.m = out.rows();
  product.n = out.cols();
  product.k = A.cols();
  product.A = A.data();
  product.A_stride = A.outerStride();
  product.B = B;
  product.B_stride = B_stride;
  product.out = out.data();
  product.out_stride = out.outerStride();
  product.transposed = asked.transposed, product.add = asked.add, product.scale = asked.scale;
  kernels::chosen().product(product);
}
template <class S>
void multiply_standing(MatIn<S> A, const S* B, Index B_stride, const Asked<S>& asked, MatOut<S> out) {
  const Index rows = asked.transposed ? out.cols() : A.cols(), cols = asked.transposed ? A.cols() : out.cols();
  const Eigen::Map<const Mat<S>, 0, Eigen::OuterStride<>> factor(B, rows, cols, Eigen::OuterStride<>(B_stride));
  if (asked.transposed)
    out.noalias() = asked.scale * A * factor.transpose();
  else if (asked.add)
    out.noalias() += A * factor;
  else
    out.noalias() = A * factor;
}

// Lines of B (Elsewhere) by pieces that stay in the second-level cache, as deep as a kernel's panels. In the order of
// k, each from the sums before it on.
void multiply_converted(MatIn<float> A, const Factor<float>& B, const Asked<float>& asked, MatOut<float> out) {
  constexpr Index kDepth = 192, kRoom = 192 * 128, kWidest = 2048;
  const Elsewhere<float>& from = *B.elsewhere();
  const bool lines_are_columns = from.is_transposed() != asked.transposed;  // of the product
  const Factor<float>::Lines at = B.lines();
  const Index n = out.cols(), k = A.cols();
  thread_local std::vector<float> room;  // kept, like that of multiply_columns
  room.resize(kRoom);
  const Index width = std::min(n, A.rows() == 1 && !lines_are_columns ? kWidest : kRoom / kDepth);
  const Index depth = std::min(kDepth, kRoom / std::max<Index>(1, width));
  for (Index j = 0; j < n; j += width)
    for (Index l = 0; l < k; l += depth) {
      const Index cols = std::min(width, n - j), rows = std::min(depth, k - l);
      const Index lines = lines_are_columns ? cols : rows, along = lines_are_columns ? rows : cols;
      from.convert(at.first + (lines_are_columns ? j : l), at.from + (lines_are_columns ? l : j),
                   Eigen::Map<Mat<float>>(room.data(), lines, along));
      multiply_standing(A.middleCols(l, rows), room.data(), along,
                        {lines_are_columns, asked.add || l > 0, l + rows == k ? asked.scale : 1},
                        out.middleCols(j, cols));
    }
  if (k == 0) out.setZero();
}

template <class S>
void multiply_by(MatIn<S> A, const Factor<S>& B, const Asked<S>& asked, MatOut<S> out) {
  done += out.size() * A.cols();
  const Elsewhere<S>* from = B.elsewhere();
  if (!from) return multiply_standing(A, B.values().data(), B.values().outerStride(), asked, out);
  if constexpr (kByKernels<S>) {
    const S* lines = from->lines();
    if (!lines) return multiply_converted(A, B, asked, out);
    const typename Factor<S>::Lines at = B.lines();
    multiply_standing(A, lines + at.first * from->length() + at.from, from->length(),
                      {from->is_transposed() != asked.transposed, asked.add, asked.scale}, out);
  }
}

// The parts from the k-th on whose columns follow each other.
template <class S>
std::size_t neighbours(std::span<const ColumnsOut<S>> parts, std::size_t k, Index width) {
  std::size_t end = k + 1;
  while (end < parts.size() && parts[end].first == parts[end - 1].first + width) ++end;
  return end - k;
}

// The part's columns of rows that stand `stride` apart.
template <class S>
void put_columns(const S* from, Index stride, Index rows, Index width, const ColumnsOut<S>& part) {
  for_fours(width, [&]<int COUNT>(Index first, std::integral_constant<int, COUNT>) {
    const S* in = from + first;
    S* out = part.out + first;
    if (!part.bias) {
      for (Index i = 0; i < rows; ++i) put_few<S, COUNT>(few_at<S, COUNT>(in + i * stride), out + i * width);
      return;
    }
    const auto bias = few_at<S, COUNT>(part.bias + first);
    for (Index i = 0; i < rows; ++i) put_few<S, COUNT>(few_at<S, COUNT>(in + i * stride) + bias, out + i * width);
  });
}

}  // namespace

std::int64_t multiply_adds_done() { return done; }

template <class S>
void multiply(MatIn<S> A, const Factor<S>& B, MatOut<S> out) {
  assert(A.cols() == B.rows() && out.rows() == A.rows() && out.cols() == B.cols());
  multiply_by<S>(A, B, {}, out);
}

template <class S>
void multiply_columns(MatIn<S> A, const Factor<S>& B, Index width, std::span<const ColumnsOut<S>> parts) {
  const Index rows = A.rows();
  if constexpr (!kByKernels<S>) {
    for (const ColumnsOut<S>& part : parts) {
      multiply<S>(A, B.columns(part.first, width), Eigen::Map<Mat<S>>(part.out, rows, width));
      if (part.bias) put_columns<S>(part.out, width, rows, width, part);
    }
    return;
  }
  thread_local std::vector<S> room;  // kept: allocating takes longer than a short product
  for (std::size_t k = 0, count = 0; k < parts.size(); k += count) {
    count = neighbours(parts, k, width);
    const Index cols = static_cast<Index>(count) * width;
    if (static_cast<Index>(room.size()) < rows * cols) room.resize(static_cast<std::size_t>(rows * cols));
    multiply<S>(A, B.columns(parts[k].first, cols), Eigen::Map<Mat<S>>(room.data(), rows, cols));
    for (std::size_t p = 0; p < count; ++p)
      put_columns<S>(room.data() + static_cast<Index>(p) * width, cols, rows, width, parts[k + p]);
  }
}

template <class S>
void multiply_transposed(MatIn<S> A, const Factor<S>& B, S scale, MatOut<S> out) {
  assert(A.cols() == B.cols() && out.rows() == A.rows() && out.cols() == B.rows());
  multiply_by<S>(A, B, {.transposed = true, .scale = scale}, out);
}

template <class S>
void add_product(MatIn<S> A, MatIn<S> B, MatOut<S> out) {
  assert(A.cols() == B.rows() && out.rows() == A.rows() && out.cols() == B.cols());
  multiply_by<S>(A, B, {.add = true}, out);
}

template void multiply<float>(MatIn<float>, const Factor<float>&, MatOut<float>);
template void multiply<double>(MatIn<double>, const Factor<double>&, MatOut<double>);
template void multiply_columns<float>(MatIn<float>, const Factor<float>&, Index, std::span<const ColumnsOut<float>>);
template void multiply_columns<double>(MatIn<double>, const Factor<double>&, Index,
                                       std::span<const ColumnsOut<double>>);
template void multiply_transposed<float>(MatIn<float>, const Factor<float>&, float, MatOut<float>);
template void multiply_transposed<double>(MatIn<double>, const Factor<double>&, double, MatOut<double>);
template void add_product<float>(MatIn<float>, MatIn<float>, MatOut<float>);
template void add_product<double>(MatIn<double>, MatIn<double>, MatOut<double>);

}  // namespace hydra
