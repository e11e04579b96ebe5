// Y = norm(X), row by row: LayerNorm (Ba et al. 2016, equation 4), y = (x - mean) / sqrt(variance + epsilon) gain +
// shift, the variance over the row's d numbers divided by d; RMSNorm (Zhang and Sennrich 2019, equation 4),
// y = x / sqrt(mean of x^2 + epsilon) gain.
#pragma once
#include <span>

#include "core/linalg/types.h"
#include "core/model/settings.h"

namespace hydra::norm {

// What a row is divided by after its mean is taken away, and that mean: 0 for RMSNorm.
struct Size {
  double mean = 0, root = 1;
};
// The sums run in double, in an order that depends on the row's length alone.
template <class S>
Size size_of(const S* row, Index width, NormKind kind, double epsilon);

// X [n x d], gain [1 x d], shift [1 x d], or empty for none. Y may be X. parts: a divisor of d; of a row so many,
// side by side, are normed each by itself.
template <class S>
void forward(MatIn<S> X, MatIn<S> gain, MatIn<S> shift, NormKind kind, double epsilon, MatOut<S> Y, Index parts = 1);

// Of some columns of rows, by RMSNorm: roots[i] is what the whole row is divided by. Y may be X.
template <class S>
void forward_of_part(MatIn<S> X, std::span<const double> roots, MatIn<S> gain, MatOut<S> Y);

// The derivatives of a number by X, gain and shift, from those by Y; each is added to what stands there.
template <class S>
void grad_X(MatIn<S> X, MatIn<S> gain, NormKind kind, double epsilon, MatIn<S> dY, MatOut<S> dX, Index parts = 1);
template <class S>
void grad_gain(MatIn<S> X, NormKind kind, double epsilon, MatIn<S> dY, MatOut<S> dgain, Index parts = 1);
template <class S>
void grad_shift(MatIn<S> dY, MatOut<S> dshift);

}  // namespace hydra::norm
