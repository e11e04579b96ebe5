// Can h heads do it? m relations that the same query must serve at once, and h heads of width d_model / h fitted to
// them.
//
// n tokens stand in a ring, and query i must hand on what the m tokens after it hold, each through a map of its own: of
// the value c_j [d_model] of token j relation r asks for c_j U_r, U_r being the r-th d_model / m columns of an
// orthogonal U, and the target is their sum in places of their own: o_i = sum_r c_(i + 1 + r) M_r, M_r = U with all
// columns 0 but those of r. Scores come from an X [n x d_model] of drawn rows that stays; values are drawn anew each
// time, independent with mean 0 and variance 1, so that no head can learn them by heart. (For values that stay one head
// could do everything: n rows of rank n leave W_V W_O free to make any output from any invertible pattern.)
//
// The expected squared error over all values, as a part of what a head that does nothing leaves:
//   E = sum_ij || sum_h A^h_ij G_h - sum_r P^r_ij M_r ||_F^2 / sum_ij || sum_r P^r_ij M_r ||_F^2,   G_h = W_V^h W_O^h
// No sample is drawn for it: with <,> the sum over products of entries, the numerator is
//   sum_hg <A^h, A^g> <G_h, G_g> - 2 sum_hr <A^h, P^r> <G_h, M_r> + sum_r <P^r, P^r> <M_r, M_r>.
// So h < m heads leave at least 1 - h / m, for the P^r are orthogonal to each other and the M_r as well: what h heads
// make is a matrix [n^2 x d_model^2] of rank h, the target one of rank m with equal singular values (Eckart and Young
// 1936). And heads of width 1 give each query's largest weight to the largest or the smallest key.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/learn/fit/fit.h"

namespace hydra::learn {

struct HeadsProblem {
  Index tokens = 16, d_model = 32, relations = 4;
  bool operator==(const HeadsProblem&) const = default;
};
inline constexpr Index kMostRelations = 16, kMostProblemTokens = 64, kMostProblemWidth = 128;
inline constexpr int kHeadsSteps = 600;
inline constexpr int kHeadsStarts = 3;  // of each seed: the better of so many is kept, as one start in ten goes astray
// Throws InputError, with one sentence: 1 to kMostRelations relations, fewer than tokens, and dividing d_model.
void check_problem(const HeadsProblem& problem);
// The divisors of d_model, ascending, that are powers of two times the first odd one: 1, 2, 4, ..., d_model for 32.
std::vector<Index> usual_fit_heads(Index d_model);

struct HeadsFit {
  double error = 0;                  // E
  Mat<float> served;                 // [h x m] mean weight of each head on each relation's token
  std::vector<Mat<float>> patterns;  // [n x n] by head
};
HeadsFit fit_heads(const HeadsProblem& problem, Index heads, std::uint64_t seed, const Progress& progress = {});

struct HeadsPoint {
  Index heads = 1, d_k = 1;
  std::vector<double> errors;  // by seed
  HeadsFit best;
};
struct HeadsCurve {
  HeadsProblem problem;
  std::vector<std::uint64_t> seeds;  // each another X, U and start
  std::vector<HeadsPoint> points;
  TwoTargets
      two;  // one head, min(tokens, d_model) wide, for the first two relations; n/a (half_way 0) with one relation
};
// Throws InputError where a head count does not divide d_model. Steps of progress: fits.
HeadsCurve fit_heads_curve(const HeadsProblem& problem, std::span<const Index> heads, std::uint64_t first_seed,
                           int seeds, ThreadPool* pool, const Progress& progress = {});

// For tests, in double: E and its derivatives at drawn weights, and what E depends on.
struct HeadsGradient {
  double error = 0;
  Mat<double> W_Q, W_K, W_V, W_O;      // [d_model x d_model], a head a block of columns, of W_O of rows
  Mat<double> by_Q, by_K, by_V, by_O;  // the derivatives of E
  Mat<double> X, U;
};
// at: the weights, four matrices; empty: those of the start.
HeadsGradient heads_gradient(const HeadsProblem& problem, Index heads, std::uint64_t seed,
                             const std::vector<Mat<double>>& at = {});

}  // namespace hydra::learn
