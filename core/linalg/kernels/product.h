// Products in tiles whose sums stay in registers. For set.cpp alone, like lanes.h.
//
// B is taken in panels: as many columns as a tile has, as many rows as stay in the nearest cache. A panel is copied to
// one place, row after row, and every tile of rows of A meets it there; A is read where it stands. Where a panel does
// not reach the end of k, the next one goes on from the sums in out: for a number it is one long sum.
#pragma once
#include "core/linalg/kernels/lanes.h"

namespace {

using hydra::kernels::Product;

// Tiles of so many rows by two registers: enough sums that none waits for another, and registers left for B.
constexpr int kWideRows = kLanes == 16 ? 8 : kLanes == 8 ? 6 : 4;
constexpr int kPanelColumns = 2 * kLanes;
constexpr int kLanesOfOneRow = kLanes < 8 ? 4 : 8;  // in eight registers, for the same reason
constexpr Size kPanelRows = 192;
constexpr Size kRowsAtATime = 256;    // of A, so that they stay in the second-level cache from panel to panel
constexpr Size kRowsWithoutCopy = 3;  // of A, for which copying a panel takes longer than reading it where it stands
constexpr Size kDeep = 32;  // rows of a panel that take so long that the lines of out, asked for before, come meanwhile
constexpr Size kNear = 4096;  // numbers of B, from its first row to its last, that stay in the nearest cache

struct Panel {
  const float* B;
  Size stride, rows;
  bool first, last;  // of those along k
};

// The panel of B that is copied after this one. The tiles of this one ask for its rows while they compute, each for
// some and these far apart, so that neither waits.
struct Ahead {
  const float* row;
  Size stride, left;  // rows
  Size every;         // so many steps along k one is asked for
  template <int WIDTH>
  void ask() {
    if (left-- <= 0) return;
    for (int c = 0; c < WIDTH; c += 16) __builtin_prefetch(row + c);
    row += stride;
  }
};

#define HYDRA_TILE \
  HYDRA_REGISTERS for (int i = 0; i < ROWS; ++i) HYDRA_REGISTERS for (int part = 0; part < PARTS; ++part)

// The tile of out that begins at `out`, by the rows that begin at A. A function of its own: among others the compiler
// would keep the places of A's rows in memory.
template <int ROWS, int PARTS, int LANES>
[[gnu::noinline]] void multiply_tile(const Product& p, const Panel& panel, const float* A, float* out, Size out_stride,
                                     Ahead& ahead) {
  Lanes<LANES> sums[ROWS][PARTS];
  const Size B_stride = panel.stride, A_stride = p.A_stride, depth = panel.rows;
  if (depth >= kDeep) {
    HYDRA_TILE __builtin_prefetch(out + i * out_stride + part * LANES, 1);  // else they come when the sums are there
  }
  if (panel.first && !p.add) {
    HYDRA_TILE sums[i][part] = Lanes<LANES>{};
  } else {
    HYDRA_TILE sums[i][part] = load<LANES>(out + i * out_stride + part * LANES);
  }
  const float* B = panel.B;
  Size l = 0;
  do {
    ahead.ask<PARTS * LANES>();
    const Size end = depth - l < ahead.every ? depth : l + ahead.every;
    do {
      Lanes<LANES> b[PARTS];
      HYDRA_REGISTERS for (int part = 0; part < PARTS; ++part) b[part] = load<LANES>(B + l * B_stride + part * LANES);
      HYDRA_TILE sums[i][part] += A[i * A_stride + l] * b[part];
    } while (++l < end);
  } while (l < depth);  // at least once: were it allowed to be none, the sums would go through memory
  if (panel.last && p.scale != 1) {
    HYDRA_TILE sums[i][part] *= p.scale;
  }
  HYDRA_TILE store(sums[i][part], out + i * out_stride + part * LANES);
}
#undef HYDRA_TILE

// Tiles of ROWS rows from i on, as many as fit; i becomes the first row that is left.
template <int ROWS, int PARTS, int LANES>
inline void multiply_tiles(const Product& p, const Panel& panel, const float* A, float* out, Size out_stride, Size end,
                           Ahead& ahead, Size& i) {
  for (; i + ROWS <= end; i += ROWS)
    multiply_tile<ROWS, PARTS, LANES>(p, panel, A + i * p.A_stride, out + i * out_stride, out_stride, ahead);
}

template <int PARTS, int LANES>
void multiply_panel(const Product& p, const Panel& panel, const float* A, float* out, Size out_stride, Size rows,
                    Ahead ahead) {
  Size i = 0;
  if constexpr (PARTS <= 2) {
    multiply_tiles<PARTS == 2 ? kWideRows : 8, PARTS, LANES>(p, panel, A, out, out_stride, rows, ahead, i);
    multiply_tiles<4, PARTS, LANES>(p, panel, A, out, out_stride, rows, ahead, i);
    multiply_tiles<2, PARTS, LANES>(p, panel, A, out, out_stride, rows, ahead, i);
  }
  multiply_tiles<1, PARTS, LANES>(p, panel, A, out, out_stride, rows, ahead, i);
}

// The columns j .. j + WIDTH of the rows l .. l + rows of B, row after row.
template <int WIDTH>
void copy_panel(const Product& p, Size j, Size l, Size rows, float* to) {
  constexpr int part = WIDTH < kLanes ? WIDTH : kLanes;
  if (!p.transposed) {
    const float* from = p.B + l * p.B_stride + j;
    for (Size k = 0; k < rows; ++k)
      for (int first = 0; first < WIDTH; first += part)
        store(load<part>(from + k * p.B_stride + first), to + k * WIDTH + first);
    return;
  }
  const float* from = p.B + j * p.B_stride + l;
  for (int column = 0; column < WIDTH; column += 4, from += 4 * p.B_stride, to += 4) {
    Size k = 0;
    for (; k + 4 <= rows; k += 4) {
      const Four columns = transposed(from + k, p.B_stride);
      for (int c = 0; c < 4; ++c) store(columns.row[c], to + (k + c) * WIDTH);
    }
    for (; k < rows; ++k)
      for (int c = 0; c < 4; ++c) to[k * WIDTH + c] = from[c * p.B_stride + k];
  }
}

// A part of the product: some rows of A, some of B.
struct Piece {
  Size row, rows, l, depth;
  float* room;
};

// Whether all of B stays where it was read once: nothing of it has to be asked for.
inline bool is_near(const Product& p) { return p.k * p.B_stride <= kNear; }

// What is copied next, when the panels before column j are done: beside them, or below.
inline Ahead ahead_of(const Product& p, const Piece& piece, Size j) {
  const Size tiles = (piece.rows + kWideRows - 1) / kWideRows, below = piece.l + piece.depth;
  if (p.transposed || (j == p.n && below == p.k) || is_near(p)) return {nullptr, 0, 0, piece.depth};
  const bool beside = j < p.n;
  const Size rows = beside ? piece.depth : p.k - below < kPanelRows ? p.k - below : kPanelRows;
  const Size of_tile = (rows + tiles - 1) / tiles, every = piece.depth / of_tile;
  return {p.B + (beside ? piece.l * p.B_stride + j : below * p.B_stride), p.B_stride, rows, every > 0 ? every : 1};
}

// Panels of PARTS registers from column j on, as many as there are; j becomes the first column that is left.
template <int PARTS, int LANES>
void multiply_panels(const Product& p, const Piece& piece, Size& j) {
  constexpr int width = PARTS * LANES;
  Panel panel = {piece.room, width, piece.depth, piece.l == 0, piece.l + piece.depth == p.k};
  for (; j + width <= p.n; j += width) {
    if ((piece.rows <= kRowsWithoutCopy || (is_near(p) && piece.rows <= 2 * kWideRows)) && !p.transposed) {
      panel.B = p.B + piece.l * p.B_stride + j;
      panel.stride = p.B_stride;
    } else {
      copy_panel<width>(p, j, piece.l, piece.depth, piece.room);
    }
    multiply_panel<PARTS, LANES>(p, panel, p.A + piece.row * p.A_stride + piece.l, p.out + piece.row * p.out_stride + j,
                                 p.out_stride, piece.rows, ahead_of(p, piece, j + width));
  }
}

// The last columns, up to three: a panel of four, filled up with zeros, and a place of its own for what comes of it.
void multiply_last_columns(const Product& p, const Piece& piece, Size j) {
  const Size width = p.n - j;
  for (Size k = 0; k < piece.depth; ++k)
    for (Size c = 0; c < 4; ++c)
      piece.room[k * 4 + c] = c >= width     ? 0
                              : p.transposed ? p.B[(j + c) * p.B_stride + piece.l + k]
                                             : p.B[(piece.l + k) * p.B_stride + j + c];
  const Panel panel = {piece.room, 4, piece.depth, piece.l == 0, piece.l + piece.depth == p.k};
  float made[4 * kRowsAtATime];
  float* out = p.out + piece.row * p.out_stride + j;
  for (Size i = 0; i < piece.rows; ++i)
    for (Size c = 0; c < 4; ++c)
      made[i * 4 + c] = c >= width || (panel.first && !p.add) ? 0 : out[i * p.out_stride + c];
  multiply_panel<1, 4>(p, panel, p.A + piece.row * p.A_stride + piece.l, made, 4, piece.rows, ahead_of(p, piece, p.n));
  for (Size i = 0; i < piece.rows; ++i)
    for (Size c = 0; c < width; ++c) out[i * p.out_stride + c] = made[i * 4 + c];
}

// LANES rows of a transposed B, four columns of them: each column in a register.
template <int LANES>
struct Columns {
  Lanes<LANES> column[4];
};
template <int LANES>
inline Columns<LANES> columns_of(const float* B, Size stride) {
  if constexpr (LANES == 4) {
    const Four four = transposed(B, stride);
    return {{four.row[0], four.row[1], four.row[2], four.row[3]}};
  } else {
    Lanes<8> rows[4];  // one of the first four beside one of the next
    HYDRA_REGISTERS for (int r = 0; r < 4; ++r) rows[r] =
        __builtin_shufflevector(load<4>(B + r * stride), load<4>(B + (r + 4) * stride), 0, 1, 2, 3, 4, 5, 6, 7);
    const Lanes<8> ac = __builtin_shufflevector(rows[0], rows[2], 0, 8, 1, 9, 4, 12, 5, 13);
    const Lanes<8> AC = __builtin_shufflevector(rows[0], rows[2], 2, 10, 3, 11, 6, 14, 7, 15);
    const Lanes<8> bd = __builtin_shufflevector(rows[1], rows[3], 0, 8, 1, 9, 4, 12, 5, 13);
    const Lanes<8> BD = __builtin_shufflevector(rows[1], rows[3], 2, 10, 3, 11, 6, 14, 7, 15);
    return {{__builtin_shufflevector(ac, bd, 0, 8, 1, 9, 4, 12, 5, 13),
             __builtin_shufflevector(ac, bd, 2, 10, 3, 11, 6, 14, 7, 15),
             __builtin_shufflevector(AC, BD, 0, 8, 1, 9, 4, 12, 5, 13),
             __builtin_shufflevector(AC, BD, 2, 10, 3, 11, 6, 14, 7, 15)}};
  }
}

// GROUPS times LANES numbers of out: a row of A by as many rows of a transposed B, which are transposed in registers.
// Meanwhile the rows after them come, one after the other.
template <int GROUPS, int LANES>
void multiply_by_rows(const Product& p, const float* A, const float* B, float* out) {
  constexpr int ROWS = GROUPS * LANES;
  const Size stride = p.B_stride;
  const bool joined = stride == p.k;
  const float* next = B + ROWS * stride;
  Lanes<LANES> sums[GROUPS];
  for (int g = 0; g < GROUPS; ++g) sums[g] = p.add ? load<LANES>(out + LANES * g) : Lanes<LANES>{};
  Size l = 0;
  for (; l + 4 <= p.k; l += 4) {
    for (int line = 0; line < ROWS * 4; line += 16)
      __builtin_prefetch(joined ? next + ROWS * l + line : next + line / 4 * stride + l);
    HYDRA_REGISTERS for (int g = 0; g < GROUPS; ++g) {
      const Columns<LANES> columns = columns_of<LANES>(B + LANES * g * stride + l, stride);
      for (int c = 0; c < 4; ++c) sums[g] += A[l + c] * columns.column[c];
    }
  }
  for (; l < p.k; ++l)
    for (int g = 0; g < GROUPS; ++g) {
      Lanes<LANES> column;
      for (int r = 0; r < LANES; ++r) column[r] = B[(LANES * g + r) * stride + l];
      sums[g] += A[l] * column;
    }
  for (int g = 0; g < GROUPS; ++g) store(sums[g] * p.scale, out + LANES * g);
}

// The same by the last rows, up to three. In lanes as well: a sum of single numbers the compiler may take apart into
// products and sums.
inline void multiply_by_last_rows(const Product& p, const float* A, const float* B, float* out, Size rows) {
  const float *second = B + p.B_stride, *third = second + p.B_stride;
  Lanes<4> sums = {};
  for (Size c = 0; p.add && c < rows; ++c) sums[c] = out[c];
  for (Size l = 0; l < p.k; ++l) sums += A[l] * Lanes<4>{B[l], rows > 1 ? second[l] : 0, rows > 2 ? third[l] : 0, 0};
  for (Size c = 0; c < rows; ++c) out[c] = sums[c] * p.scale;
}

// So many numbers of B are in no cache: there the memory sets the pace, and it gives few rows at once sooner than many.
constexpr Size kFar = 1 << 20;

void multiply_few_transposed(const Product& p) {
  for (Size i = 0; i < p.m; ++i) {
    const float* A = p.A + i * p.A_stride;
    float* out = p.out + i * p.out_stride;
    Size j = 0;
    if constexpr (kLanes > 4) {
      if (p.n * p.k < kFar)
        for (; j + 16 <= p.n; j += 16) multiply_by_rows<2, 8>(p, A, p.B + j * p.B_stride, out + j);
      for (; j + 8 <= p.n; j += 8) multiply_by_rows<1, 8>(p, A, p.B + j * p.B_stride, out + j);
    }
    for (; j + 8 <= p.n; j += 8) multiply_by_rows<2, 4>(p, A, p.B + j * p.B_stride, out + j);
    for (; j + 4 <= p.n; j += 4) multiply_by_rows<1, 4>(p, A, p.B + j * p.B_stride, out + j);
    if (j < p.n) multiply_by_last_rows(p, A, p.B + j * p.B_stride, out + j, p.n - j);
  }
}

// out [cols] += some of a row of A by as many rows of B.
template <int ROWS, int LANES, bool JOINED>
inline void add_rows(const float* A, const float* B, Size stride, Size cols, float* out, Size& j) {
  const float* next = B + ROWS * stride;
  for (; j + LANES <= cols; j += LANES) {
    if (JOINED)
      for (int line = 0; line < ROWS * LANES; line += 16) __builtin_prefetch(next + ROWS * j + line);
    Lanes<LANES> sums = load<LANES>(out + j);
    HYDRA_REGISTERS for (int l = 0; l < ROWS; ++l) sums += A[l] * load<LANES>(B + l * stride + j);
    store(sums, out + j);
  }
}
template <int ROWS, bool JOINED>
inline void add_rows(const float* A, const float* B, Size stride, Size cols, float* out) {
  Size j = 0;
  add_rows<ROWS, kLanes, JOINED>(A, B, stride, cols, out, j);
  if constexpr (kLanes > 8) add_rows<ROWS, 8, JOINED>(A, B, stride, cols, out, j);
  if constexpr (kLanes > 4) add_rows<ROWS, 4, JOINED>(A, B, stride, cols, out, j);
}

// One row by a B that is read from far away: some of its rows at a time, each from end to end as it stands in memory,
// while the sums stay in the nearest cache.
constexpr Size kRowsOfOne = 8, kColumnsOfOne = 2048;
constexpr Size kNarrow = 64;  // columns whose sums stay in registers as well
void multiply_one(const Product& p) {
  const Size whole = p.n - p.n % 4;
  const bool joined = p.B_stride == p.n && p.n <= 512;
  for (Size first = 0; first < whole; first += kColumnsOfOne) {
    const Size cols = whole - first < kColumnsOfOne ? whole - first : kColumnsOfOne;
    const float* B = p.B + first;
    float* out = p.out + first;
    if (!p.add)
      for (Size j = 0; j < cols; j += 4) store(Lanes<4>{}, out + j);
    Size l = 0;
    for (; l + kRowsOfOne <= p.k; l += kRowsOfOne)
      (joined ? add_rows<kRowsOfOne, true> : add_rows<kRowsOfOne, false>)(p.A + l, B + l * p.B_stride, p.B_stride, cols,
                                                                          out);
    for (; l < p.k; ++l) add_rows<1, false>(p.A + l, B + l * p.B_stride, p.B_stride, cols, out);
    if (p.scale != 1)
      for (Size j = 0; j < cols; j += 4) store(load<4>(out + j) * p.scale, out + j);
  }
}

void product(const Product& p) {
  if (p.transposed && p.m <= kRowsWithoutCopy) return multiply_few_transposed(p);
  const bool one = p.m == 1 && !p.transposed && p.n > kNarrow && !is_near(p);
  if (one) multiply_one(p);
  alignas(64) float room[kPanelRows * kPanelColumns];
  for (Size row = 0; row < p.m; row += kRowsAtATime)
    for (Size l = 0; l < p.k; l += kPanelRows) {
      const Piece piece = {row, p.m - row < kRowsAtATime ? p.m - row : kRowsAtATime, l,
                           p.k - l < kPanelRows ? p.k - l : kPanelRows, room};
      Size j = one ? p.n - p.n % 4 : 0;
      if (p.m == 1) multiply_panels<8, kLanesOfOneRow>(p, piece, j);
      multiply_panels<2, kLanes>(p, piece, j);
      multiply_panels<1, kLanes>(p, piece, j);
      if constexpr (kLanes > 8) multiply_panels<1, 8>(p, piece, j);
      if constexpr (kLanes > 4) multiply_panels<1, 4>(p, piece, j);
      if (j < p.n) multiply_last_columns(p, piece, j);
    }
  if (p.k == 0 && !p.add)  // a sum of nothing
    for (Size i = 0; i < p.m; ++i)
      for (Size j = 0; j < p.n; ++j) p.out[i * p.out_stride + j] = 0;
}

}  // namespace
