// Can a head of width d_k do it? One head fitted to a pattern by gradient descent on W_Q and W_K, for an X that stays.
//
// The loss is the cross-entropy of the asked rows, mean of -sum_j P_ij ln A_ij, A = softmax(X W_Q (X W_K)^T / sqrt(d_k)
// + mask); less P's own entropy it is the mean Kullback-Leibler divergence of A from P, 0 where A = P. Adam, 500 steps,
// rate 0.03 falling along half a cosine, from normal weights of size 1 / sqrt(d_model); X is brought to a mean square
// of 1 for it, which W_Q and W_K undo.
//
// What there is to know of the answer: a positive P is a softmax of scores of rank d_k as soon as d_k >= n - 1 where X
// has rank n, for log P has rank n at most and softmax ignores a constant per row, so that subtracting each row's mean
// takes one rank away. (Bhojanapalli et al. 2020, theorem 1, have d_k >= n.) A P with zeros, such as one place per row,
// is only approached, by ever larger scores: of these d_k = 2 is enough where X has rank n, keys on a circle and each
// query pointing at its own. Where X has a lower rank than n there are patterns that no width makes.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/spread.h"
#include "core/model/mask.h"
#include "core/work/progress.h"

namespace hydra::learn {

inline constexpr int kFitSteps = 500;
inline constexpr Index kMostFitTokens = 128, kMostFitWidth = 1024;
inline constexpr int kMostFitSeeds = 1000;

struct HeadFit {
  Mat<float> W_Q, W_K;    // [d_model x d_k]
  Mat<float> A;           // [n x n] what they make
  double divergence = 0;  // in nats
  double misplaced = 0;   // mean over the asked rows of half the sum of |A - P|, 0 to 1: weight that stands elsewhere
};
// Stops with Stopped. Deterministic: the same whoever computes it. P as in fit_target.h, not all 0.
HeadFit fit_head(const Mat<float>& X, const Mask& mask, const Mat<float>& P, Index d_k, std::uint64_t seed,
                 const Progress& progress = {});

struct WidthPoint {
  Index d_k = 1;
  std::vector<double> misplaced, divergence;  // by seed
  HeadFit best;                               // of the least divergence
};
struct WidthCurve {
  Index n = 0, d_model = 0, rank = 0;  // of X
  Index asked = 0;                     // rows of P that are not all 0
  Mat<float> target;
  std::vector<std::uint64_t> seeds;
  std::vector<WidthPoint> points;  // as the widths were given
};
// A head of each width from each of `seeds` seeds, the first on; steps of progress: fits. Throws InputError, with one
// sentence, where X has more than kMostFitTokens rows or nothing is asked.
WidthCurve fit_widths(const Mat<float>& X, const Mask& mask, const Mat<float>& P, std::span<const Index> widths,
                      std::uint64_t first_seed, int seeds, ThreadPool* pool, const Progress& progress = {});
// 1, 2, 4, ... below n - 1, n - 1, and the next power of two from n on; at most kMostFitWidth.
std::vector<Index> usual_fit_widths(Index n);

// One head whose query must fetch two values at once, v_1 and v_2, for every query i other ones of V [n x d]: first[i]
// and second[i] say which. Fitted to the least ||o - v_1||^2 + ||o - v_2||^2, which is at o = (v_1 + v_2) / 2, for it
// is 2 ||o - (v_1 + v_2) / 2||^2 + ||v_1 - v_2||^2 / 2.
struct TwoTargets {
  Mat<float> A;                         // [n x n]
  double to_first = 0, to_second = 0;   // mean over queries of ||o - v_1||, ||o - v_2||
  double to_average = 0, half_way = 0;  // of ||o - (v_1 + v_2) / 2||, of ||v_1 - v_2|| / 2
  double on_first = 0, on_second = 0;   // mean weight
};
TwoTargets fit_two_targets(const Mat<float>& X, const Mat<float>& V, const std::vector<Index>& first,
                           const std::vector<Index>& second, Index d_k, std::uint64_t seed,
                           const Progress& progress = {});

// What the fits compute in a step, for tests in double: the loss, and by W_Q and W_K.
struct FitGradient {
  double loss = 0;
  Mat<double> W_Q, W_K;
};
FitGradient fit_gradient(const Mat<double>& X, const Mask& mask, const Mat<double>& P, const Mat<double>& W_Q,
                         const Mat<double>& W_K);

}  // namespace hydra::learn
