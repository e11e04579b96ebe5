// H = f(U), or f(U) o G, number by number: the activation of a feed-forward part. relu: max(0, u). gelu: u Phi(u), Phi
// the normal distribution's; gelu_tanh: 0.5 u (1 + tanh(sqrt(2 / pi) (u + 0.044715 u^3))) (Hendrycks and Gimpel 2016).
// silu: u / (1 + exp(-u)) (Elfwing et al. 2018). relu_squared: max(0, u)^2 (So et al. 2021, section 4.2).
#pragma once
#include "core/linalg/types.h"
#include "core/model/settings.h"

namespace hydra::activate {

double value(Activation activation, double u);
double slope(Activation activation, double u);  // of relu at 0: 0

// U [n x m], G the same or empty for none. H may not be U. In single precision its relative error is below 3e-5, and
// below 1e-6 where it matters: of what is above 0.1.
template <class S>
void forward(MatIn<S> U, MatIn<S> G, Activation activation, MatOut<S> H);

// The derivatives of a number by U and G, from that by H; each is added to what stands there.
template <class S>
void grad_U(MatIn<S> U, MatIn<S> G, Activation activation, MatIn<S> dH, MatOut<S> dU);
template <class S>
void grad_G(MatIn<S> U, Activation activation, MatIn<S> dH, MatOut<S> dG);

}  // namespace hydra::activate
