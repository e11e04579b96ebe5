// The products of attention: in single precision by the kernels for this processor (kernels/kernels.h), in double,
// which is for tests, by Eigen. In single precision every number is one sum in the order of k, so its bits depend on
// its row of A and its column of B alone: not on what is computed with it, where it stands in memory or in a file, or by
// which thread.
#pragma once
#include <cstdint>
#include <span>

#include "core/linalg/factor.h"

namespace hydra {

// Multiply-adds of all products that this thread has done so far: what formulas for them are checked against.
std::int64_t multiply_adds_done();

// out [m x n] = A [m x k] * B [k x n]. out must not overlap A or B.
template <class S>
void multiply(MatIn<S> A, const Factor<S>& B, MatOut<S> out);

// Up to this many rows of A, narrow products side by side are best made together: multiply_columns.
inline constexpr Index kFewRows = 16;

// Columns of a product, width of them from `first` on, in a place of their own [m x width], row after row; bias
// [width], if there is one, is added to each row.
template <class S>
struct ColumnsOut {
  Index first;
  S* out;
  const S* bias = nullptr;
};
// Each as multiply and a sum give it, to the bit. Neighbours are made together: the columns of one narrow head do not
// fill the registers.
template <class S>
void multiply_columns(MatIn<S> A, const Factor<S>& B, Index width, std::span<const ColumnsOut<S>> parts);

// out [m x n] = scale * A [m x k] * B^T, B [n x k].
template <class S>
void multiply_transposed(MatIn<S> A, const Factor<S>& B, S scale, MatOut<S> out);

// out [m x n] += A [m x k] * B [k x n].
template <class S>
void add_product(MatIn<S> A, MatIn<S> B, MatOut<S> out);

}  // namespace hydra
