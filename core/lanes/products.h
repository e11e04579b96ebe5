// Sums of products, in tiles that stay in registers. For the files that define Scalar and kLanes alone.
#pragma once
#include "core/lanes/registers.h"

namespace {

// Four rows at a time by so many columns: sums enough that none waits, registers left for what is multiplied.
constexpr int kTileRows = 4;
constexpr int kWeightColumns = kLanes == 16 ? 6 : 3;  // by a weight, which all lanes share
constexpr int kLaneColumns = kLanes == 16 ? 4 : 3;    // where each lane has numbers of its own
constexpr int kGradColumns = kLanes == 16 ? 4 : 2;    // of a weight's gradient

#define HYDRA_TILE HYDRA_UNROLLED for (int i = 0; i < ROWS; ++i) HYDRA_UNROLLED for (int j = 0; j < COLS; ++j)

// --- by weights: out = X W, with any strides of W --------------------------------------------------------------------

struct ByWeights {
  const Register* X;
  Size X_stride;
  const Scalar* W;
  Size W_row, W_col;
  const Scalar* bias;    // or null
  const Register* plus;  // or null; may be out
  Size plus_stride;
  Register* out;
  Size out_stride;
  Size rows, depth, cols;
};

template <int ROWS, int COLS>
[[gnu::noinline]] void tile_by_weights(const ByWeights& p, Size row, Size col) {
  Register sums[ROWS][COLS];
  HYDRA_TILE {
    sums[i][j] = p.plus ? p.plus[(row + i) * p.plus_stride + col + j] : Register{};
    if (p.bias) sums[i][j] += p.bias[col + j];
  }
  const Register* X = p.X + row * p.X_stride;
  const Scalar* W = p.W + col * p.W_col;
  const Size X_stride = p.X_stride, W_col = p.W_col, W_row = p.W_row;
  for (Size l = 0; l < p.depth; ++l, W += W_row) {
    // Of the two that are multiplied the fewer are held, and of the others one at a time.
    if constexpr (ROWS <= COLS) {
      Register x[ROWS];
      HYDRA_UNROLLED for (int i = 0; i < ROWS; ++i) x[i] = X[i * X_stride + l];
      HYDRA_UNROLLED for (int j = 0; j < COLS; ++j) {
        const Register w = all(W[j * W_col]);
        HYDRA_UNROLLED for (int i = 0; i < ROWS; ++i) sums[i][j] += x[i] * w;
      }
    } else {
      Register w[COLS];
      HYDRA_UNROLLED for (int j = 0; j < COLS; ++j) w[j] = all(W[j * W_col]);
      HYDRA_UNROLLED for (int i = 0; i < ROWS; ++i) {
        const Register x = X[i * X_stride + l];
        HYDRA_UNROLLED for (int j = 0; j < COLS; ++j) sums[i][j] += x * w[j];
      }
    }
  }
  HYDRA_TILE p.out[(row + i) * p.out_stride + col + j] = sums[i][j];
}

template <int COLS>
void columns_by_weights(const ByWeights& p, Size col) {
  Size row = 0;
  for (; row + 4 <= p.rows; row += 4) tile_by_weights<4, COLS>(p, row, col);
  if (row + 2 <= p.rows) tile_by_weights<2, COLS>(p, row, col), row += 2;
  if (row < p.rows) tile_by_weights<1, COLS>(p, row, col);
}

inline void multiply_by_weights(const ByWeights& p) {
  Size col = 0;
  for (; col + kWeightColumns <= p.cols; col += kWeightColumns) columns_by_weights<kWeightColumns>(p, col);
  switch (p.cols - col) {
    case 5:
      columns_by_weights<5>(p, col);
      break;
    case 4:
      columns_by_weights<4>(p, col);
      break;
    case 3:
      columns_by_weights<3>(p, col);
      break;
    case 2:
      columns_by_weights<2>(p, col);
      break;
    case 1:
      columns_by_weights<1>(p, col);
      break;
    default:
      break;
  }
}

// --- a weight's gradient: the sum of X^T dY over rows and lanes ------------------------------------------------------

struct GradWeights {
  const Register* X;
  Size X_stride;
  const Register* dY;
  Size dY_stride;
  Scalar* dW;
  Size W_row, W_col;
  Size rows, depth, cols;  // of X, of W, of W
};

// Of a whole tile what is read and written stands close together; beyond the last row or column of W the last one is
// summed again and left out.
template <bool WHOLE>
[[gnu::noinline]] void tile_grad_weights(const GradWeights& p, Size k, Size c) {
  constexpr int ROWS = 4, COLS = kGradColumns;
  Size at_x[ROWS], at_y[COLS];
  HYDRA_UNROLLED for (int i = 0; i < ROWS; ++i) at_x[i] = WHOLE || k + i < p.depth ? k + i : p.depth - 1;
  HYDRA_UNROLLED for (int j = 0; j < COLS; ++j) at_y[j] = WHOLE || c + j < p.cols ? c + j : p.cols - 1;
  Register sums[ROWS * COLS] = {};
  const Register *X = p.X, *dY = p.dY;
  for (Size row = 0; row < p.rows; ++row, X += p.X_stride, dY += p.dY_stride) {
    Register y[COLS];
    HYDRA_UNROLLED for (int j = 0; j < COLS; ++j) y[j] = dY[at_y[j]];
    HYDRA_UNROLLED for (int i = 0; i < ROWS; ++i) {
      const Register x = X[at_x[i]];
      HYDRA_UNROLLED for (int j = 0; j < COLS; ++j) sums[i * COLS + j] += x * y[j];
    }
  }
  Scalar folded[ROWS * COLS];
  HYDRA_UNROLLED for (int part = 0; part < ROWS * COLS; part += kLanes) {
    const Register sum = sums_of(sums + part);
    __builtin_memcpy(folded + part, &sum, sizeof sum);
  }
  Scalar* dW = p.dW + k * p.W_row + c * p.W_col;
  if (WHOLE && p.W_col == 1) {
    using Few [[gnu::vector_size(sizeof(Scalar) * COLS)]] = Scalar;
    HYDRA_UNROLLED for (int i = 0; i < ROWS; ++i) {
      Few there, more;
      __builtin_memcpy(&there, dW + i * p.W_row, sizeof there);
      __builtin_memcpy(&more, folded + i * COLS, sizeof more);
      there += more;
      __builtin_memcpy(dW + i * p.W_row, &there, sizeof there);
    }
    return;
  }
  for (int i = 0; i < ROWS && k + i < p.depth; ++i)
    for (int j = 0; j < COLS && c + j < p.cols; ++j) dW[i * p.W_row + j * p.W_col] += folded[i * COLS + j];
}

inline void add_grad_weights(const GradWeights& p) {
  for (Size k = 0; k < p.depth; k += 4)
    for (Size c = 0; c < p.cols; c += kGradColumns)
      if (k + 4 <= p.depth && c + kGradColumns <= p.cols)
        tile_grad_weights<true>(p, k, c);
      else
        tile_grad_weights<false>(p, k, c);
}

// db += the sum of dY over rows and lanes.
inline void add_grad_row(const Register* dY, Size stride, Size rows, Size cols, Scalar* db) {
  for (Size c = 0; c < cols; c += kLanes) {
    Register sums[kLanes] = {};
    const Size count = cols - c < kLanes ? cols - c : kLanes;
    for (Size row = 0; row < rows; ++row)
      for (Size j = 0; j < count; ++j) sums[j] += dY[row * stride + c + j];
    const Register folded = sums_of(sums);
    for (Size j = 0; j < count; ++j) db[c + j] += folded[j];
  }
}

// --- lane by lane: out(i, j) = factor times the sum over l of A(i, l) B(l, j) ----------------------------------------

// What of a causal pattern there is to do.
enum class Bounds {
  all,
  to_row,    // columns up to the row
  sum_to,    // sums up to the row
  sum_from,  // sums from the row on
};

struct ByLanes {
  const Register* A;
  Size A_row, A_step;
  const Register* B;
  Size B_step, B_col;
  Register* out;
  Size out_row, out_col;
  Size rows, depth, cols;
  Bounds bounds = Bounds::all;
  Scalar factor = 1;
  bool adds = false;  // to what stands in out
};

// A tile's rows go as far as its last row does: what a mask hides is 0 in them.
template <int ROWS, int COLS>
inline void tile_by_lanes(const ByLanes& p, Size row, Size col) {
  const Size first = p.bounds == Bounds::sum_from ? row : 0;
  const Size end = p.bounds == Bounds::sum_to ? row + ROWS : p.depth;
  Register sums[ROWS][COLS] = {};
  const Register *A = p.A + row * p.A_row + first * p.A_step, *B = p.B + col * p.B_col + first * p.B_step;
  const Size A_row = p.A_row, B_col = p.B_col;
  for (Size l = first; l < end; ++l, A += p.A_step, B += p.B_step) {
    Register b[COLS];
    HYDRA_UNROLLED for (int j = 0; j < COLS; ++j) b[j] = B[j * B_col];
    HYDRA_UNROLLED for (int i = 0; i < ROWS; ++i) {
      const Register a = A[i * A_row];
      HYDRA_UNROLLED for (int j = 0; j < COLS; ++j) sums[i][j] += a * b[j];
    }
  }
  Register* out = p.out + row * p.out_row + col * p.out_col;
  HYDRA_TILE {
    Register& to = out[i * p.out_row + j * p.out_col];
    to = p.adds ? to + sums[i][j] * p.factor : sums[i][j] * p.factor;
  }
}

template <int ROWS>
void rows_by_lanes(const ByLanes& p, Size row) {
  const Size cols = p.bounds == Bounds::to_row ? row + ROWS : p.cols;
  Size col = 0;
  for (; col + kLaneColumns <= cols; col += kLaneColumns) tile_by_lanes<ROWS, kLaneColumns>(p, row, col);
  if constexpr (kLaneColumns > 3)
    if (col + 3 <= cols) tile_by_lanes<ROWS, 3>(p, row, col), col += 3;
  if (col + 2 <= cols) tile_by_lanes<ROWS, 2>(p, row, col), col += 2;
  if (col < cols) tile_by_lanes<ROWS, 1>(p, row, col);
}

inline void multiply_by_lanes(const ByLanes& p) {
  Size row = 0;
  for (; row + 4 <= p.rows; row += 4) rows_by_lanes<4>(p, row);
  for (; row < p.rows; ++row) rows_by_lanes<1>(p, row);
}

#undef HYDRA_TILE

}  // namespace
