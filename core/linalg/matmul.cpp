#include "core/linalg/matmul.h"

#include <array>
#include <cassert>
#include <vector>

namespace hydra {

namespace {

thread_local std::int64_t done = 0;  // of this thread: not shared, so counting costs nothing

template <class S>
inline constexpr Index kLanes = 32 / static_cast<Index>(sizeof(S));

// Where the kLanes columns of each part of a tile begin.
template <class S, Index LANES>
using Parts = std::array<S*, static_cast<std::size_t>(LANES / kLanes<S>)>;

// out[0..ROWS, 0..LANES] = A[0..ROWS, 0..k] * B[0..k, 0..LANES], the sums kept in registers. LANES is a multiple of
// kLanes, k is not 0: were it allowed to be, the sums would go through memory. Every number is summed in the order of
// k.
template <class S, int ROWS, Index LANES>
void multiply_tile(const S* A, Index A_stride, const S* B, Index B_stride, Index k, const Parts<S, LANES> out,
                   Index out_stride) {
  using Lanes [[gnu::vector_size(32), gnu::aligned(sizeof(S)), gnu::may_alias]] = S;  // may start anywhere
  constexpr int PARTS = static_cast<int>(LANES / kLanes<S>);
  Lanes sums[ROWS][PARTS];
  for (int i = 0; i < ROWS; ++i)
    for (int p = 0; p < PARTS; ++p) sums[i][p] = Lanes{};
  Index l = 0;
  do {
    const auto* b = reinterpret_cast<const Lanes*>(B + l * B_stride);
    for (int i = 0; i < ROWS; ++i)
      for (int p = 0; p < PARTS; ++p) sums[i][p] += A[i * A_stride + l] * b[p];
  } while (++l < k);
  for (int i = 0; i < ROWS; ++i)
    for (int p = 0; p < PARTS; ++p)
      *reinterpret_cast<Lanes*>(out[static_cast<std::size_t>(p)] + i * out_stride) = sums[i][p];
}

// The columns j .. j + LANES of A B, in tiles of ROWS rows from row i on; returns the first row that is left. out: of
// row 0.
template <class S, int ROWS, Index LANES>
Index multiply_panel(MatIn<S> A, MatIn<S> B, Index j, Index i, const Parts<S, LANES>& out, Index out_stride) {
  for (; i + ROWS <= A.rows(); i += ROWS) {
    Parts<S, LANES> at = out;
    for (S*& part : at) part += i * out_stride;
    multiply_tile<S, ROWS, LANES>(A.data() + i * A.outerStride(), A.outerStride(), B.data() + j, B.outerStride(),
                                  A.cols(), at, out_stride);
  }
  return i;
}

template <Index LANES, class S>
Parts<S, LANES> parts_of(MatOut<S>& out, Index j) {
  Parts<S, LANES> parts;
  for (std::size_t p = 0; p < parts.size(); ++p) parts[p] = out.data() + j + static_cast<Index>(p) * kLanes<S>;
  return parts;
}

template <class S>
void multiply_wide_panel(MatIn<S> A, MatIn<S> B, Index j, const Parts<S, 2 * kLanes<S>>& out, Index out_stride) {
  constexpr Index wide = 2 * kLanes<S>;
  Index i = multiply_panel<S, 6, wide>(A, B, j, 0, out, out_stride);
  i = multiply_panel<S, 3, wide>(A, B, j, i, out, out_stride);
  multiply_panel<S, 1, wide>(A, B, j, i, out, out_stride);
}

// Wide panels, narrow ones, single columns. Twelve sums fit the registers of AVX2; fewer than eight would wait for each
// other.
template <class S>
void multiply_few_rows(MatIn<S> A, MatIn<S> B, MatOut<S>& out) {
  constexpr Index narrow = kLanes<S>, wide = 2 * narrow, widest = 8 * narrow;
  const Index stride = out.outerStride();
  Index j = 0;
  for (; A.rows() == 1 && j + widest <= B.cols(); j += widest)
    multiply_panel<S, 1, widest>(A, B, j, 0, parts_of<widest>(out, j), stride);
  for (; j + wide <= B.cols(); j += wide) multiply_wide_panel<S>(A, B, j, parts_of<wide>(out, j), stride);
  for (; j + narrow <= B.cols(); j += narrow) {
    const auto parts = parts_of<narrow>(out, j);
    Index i = multiply_panel<S, 12, narrow>(A, B, j, 0, parts, stride);
    i = multiply_panel<S, 4, narrow>(A, B, j, i, parts, stride);
    multiply_panel<S, 1, narrow>(A, B, j, i, parts, stride);
  }
  for (; j < B.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) {
      S sum = 0;
      for (Index l = 0; l < A.cols(); ++l) sum += A(i, l) * B(l, j);
      out(i, j) = sum;
    }
}

// B^T and the product stand in rooms of whole panels meanwhile, so that no column is left to be taken alone.
template <class S>
void multiply_transposed_few_rows(MatIn<S> A, MatIn<S> B, S scale, MatOut<S>& out) {
  constexpr Index narrow = kLanes<S>;
  const Index width = (B.rows() + narrow - 1) / narrow * narrow;
  thread_local std::vector<S> room;  // kept: allocating takes longer than a short product
  const auto size = static_cast<std::size_t>(width * (A.cols() + A.rows()));
  if (room.size() < size) room.resize(size);
  using Room = Eigen::Map<Mat<S>, Eigen::Unaligned, Eigen::OuterStride<>>;
  Room B_transposed(room.data(), A.cols(), width, Eigen::OuterStride<>(width));
  Room product(room.data() + A.cols() * width, A.rows(), width, Eigen::OuterStride<>(width));
  for (Index i = 0; i < B.rows(); ++i)  // by hand: rows this short are done before Eigen has looked at them
    for (Index l = 0; l < B.cols(); ++l) B_transposed(l, i) = B(i, l);
  B_transposed.rightCols(width - B.rows()).setZero();
  MatOut<S> padded = product;
  multiply_few_rows<S>(A, B_transposed, padded);
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j < B.rows(); ++j) out(i, j) = scale * product(i, j);
}

// Whether A's products are made of tiles, which need a depth.
template <class S>
bool goes_by_tiles(MatIn<S> A) {
  return A.rows() <= kFewRows && A.cols() > 0;
}

}  // namespace

