// What a head gives, times gates that the word itself sets: O' = O o G, G = sigmoid(X W) (Qiu et al. 2025, equation 5).
// A gate of each number of the output, or one for all numbers of a head.
#pragma once
#include "core/linalg/types.h"

namespace hydra::gate {

// X [n x k], W [k x m], G [n x m]: from 0 to 1. G must not overlap the others.
template <class S>
void open(MatIn<S> X, MatIn<S> W, MatOut<S> G);

// The derivatives of a number by X and W, from that by G; each is added to what stands there.
template <class S>
void grad_open(MatIn<S> X, MatIn<S> W, MatIn<S> G, MatIn<S> dG, MatOut<S> dX, MatOut<S> dW);

// Y = O o G; G has as many columns as O, or one. Y may be O.
template <class S>
void forward(MatIn<S> O, MatIn<S> G, MatOut<S> Y);

// The derivatives of a number by O and G, from that by Y; each is added to what stands there.
template <class S>
void grad_O(MatIn<S> G, MatIn<S> dY, MatOut<S> dO);
template <class S>
void grad_G(MatIn<S> O, MatIn<S> dY, MatOut<S> dG);

}  // namespace hydra::gate
