// Softmax by row. For set.cpp alone, like lanes.h.
//
// A row is taken sixteen scores at a time, the last ones filled up with masked scores. So every score goes through the
// same arithmetic wherever its row stands, in registers of any width.
#pragma once
#include "core/linalg/kernels/functions.h"

namespace {

constexpr int kChunk = 16, kParts = kChunk / kLanes;
constexpr float kMasked = -__builtin_inff();

struct Chunk {
  Lanes<kLanes> part[kParts];
};
// What is done to every part of a chunk.
#define HYDRA_FOR_PARTS HYDRA_REGISTERS for (int k = 0; k < kParts; ++k)

inline Chunk load_chunk(const float* from) {
  Chunk chunk;
  HYDRA_FOR_PARTS chunk.part[k] = load<kLanes>(from + k * kLanes);
  return chunk;
}
inline void store_chunk(const Chunk& chunk, float* to) { HYDRA_FOR_PARTS store(chunk.part[k], to + k * kLanes); }

// From its quarters. Put together in registers: what was stored in pieces can be loaded as a whole only when all of it
// has reached the cache.
inline Chunk chunk_of(Lanes<4> a, Lanes<4> b, Lanes<4> c, Lanes<4> d) {
#if defined(__AVX2__)
  const Lanes<8> low = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
  const Lanes<8> high = __builtin_shufflevector(c, d, 0, 1, 2, 3, 4, 5, 6, 7);
#endif
#if defined(__AVX512F__)
  return {{__builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)}};
#elif defined(__AVX2__)
  return {{low, high}};
#else
  return {{a, b, c, d}};
#endif
}

// Lane by lane the larger; of a NaN in x, y.
template <class Register>
inline Register larger(Register x, Register y) {
  return x > y ? x : y;
}

// Sixteen lanes to one, half to half: lane i with i + 8, what comes of it with i + 4, and so on. In registers: what was
// stored is loaded later than it was made.
template <class Combine>
inline float reduce(const Chunk& chunk, const Combine& combine) {
#if defined(__AVX2__)
#if defined(__AVX512F__)
  const Lanes<16> all = chunk.part[0];
  const Lanes<8> eight = combine(__builtin_shufflevector(all, all, 0, 1, 2, 3, 4, 5, 6, 7),
                                 __builtin_shufflevector(all, all, 8, 9, 10, 11, 12, 13, 14, 15));
#else
  const Lanes<8> eight = combine(chunk.part[0], chunk.part[1]);
#endif
  const Lanes<4> four =
      combine(__builtin_shufflevector(eight, eight, 0, 1, 2, 3), __builtin_shufflevector(eight, eight, 4, 5, 6, 7));
#else
  const Lanes<4> four = combine(combine(chunk.part[0], chunk.part[2]), combine(chunk.part[1], chunk.part[3]));
#endif
  const Lanes<4> two = combine(four, __builtin_shufflevector(four, four, 2, 3, 2, 3));
  return combine(two, __builtin_shufflevector(two, two, 1, 1, 1, 1))[0];
}

inline Chunk exponential(const Chunk& x, float shift) {
  Chunk e;
  HYDRA_FOR_PARTS e.part[k] = exponential(x.part[k] - shift);
  return e;
}

inline float largest(const float* row, Size whole, const Chunk& rest) {
  Chunk tops = rest;
  for (Size j = 0; j < whole; j += kChunk) {
    const Chunk chunk = load_chunk(row + j);
    HYDRA_FOR_PARTS tops.part[k] = larger(chunk.part[k], tops.part[k]);
  }
  return reduce(tops, [](auto x, auto y) { return larger(x, y); });
}

// out = exp(row - shift) of whole chunks; rest, the last one, becomes its own. Returns the sum.
inline float exponentials_of(const float* row, Size whole, Chunk& rest, float shift, float* out) {
  rest = exponential(rest, shift);
  Chunk sums = {};
  for (Size j = 0; j < whole; j += kChunk) {
    const Chunk e = exponential(load_chunk(row + j), shift);
    store_chunk(e, out + j);
    HYDRA_FOR_PARTS sums.part[k] += e.part[k];
  }
  HYDRA_FOR_PARTS sums.part[k] += rest.part[k];
  return reduce(sums, [](auto x, auto y) { return x + y; });
}

// What a row has beyond its whole chunks, filled up with masked scores.
inline Lanes<4> four_of(const float* from, Size count) {
  if (count >= 4) return load<4>(from);
  Lanes<4> four = Lanes<4>{} + kMasked;
  if (count > 0) four[0] = from[0];
  if (count > 1) four[1] = from[1];
  if (count > 2) four[2] = from[2];
  return four;
}
inline Chunk rest_of(const float* from, Size count) {
  return chunk_of(four_of(from, count), four_of(from + 4, count - 4), four_of(from + 8, count - 8),
                  four_of(from + 12, count - 12));
}
inline void put_rest(const Chunk& rest, Size count, float* to) {
  float lanes[kChunk];
  store_chunk(rest, lanes);
  Size k = 0;
  for (; k + 4 <= count; k += 4) store(load<4>(lanes + k), to + k);
  for (; k < count; ++k) to[k] = lanes[k];
}

float exponentials(float* row, Size cols, float shift) {
  const Size whole = cols / kChunk * kChunk;
  Chunk rest = rest_of(row + whole, cols - whole);
  const float sum = exponentials_of(row, whole, rest, shift, row);
  put_rest(rest, cols - whole, row + whole);
  return sum;
}

// A NaN or +inf makes the sum NaN, and that the row; the sum of a masked row is 0. Of short rows some together, step by
// step: each step of a row waits for the one before.
void softmax(const float* scores, Size stride, float* out, Size out_stride, Size rows, Size cols) {
  constexpr Size most = 8, short_row = 64;
  const Size whole = cols / kChunk * kChunk, together = cols <= short_row ? most : 1;
  Chunk rest[most];
  float tops[most], parts[most];
  for (Size first = 0; first < rows; first += together) {
    const Size count = rows - first < together ? rows - first : together;
    const float* from = scores + first * stride;
    float* to = out + first * out_stride;
    for (Size i = 0; i < count; ++i) {
      rest[i] = rest_of(from + i * stride + whole, cols - whole);
      tops[i] = largest(from + i * stride, whole, rest[i]);
    }
    for (Size i = 0; i < count; ++i) {
      const float shift = tops[i] == kMasked ? 0 : tops[i];
      const float sum = exponentials_of(from + i * stride, whole, rest[i], shift, to + i * out_stride);
      parts[i] = 1 / (sum == 0 ? 1 : sum);
    }
    for (Size i = 0; i < count; ++i) {
      float* row = to + i * out_stride;
      for (Size j = 0; j < whole; j += kChunk) {
        Chunk e = load_chunk(row + j);
        HYDRA_FOR_PARTS e.part[k] *= parts[i];
        store_chunk(e, row + j);
      }
      HYDRA_FOR_PARTS rest[i].part[k] *= parts[i];
      put_rest(rest[i], cols - whole, row + whole);
    }
  }
}

#undef HYDRA_FOR_PARTS

}  // namespace
