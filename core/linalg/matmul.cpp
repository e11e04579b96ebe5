#include "core/linalg/matmul.h"

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

kernels::Product product_of(MatIn<float> A, MatIn<float> B, MatOut<float>& out) {
  kernels::Product product;
  product.m = out.rows();
  product.n = out.cols();
  product.k = A.cols();
  product.A = A.data();
  product.A_stride = A.outerStride();
  product.B = B.data();
  product.B_stride = B.outerStride();
  product.out = out.data();
  product.out_stride = out.outerStride();
  return product;
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
void multiply(MatIn<S> A, MatIn<S> B, MatOut<S> out) {
  assert(A.cols() == B.rows() && out.rows() == A.rows() && out.cols() == B.cols());
  done += out.size() * A.cols();
  if constexpr (kByKernels<S>)
    kernels::chosen().product(product_of(A, B, out));
  else
    out.noalias() = A * B;
}

template <class S>
void multiply_columns(MatIn<S> A, MatIn<S> B, Index width, std::span<const ColumnsOut<S>> parts) {
  const Index rows = A.rows();
  if constexpr (!kByKernels<S>) {
    for (const ColumnsOut<S>& part : parts) {
      multiply<S>(A, B.middleCols(part.first, width), Eigen::Map<Mat<S>>(part.out, rows, width));
      if (part.bias) put_columns<S>(part.out, width, rows, width, part);
    }
    return;
  }
  thread_local std::vector<S> room;  // kept: allocating takes longer than a short product
  for (std::size_t k = 0, count = 0; k < parts.size(); k += count) {
    count = neighbours(parts, k, width);
    const Index cols = static_cast<Index>(count) * width;
    if (static_cast<Index>(room.size()) < rows * cols) room.resize(static_cast<std::size_t>(rows * cols));
    multiply<S>(A, B.middleCols(parts[k].first, cols), Eigen::Map<Mat<S>>(room.data(), rows, cols));
    for (std::size_t p = 0; p < count; ++p)
      put_columns<S>(room.data() + static_cast<Index>(p) * width, cols, rows, width, parts[k + p]);
  }
}

template <class S>
void multiply_transposed(MatIn<S> A, MatIn<S> B, S scale, MatOut<S> out) {
  assert(A.cols() == B.cols() && out.rows() == A.rows() && out.cols() == B.rows());
  done += out.size() * A.cols();
  if constexpr (kByKernels<S>) {
    kernels::Product product = product_of(A, B, out);
    product.transposed = true;
    product.scale = scale;
    kernels::chosen().product(product);
  } else {
    out.noalias() = scale * A * B.transpose();
  }
}

template <class S>
void add_product(MatIn<S> A, MatIn<S> B, MatOut<S> out) {
  assert(A.cols() == B.rows() && out.rows() == A.rows() && out.cols() == B.cols());
  done += out.size() * A.cols();
  if constexpr (kByKernels<S>) {
    kernels::Product product = product_of(A, B, out);
    product.add = true;
    kernels::chosen().product(product);
  } else {
    out.noalias() += A * B;
  }
}

template void multiply<float>(MatIn<float>, MatIn<float>, MatOut<float>);
template void multiply<double>(MatIn<double>, MatIn<double>, MatOut<double>);
template void multiply_columns<float>(MatIn<float>, MatIn<float>, Index, std::span<const ColumnsOut<float>>);
template void multiply_columns<double>(MatIn<double>, MatIn<double>, Index, std::span<const ColumnsOut<double>>);
template void multiply_transposed<float>(MatIn<float>, MatIn<float>, float, MatOut<float>);
template void multiply_transposed<double>(MatIn<double>, MatIn<double>, double, MatOut<double>);
template void add_product<float>(MatIn<float>, MatIn<float>, MatOut<float>);
template void add_product<double>(MatIn<double>, MatIn<double>, MatOut<double>);

}  // namespace hydra
