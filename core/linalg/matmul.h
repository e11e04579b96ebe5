// The products of attention. A few rows (a short sentence) are multiplied straight away, more of them by Eigen: on
// blocks of heads, where one side is d_k wide, it is as fast as OpenBLAS when built for AVX2 (75 of 80 GF/s a core).
// Which one is decided by the shapes alone, so the same call gives the same bits on every run and thread.
#pragma once
#include <cstdint>
#include <span>

#include "core/linalg/types.h"

namespace hydra {

// Multiply-adds of all products that this thread has done so far: what formulas for them are checked against.
std::int64_t multiply_adds_done();

// out [m x n] = A [m x k] * B [k x n]. out must not overlap A or B.
template <class S>
void multiply(MatIn<S> A, MatIn<S> B, MatOut<S> out);

// Up to this many rows of A, arranging B for a cache-blocked product, as Eigen does, costs more than it saves.
inline constexpr Index kFewRows = 16;

// Columns of a product, width of them from `first` on, in a place of their own [m x width], row after row.
template <class S>
struct ColumnsOut {
  Index first;
  S* out;
};
// Each as multiply gives it, to the bit. Of few rows neighbours that are narrow are made together: the columns of one
// head alone do not fill the registers.
template <class S>
void multiply_columns(MatIn<S> A, MatIn<S> B, Index width, std::span<const ColumnsOut<S>> parts);

// out [m x n] = scale * A [m x k] * B^T, B [n x k].
template <class S>
void multiply_transposed(MatIn<S> A, MatIn<S> B, S scale, MatOut<S> out);

// out [m x n] += A [m x k] * B [k x n].
template <class S>
void add_product(MatIn<S> A, MatIn<S> B, MatOut<S> out);

}  // namespace hydra
