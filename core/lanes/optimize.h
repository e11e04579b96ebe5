// From the groups' gradients to new parameters. For the files that define Scalar and kLanes alone.
#pragma once
#include "core/lanes/kernels.h"
#include "core/lanes/registers.h"

namespace {

double gather_gradients(const Scalar* gradients, Size groups, Size stride, Size first, Size end, Scalar* sum) {
  for (Size k = first; k < end; ++k) sum[k] = gradients[k];
  for (Size g = 1; g < groups; ++g)
    for (Size k = first; k < end; ++k) sum[k] += gradients[g * stride + k];
  Register square = {};
  Size k = first;
  for (; k + kLanes <= end; k += kLanes) {
    Register part;
    __builtin_memcpy(&part, sum + k, sizeof part);
    square += part * part;
  }
  double squares = sum_of(square);
  for (; k < end; ++k) squares += static_cast<double>(sum[k]) * static_cast<double>(sum[k]);
  return squares;
}

void adam(const hydra::lanes::AdamStep& s, Size first, Size count, const Scalar* __restrict g, Scalar* __restrict m,
          Scalar* __restrict v, Scalar* __restrict p) {
  const auto b1 = static_cast<Scalar>(s.beta_1), b2 = static_cast<Scalar>(s.beta_2), clip = static_cast<Scalar>(s.clip);
  const auto by_m = static_cast<Scalar>(s.rate / s.correction_1), by_v = static_cast<Scalar>(1 / s.correction_2);
  const auto epsilon = static_cast<Scalar>(s.epsilon), keep = static_cast<Scalar>(1 - s.rate * s.decay);
  for (Size k = first; k < first + count; ++k) {
    const Scalar d = clip * g[k];
    m[k] = b1 * m[k] + (1 - b1) * d;
    v[k] = b2 * v[k] + (1 - b2) * d * d;
    p[k] = keep * p[k] - by_m * m[k] / (square_root(by_v * v[k]) + epsilon);
  }
}

void momentum(double rate, double momentum, double clip, Size first, Size count, const Scalar* __restrict g,
              Scalar* __restrict v, Scalar* __restrict p) {
  const auto r = static_cast<Scalar>(rate), keep = static_cast<Scalar>(momentum), c = static_cast<Scalar>(clip);
  for (Size k = first; k < first + count; ++k) {
    v[k] = keep * v[k] + c * g[k];
    p[k] -= r * v[k];
  }
}

}  // namespace
