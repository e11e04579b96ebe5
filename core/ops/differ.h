// Differential attention: A = A_1 - lambda A_2, of two patterns that a head has of the halves of its queries and keys;
// lambda = exp(q_1 . k_1) - exp(q_2 . k_2) + lambda_0, of four rows that all heads of a layer share. Ye et al. 2024,
// equations 1 and 2. There d is half of our d_k: a head has queries and keys of 2 d numbers, and values of 2 d.
#pragma once
#include <cmath>

#include "core/linalg/types.h"

namespace hydra::differ {

// Rows [1 x d_k / 2]. The sums run in double, one after the other.
template <class S>
double exponential(MatIn<S> q, MatIn<S> k) {
  double sum = 0;
  for (Index c = 0; c < q.cols(); ++c) sum += static_cast<double>(q(0, c)) * static_cast<double>(k(0, c));
  return std::exp(sum);
}
template <class S>
S lambda(MatIn<S> q_1, MatIn<S> k_1, MatIn<S> q_2, MatIn<S> k_2, double lambda_0) {
  return static_cast<S>(exponential<S>(q_1, k_1) - exponential<S>(q_2, k_2) + lambda_0);
}
// The derivatives of a number by a pair of rows, from that by their exponential; each is added to what stands there.
template <class S>
void grad_rows(MatIn<S> q, MatIn<S> k, S d, MatOut<S> dq, MatOut<S> dk) {
  const S by_product = d * static_cast<S>(exponential<S>(q, k));
  dq += by_product * k;
  dk += by_product * q;
}

// A may be A_1. With a lambda of 0 it is A_1, to the bit.
template <class S>
void forward(MatIn<S> A_1, MatIn<S> A_2, S lambda, MatOut<S> A) {
  if (lambda == 0)
    A = A_1;
  else
    A = A_1 - lambda * A_2;
}

// The derivatives of a number by A_2 and lambda, from that by A (which is that by A_1); the first is added to what
// stands there.
template <class S>
void grad_second(S lambda, MatIn<S> dA, MatOut<S> dA_2) {
  dA_2 -= lambda * dA;
}
template <class S>
S grad_lambda(MatIn<S> A_2, MatIn<S> dA) {
  return -A_2.cwiseProduct(dA).sum();
}

}  // namespace hydra::differ
