#include "core/learn/fit/fit.h"

#include <cmath>

#include "core/analysis/likeness/diversity.h"
#include "core/error.h"
#include "core/learn/fit/fit_step.h"
#include "core/linalg/matmul.h"
#include "core/ops/softmax.h"

namespace hydra::learn {

namespace {

constexpr double kHeadRate = 0.03;
// With squared errors larger scores at the start, or a faster rate, throw some queries onto one of the two.
constexpr double kTwoStart = 0.3, kTwoRate = 0.01;

// One head over a fixed X, forward and back, with all the room it needs.
template <class S>
class FittedHead {
 public:
  FittedHead(const Mat<S>& X, const Mask& mask, Index d_k, double start, Random& random)
      : X_(X),
        X_turned_(X.transpose()),
        mask_(mask),
        scale_(1 / std::sqrt(static_cast<S>(d_k))),
        query_(parameters_.add(X.cols(), d_k, start, 1, random)),
        key_(parameters_.add(X.cols(), d_k, start, 1, random)),
        Q_(X.rows(), d_k),
        K_(X.rows(), d_k),
        dQ_(X.rows(), d_k),
        A_(X.rows(), X.rows()),
        dS_turned_(X.rows(), X.rows()) {}

  Eigen::Map<Mat<S>> W_Q() { return parameters_.value(query_); }
  Eigen::Map<Mat<S>> W_K() { return parameters_.value(key_); }
  Eigen::Map<Mat<S>> by_W_Q() { return parameters_.gradient(query_); }
  Eigen::Map<Mat<S>> by_W_K() { return parameters_.gradient(key_); }

  const Mat<S>& pattern() {
    multiply<S>(X_, W_Q(), Q_);
    multiply<S>(X_, W_K(), K_);
    multiply_transposed<S>(Q_, K_, scale_, A_);
    apply_mask<S>(mask_, 0, A_);
    softmax::forward<S>(A_, A_);
    return A_;
  }
  // By the scores after their scaling.
  void back(const Mat<S>& dS) {
    dS_turned_ = scale_ * dS.transpose();
    multiply<S>(dS, K_, dQ_);
    dQ_ *= scale_;
    multiply<S>(X_turned_, dQ_, by_W_Q());
    multiply<S>(dS_turned_, Q_, dQ_);
    multiply<S>(X_turned_, dQ_, by_W_K());
  }
  void take_step(double rate, int step) { parameters_.take_step(rate, step, kFitSteps); }

