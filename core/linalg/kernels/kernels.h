// The loops that take the time, compiled from one source (set.cpp) for every instruction set that a processor may have;
// the best one that runs here is chosen when the first is asked for. Of matrices in single precision: double is for
// tests.
//
// What a number's bits depend on: a sum of products is taken one after the other in the order of k, whatever is
// computed with it, in whatever tiles; other sums are taken in sixteen lanes, which are added as a tree.
// With AVX2 and AVX-512 every step is a fused multiply-add, so both give the same bits; plain code rounds between
// product and sum.
//
// A set includes no library's code and shares none: what the compiler made of it for one instruction set must never be
// linked in the place of another's. tests/core/linalg/kernels/symbols.test reads the objects.
#pragma once
#include <cstddef>

namespace hydra::kernels {

using Size = std::ptrdiff_t;

// out [m x n] = scale A [m x k] B [k x n], or out + A B where add is set. Row-major, strides between rows; of a
// transposed B rows are its columns. out must not overlap the others.
struct Product {
  Size m = 0, n = 0, k = 0;
  const float* A = nullptr;
  Size A_stride = 0;
  const float* B = nullptr;
  Size B_stride = 0;
  float* out = nullptr;
  Size out_stride = 0;
  bool transposed = false, add = false;
  float scale = 1;
};

struct Set {
  const char* name;
  void (*product)(const Product&);
  // Each row's softmax (ops/softmax.h). out may be scores, with the same stride.
  void (*softmax)(const float* scores, Size stride, float* out, Size out_stride, Size rows, Size cols);
  // row becomes exp(row - shift); returns its sum. Of what is at most shift, within 2 units in the last place; below
  // exp(-87.33), where numbers that are not normal begin, 0.
  float (*exponentials)(float* row, Size cols, float shift);
  // out = what the activation makes of u (ops/activate.h), number by number, within 4e-7 |u|. A NaN stays one.
  using Activate = void(const float* u, Size count, float* out);
  Activate *relu, *gelu, *gelu_tanh, *silu, *relu_squared;
  // The largest |value| among finite ones, 0 where there is none.
  float (*largest_finite)(const float* values, Size count);
  // Sums over patterns, in double: of a b, and of - m ln m for m = (a + b) / 2 from 0 to 1 (0 ln 0 = 0).
  double (*dot)(const float* a, const float* b, Size count);
  double (*dot_doubles)(const float* a, const double* b, Size count);
  double (*entropy_of_mean)(const float* a, const float* b, Size count);
};

// The sets that run on this processor, the plain one first, the widest last.
struct Sets {
  const Set* of[3];
  int count;
};
const Sets& supported();

// The one of that name (plain, avx2, avx512), the widest where none is named; an InputError where it does not run here.
const Set& named(const char* name);

// named by HYDRA_KERNELS in the environment.
const Set& chosen();

}  // namespace hydra::kernels
