// How many heads there are in effect, and what rank they can have.
#pragma once
#include <string>
#include <vector>

#include "core/attention/forward.h"

namespace hydra {

// exp(- sum_k p_k ln p_k), p the values divided by their sum; 0 ln 0 = 0, negative values count as 0; 0 when all are 0.
// Roy and Vetterli 2007: the effective rank.
double effective_number(const std::vector<double>& values);
// The cosines of vectors whose products are given [h x h]; not a number where one of the two is 0.
Mat<double> cosines_of(const Mat<double>& gram);
// The effective rank of the cosines of the heads' patterns, made of the patterns' products [h x h]: 1 (all the same) to
// h (no two share a key). Of cosines, so that a sharp pattern, whose vector is long, counts no more than a flat one.
// Heads that attend to nothing do not count; 0 when none does. Read it against that of independent heads
// (independent.h): flat patterns are alike whoever makes them.
double effective_heads(const Mat<double>& pattern_gram);
// "8 heads: effective rank 2.3"; "8 heads attend to nothing" where the number is 0
std::string effective_sentence(Index heads, double effective);
// Mean over pairs i != g of the finite entries; NaN when there is none.
double mean_pairwise(MatIn<double> values);

// Singular values, largest first. Of a matrix with a number that is not finite: NaN, and the numerical rank 0.
struct Spectrum {
  std::vector<double> values;  // min(m, n, k) of them
  Index numerical_rank = 0;    // values above zero_level(m, n) * the largest
  double effective_rank = 0;   // effective_number of the values
};
// Singular values of [m x n] that are not above this part of the largest count as 0: max(m, n) * 2^-23, as NumPy's
// matrix_rank has it for float32. Rounding makes such.
double zero_level(Index m, Index n);
// Of left right^T, left [m x k], right [n x k], from their QR factors: nothing m x n is built.
Spectrum product_spectrum(MatIn<float> left, MatIn<float> right);
Spectrum matrix_spectrum(MatIn<float> matrix);

struct HeadRanks {
  Spectrum scores;     // of Q_i K_i^T, [n x n], unscaled and unmasked: rank at most min(n, d_k)
  Spectrum query_key;  // of W_Q^i W_K^iT, [d_model x d_model]: rank at most d_k
};
Spectrum query_key_spectrum(const AttentionWeights<float>& weights, Index heads, Index head);

}  // namespace hydra