 private:
  FitParameters<S> parameters_;
  Mat<S> X_, X_turned_;
  Mask mask_;
  S scale_;
  typename FitParameters<S>::Place query_, key_;
  Mat<S> Q_, K_, dQ_, A_, dS_turned_;
};

// Of the mean cross-entropy by the scores, from A = softmax of them: (A - P) / asked in the rows that are asked.
template <class S>
void by_scores(const Mat<S>& A, const Mat<S>& P, const std::vector<Index>& asked, Mat<S>& dS) {
  const S part = S(1) / static_cast<S>(asked.size());
  for (const Index i : asked)
    dS.row(i) = part * (P.row(i).sum() * A.row(i) - P.row(i));  // of floats, a sum of 1 but for rounding
}

template <class S>
std::vector<Index> asked_rows(const Mat<S>& P) {
  std::vector<Index> rows;
  for (Index i = 0; i < P.rows(); ++i)
    if (P.row(i).sum() > 0) rows.push_back(i);
  return rows;
}

// The factor that brings X to a mean square of 1; 1 for an X of zeros.
float to_unit_size(const Mat<float>& X) {
  const double square = X.cast<double>().squaredNorm() / static_cast<double>(X.size());
  return square > 0 && std::isfinite(square) ? static_cast<float>(1 / std::sqrt(square)) : 1;
}

void measure(const Mat<float>& P, const std::vector<Index>& asked, HeadFit& fit) {
  constexpr double kLeast = 1e-30;  // what a single precision weight that came out as 0 counts as
  for (const Index i : asked)
    for (Index j = 0; j < P.cols(); ++j) {
      const double p = static_cast<double>(P(i, j)), a = static_cast<double>(fit.A(i, j));
      fit.misplaced += 0.5 * std::abs(a - p);
      if (p > 0) fit.divergence += p * std::log(p / std::max(a, kLeast));
    }
  fit.misplaced /= static_cast<double>(asked.size());
  fit.divergence = std::max(0.0, fit.divergence / static_cast<double>(asked.size()));
}

Random random_of_fit(const char* what, Index width, std::uint64_t seed) {
  return Random(hash(what, seed * 1024 + static_cast<std::uint64_t>(width)));
}

}  // namespace

HeadFit fit_head(const Mat<float>& X, const Mask& mask, const Mat<float>& P, Index d_k, std::uint64_t seed,
                 const Progress& progress) {
  const float unit = to_unit_size(X);
  Random random = random_of_fit("head", d_k, seed);
  FittedHead<float> head(unit * X, mask, d_k, 1, random);
  const std::vector<Index> asked = asked_rows(P);
  Mat<float> dS = Mat<float>::Zero(P.rows(), P.cols());
  for (int step = 0; step < kFitSteps; ++step) {
    progress.check();
    by_scores(head.pattern(), P, asked, dS);
    head.back(dS);
    head.take_step(kHeadRate, step);
  }
  HeadFit fit;
  fit.A = head.pattern();
  fit.W_Q = unit * head.W_Q();
  fit.W_K = unit * head.W_K();
  measure(P, asked, fit);
  return fit;
}

WidthCurve fit_widths(const Mat<float>& X, const Mask& mask, const Mat<float>& P, std::span<const Index> widths,
                      std::uint64_t first_seed, int seeds, ThreadPool* pool, const Progress& progress) {
  if (X.rows() > kMostFitTokens)
    throw InputError("the sentence has " + std::to_string(X.rows()) + " tokens; a head is fitted to at most " +
                     std::to_string(kMostFitTokens));
  if (!X.allFinite()) throw InputError("X has numbers that are not finite; no head can be fitted to it");
  WidthCurve curve{X.rows(), X.cols(), matrix_spectrum(X).numerical_rank, {}, P, {}, {}};
  curve.asked = static_cast<Index>(asked_rows(P).size());
  if (curve.asked == 0) throw InputError("the pattern asks nothing of any token: the mask hides what it is of");
  for (int s = 0; s < seeds; ++s) curve.seeds.push_back(first_seed + static_cast<std::uint64_t>(s));
  std::vector<HeadFit> fits(widths.size() * curve.seeds.size());
  // The widest first, which take the longest.
  parallel_for(pool, static_cast<Index>(fits.size()), [&](Index task) {
    const std::size_t k = fits.size() - 1 - static_cast<std::size_t>(task);
    fits[k] = fit_head(X, mask, P, widths[k / curve.seeds.size()], curve.seeds[k % curve.seeds.size()], progress);
    progress.step();
  });
  for (std::size_t k = 0; k < fits.size(); ++k) {
    if (k % curve.seeds.size() == 0) curve.points.push_back({widths[k / curve.seeds.size()], {}, {}, {}});
    WidthPoint& point = curve.points.back();
    if (point.misplaced.empty() || fits[k].divergence < point.best.divergence) point.best = fits[k];
    point.misplaced.push_back(fits[k].misplaced);
    point.divergence.push_back(fits[k].divergence);
  }
  return curve;
}

std::vector<Index> usual_fit_widths(Index n) {
  std::vector<Index> widths;
  Index width = 1;
  for (; width < n - 1; width *= 2) widths.push_back(width);
  widths.push_back(std::max<Index>(1, n - 1));
  while (width < n) width *= 2;
  if (width > widths.back()) widths.push_back(width);
  std::erase_if(widths, [](Index d_k) { return d_k > kMostFitWidth; });
  return widths;
}

TwoTargets fit_two_targets(const Mat<float>& X, const Mat<float>& V, const std::vector<Index>& first,
                           const std::vector<Index>& second, Index d_k, std::uint64_t seed, const Progress& progress) {
  const Index n = X.rows();
  Random random = random_of_fit("two targets", d_k, seed);
  FittedHead<float> head(to_unit_size(X) * X, Mask{}, d_k, kTwoStart, random);
  Mat<float> v_1(n, V.cols()), v_2(n, V.cols()), O(n, V.cols()), dA(n, n);
  for (Index i = 0; i < n; ++i) {
    v_1.row(i) = V.row(first[static_cast<std::size_t>(i)]);
    v_2.row(i) = V.row(second[static_cast<std::size_t>(i)]);
  }
  const Mat<float> sum = v_1 + v_2;
  const float part = 2 / static_cast<float>(n);
  for (int step = 0; step < kFitSteps; ++step) {
    progress.check();
    const Mat<float>& A = head.pattern();
    multiply<float>(A, V, O);
    O = part * (2 * O - sum);  // by o
    multiply_transposed<float>(O, V, 1.0f, dA);
    softmax::grad<float>(A, dA, dA);
    head.back(dA);
    head.take_step(kTwoRate, step);
  }
  TwoTargets found;
  found.A = head.pattern();
  multiply<float>(found.A, V, O);
  const double each = 1 / static_cast<double>(n);
  for (Index i = 0; i < n; ++i) {
    found.to_first += each * static_cast<double>((O.row(i) - v_1.row(i)).norm());
    found.to_second += each * static_cast<double>((O.row(i) - v_2.row(i)).norm());
    found.to_average += each * static_cast<double>((O.row(i) - 0.5f * sum.row(i)).norm());
    found.half_way += each * 0.5 * static_cast<double>((v_1.row(i) - v_2.row(i)).norm());
    found.on_first += each * static_cast<double>(found.A(i, first[static_cast<std::size_t>(i)]));
    found.on_second += each * static_cast<double>(found.A(i, second[static_cast<std::size_t>(i)]));
  }
  return found;
}

FitGradient fit_gradient(const Mat<double>& X, const Mask& mask, const Mat<double>& P, const Mat<double>& W_Q,
                         const Mat<double>& W_K) {
  Random random(0);
  FittedHead<double> head(X, mask, W_Q.cols(), 1, random);
  head.W_Q() = W_Q;
  head.W_K() = W_K;
  const std::vector<Index> asked = asked_rows(P);
  Mat<double> dS = Mat<double>::Zero(P.rows(), P.cols());
  const Mat<double>& A = head.pattern();
  by_scores(A, P, asked, dS);
  head.back(dS);
  FitGradient made{0, head.by_W_Q(), head.by_W_K()};
  for (const Index i : asked)
    for (Index j = 0; j < P.cols(); ++j)
      if (P(i, j) > 0) made.loss -= P(i, j) * std::log(A(i, j)) / static_cast<double>(asked.size());
  return made;
}

}  // namespace hydra::learn