std::int64_t multiply_adds_done() { return done; }

template <class S>
void multiply(MatIn<S> A, MatIn<S> B, MatOut<S> out) {
  assert(A.cols() == B.rows() && out.rows() == A.rows() && out.cols() == B.cols());
  done += out.size() * A.cols();
  if (goes_by_tiles<S>(A)) return multiply_few_rows<S>(A, B, out);
  out.noalias() = A * B;
}

template <class S>
void multiply_columns(MatIn<S> A, MatIn<S> B, Index width, std::span<const ColumnsOut<S>> parts) {
  const Index rows = A.rows();
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const bool pair = goes_by_tiles<S>(A) && width == kLanes<S> && k + 1 < parts.size() &&
                      parts[k + 1].first == parts[k].first + width;
    if (pair) {
      multiply_wide_panel<S>(A, B, parts[k].first, {parts[k].out, parts[k + 1].out}, width);
      done += 2 * rows * width * A.cols();
      ++k;
    } else {
      multiply<S>(A, B.middleCols(parts[k].first, width), Eigen::Map<Mat<S>>(parts[k].out, rows, width));
    }
  }
}

template <class S>
void multiply_transposed(MatIn<S> A, MatIn<S> B, S scale, MatOut<S> out) {
  assert(A.cols() == B.cols() && out.rows() == A.rows() && out.cols() == B.rows());
  done += out.size() * A.cols();
  if (A.rows() == 1 && B.rows() > 1) {  // along the rows of B as they stand in memory
    out.row(0).transpose().noalias() = scale * (B * A.row(0).transpose());
  } else if (goes_by_tiles<S>(A)) {
    multiply_transposed_few_rows<S>(A, B, scale, out);
  } else {
    out.noalias() = scale * A * B.transpose();
  }
}

template <class S>
void add_product(MatIn<S> A, MatIn<S> B, MatOut<S> out) {
  assert(A.cols() == B.rows() && out.rows() == A.rows() && out.cols() == B.cols());
  done += out.size() * A.cols();
  out.noalias() += A * B;
}

template void add_product<float>(MatIn<float>, MatIn<float>, MatOut<float>);
template void add_product<double>(MatIn<double>, MatIn<double>, MatOut<double>);
template void multiply<float>(MatIn<float>, MatIn<float>, MatOut<float>);
template void multiply<double>(MatIn<double>, MatIn<double>, MatOut<double>);
template void multiply_columns<float>(MatIn<float>, MatIn<float>, Index, std::span<const ColumnsOut<float>>);
template void multiply_columns<double>(MatIn<double>, MatIn<double>, Index, std::span<const ColumnsOut<double>>);
template void multiply_transposed<float>(MatIn<float>, MatIn<float>, float, MatOut<float>);
template void multiply_transposed<double>(MatIn<double>, MatIn<double>, double, MatOut<double>);

}  // namespace hydra
