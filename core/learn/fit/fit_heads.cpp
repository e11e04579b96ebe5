#include "core/learn/fit/fit_heads.h"

#include <cmath>

#include "core/error.h"
#include "core/learn/fit/fit_step.h"
#include "core/linalg/decompositions.h"
#include "core/linalg/matmul.h"
#include "core/ops/softmax.h"

namespace hydra::learn {

namespace {

// Values learn five times as fast as patterns: where both went alike, heads settled more often on a relation that
// another had.
constexpr double kValueRate = 0.02, kPatternRate = 0.2;
constexpr double kPatternStart = 0.5;

struct Drawn {
  Mat<double> X, U;
};
Drawn drawn_problem(const HeadsProblem& problem, std::uint64_t seed) {
  Random random(hash("relations", seed));
  Drawn drawn{Mat<double>(problem.tokens, problem.d_model), Mat<double>(problem.d_model, problem.d_model)};
  for (Index k = 0; k < drawn.X.size(); ++k) drawn.X.data()[k] = random.normal();
  for (Index k = 0; k < drawn.U.size(); ++k) drawn.U.data()[k] = random.normal();
  drawn.U = signed_Q(drawn.U);
  return drawn;
}

Index place_of(const HeadsProblem& problem, Index query, Index relation) {
  return (query + 1 + relation) % problem.tokens;
}

// All heads over an X that stays: E, and its derivatives. Heads are blocks of columns, d_k wide.
template <class S>
class FittedHeads {
 public:
  FittedHeads(const HeadsProblem& problem, Index heads, const Drawn& drawn, Random& random)
      : problem_(problem),
        heads_(heads),
        d_k_(problem.d_model / heads),
        scale_(1 / std::sqrt(static_cast<S>(d_k_))),
        X_(drawn.X.template cast<S>()),
        X_turned_(X_.transpose()),
        U_(drawn.U.template cast<S>()) {
    const Index n = problem.tokens, d = problem.d_model;
    for (Place* place : {&query_, &key_}) *place = parameters_.add(d, d, kPatternStart, kPatternRate, random);
    for (Place* place : {&value_, &output_}) *place = parameters_.add(d, d, kPatternStart, 1, random);
    for (Mat<S>* m : {&Q_, &K_, &dQ_, &dK_}) *m = Mat<S>(n, d);
    for (Mat<S>* m : {&values_, &outputs_, &T_, &spread_, &asked_, &turned_, &product_}) *m = Mat<S>(d, d);
    for (Mat<S>* m : {&patterns_, &by_patterns_}) *m = Mat<S>(heads, n * n);
    for (Mat<S>* m : {&alike_, &maps_}) *m = Mat<S>(heads, heads);
    for (Mat<S>* m : {&served_, &given_}) *m = Mat<S>(heads, problem.relations);
  }

  Eigen::Map<Mat<S>> weights(int which) { return parameters_.value(*place(which)); }
  Eigen::Map<Mat<S>> gradient(int which) { return parameters_.gradient(*place(which)); }
  Eigen::Map<const Mat<S>> pattern(Index h) const {
    return {patterns_.data() + h * patterns_.cols(), problem_.tokens, problem_.tokens};
  }
  const Mat<S>& served() const { return served_; }  // [h x m] sums of weights on the relation's tokens

  // E.
  double forward() {
    const Index n = problem_.tokens;
    multiply<S>(X_, weights(0), Q_);
    multiply<S>(X_, weights(1), K_);
    for (Index h = 0; h < heads_; ++h) {
      Eigen::Map<Mat<S>> A(patterns_.data() + h * n * n, n, n);
      multiply_transposed<S>(columns(Q_, h), columns(K_, h), scale_, A);
      softmax::forward<S>(A, A);
    }
    multiply_transposed<S>(patterns_, patterns_, S(1), alike_);
    for (Index h = 0; h < heads_; ++h)
      for (Index r = 0; r < problem_.relations; ++r) served_(h, r) = on_relation(patterns_, h, r);
    turned_ = weights(2).transpose();
    multiply<S>(turned_, weights(2), values_);                       // W_V^T W_V
    multiply<S>(turned_, U_, T_);                                    // W_V^T U
    multiply_transposed<S>(weights(3), weights(3), S(1), outputs_);  // W_O W_O^T
    fold_maps();
    double sum = total();
    for (Index k = 0; k < alike_.size(); ++k) sum += static_cast<double>(alike_.data()[k] * maps_.data()[k]);
    for (Index k = 0; k < served_.size(); ++k) sum -= 2 * static_cast<double>(served_.data()[k] * given_.data()[k]);
    return sum / total();
  }

  // After forward.
  void back() {
    const S unit = 2 / static_cast<S>(total());
    back_of_maps(unit);
    back_of_patterns(unit);
  }
  void take_step(int step) { parameters_.take_step(kValueRate, step, kHeadsSteps); }

 private:
  using Place = typename FitParameters<S>::Place;
  const Place* place(int which) const {
    const Place* places[] = {&query_, &key_, &value_, &output_};
    return places[which];
  }
  auto columns(Mat<S>& matrix, Index h) const { return matrix.middleCols(h * d_k_, d_k_); }
  Index relation_of(Index column) const { return column / (problem_.d_model / problem_.relations); }
  double total() const { return static_cast<double>(problem_.tokens * problem_.d_model); }

  S on_relation(const Mat<S>& patterns, Index h, Index r) const {
    S sum = 0;
    for (Index i = 0; i < problem_.tokens; ++i) sum += patterns(h, i * problem_.tokens + place_of(problem_, i, r));
    return sum;
  }

  // <G_h, G_g> from W_V^T W_V and W_O W_O^T, <G_h, M_r> from W_V^T U and W_O.
  void fold_maps() {
    const auto W_O = weights(3);
    maps_.setZero();
    given_.setZero();
    for (Index a = 0; a < problem_.d_model; ++a)
      for (Index g = 0; g < heads_; ++g)
        maps_(a / d_k_, g) += values_.row(a).segment(g * d_k_, d_k_).dot(outputs_.row(a).segment(g * d_k_, d_k_));
    const Index width = problem_.d_model / problem_.relations;
    for (Index a = 0; a < problem_.d_model; ++a)
      for (Index r = 0; r < problem_.relations; ++r)
        given_(a / d_k_, r) += T_.row(a).segment(r * width, width).dot(W_O.row(a).segment(r * width, width));
  }

  void back_of_maps(S unit) {
    const Index d = problem_.d_model;
    const auto W_V = weights(2), W_O = weights(3);
    for (Index a = 0; a < d; ++a)
      for (Index b = 0; b < d; ++b) {
        spread_(a, b) = unit * alike_(a / d_k_, b / d_k_);
        asked_(a, b) = unit * served_(a / d_k_, relation_of(b));
      }
    // By W_V: W_V (spread o outputs) - U (asked o W_O)^T.
    turned_ = asked_.cwiseProduct(W_O).transpose();
    multiply<S>(U_, turned_, product_);
    turned_ = spread_.cwiseProduct(outputs_);
    multiply<S>(W_V, turned_, gradient(2));
    gradient(2) -= product_;
    // By W_O: (spread o values) W_O - asked o T.
    turned_ = spread_.cwiseProduct(values_);
    multiply<S>(turned_, W_O, gradient(3));
    gradient(3) -= asked_.cwiseProduct(T_);
  }

  void back_of_patterns(S unit) {
    const Index n = problem_.tokens;
    maps_ *= unit;
    multiply<S>(maps_, patterns_, by_patterns_);
    for (Index h = 0; h < heads_; ++h)
      for (Index r = 0; r < problem_.relations; ++r)
        for (Index i = 0; i < n; ++i) by_patterns_(h, i * n + place_of(problem_, i, r)) -= unit * given_(h, r);
    Mat<S>& dS_turned = room_;
    dS_turned.resize(n, n);
    for (Index h = 0; h < heads_; ++h) {
      Eigen::Map<Mat<S>> A(patterns_.data() + h * n * n, n, n), dS(by_patterns_.data() + h * n * n, n, n);
      softmax::grad<S>(A, dS, dS);
      dS *= scale_;
      dS_turned = dS.transpose();
      multiply<S>(dS, columns(K_, h), columns(dQ_, h));
      multiply<S>(dS_turned, columns(Q_, h), columns(dK_, h));
    }
    multiply<S>(X_turned_, dQ_, gradient(0));
    multiply<S>(X_turned_, dK_, gradient(1));
  }

  HeadsProblem problem_;
  Index heads_, d_k_;
  S scale_;
  Mat<S> X_, X_turned_, U_;
  FitParameters<S> parameters_;
  Place query_, key_, value_, output_;
  Mat<S> Q_, K_, dQ_, dK_, room_;  // [n x d_model]
  Mat<S> patterns_, by_patterns_;  // [h x n^2]
  Mat<S> alike_, maps_;            // [h x h] <A^h, A^g>, <G_h, G_g>
  Mat<S> served_, given_;          // [h x m] <A^h, P^r>, <G_h, M_r>
  Mat<S> values_, outputs_, T_;    // [d_model x d_model]
  Mat<S> spread_, asked_, turned_, product_;
};

Random start_of(Index heads, std::uint64_t seed, int start) {
  return Random(
      hash("heads", (seed * 1024 + static_cast<std::uint64_t>(heads)) * 64 + static_cast<std::uint64_t>(start)));
}

HeadsFit fit_from(const HeadsProblem& problem, Index heads, const Drawn& drawn, std::uint64_t seed, int start,
                  const Progress& progress) {
  Random random = start_of(heads, seed, start);
  FittedHeads<float> fitted(problem, heads, drawn, random);
  for (int step = 0; step < kHeadsSteps; ++step) {
    progress.check();
    fitted.forward();
    fitted.back();
    fitted.take_step(step);
  }
  HeadsFit fit;
  fit.error = std::max(0.0, fitted.forward());
  fit.served = fitted.served() / static_cast<float>(problem.tokens);
  for (Index h = 0; h < heads; ++h) fit.patterns.emplace_back(fitted.pattern(h));
  return fit;
}

TwoTargets two_of(const HeadsProblem& problem, std::uint64_t seed, const Progress& progress) {
  if (problem.relations < 2) return {};
  const Drawn drawn = drawn_problem(problem, seed);
  Random random(hash("values", seed));
  Mat<float> V(problem.tokens, problem.d_model);
  for (Index k = 0; k < V.size(); ++k) V.data()[k] = static_cast<float>(random.normal());
  std::vector<Index> first, second;
  for (Index i = 0; i < problem.tokens; ++i) {
    first.push_back(place_of(problem, i, 0));
    second.push_back(place_of(problem, i, 1));
  }
  return fit_two_targets(drawn.X.cast<float>(), V, first, second, std::min(problem.tokens, problem.d_model), seed,
                         progress);
}

}  // namespace

void check_problem(const HeadsProblem& problem) {
  const auto refuse = [](const std::string& sentence) { throw InputError(sentence); };
  if (problem.d_model < 1 || problem.d_model > kMostProblemWidth)
    refuse("d_model is " + std::to_string(problem.d_model) + "; heads are fitted in 1 to " +
           std::to_string(kMostProblemWidth));
  if (problem.tokens < 2 || problem.tokens > kMostProblemTokens)
    refuse("there are " + std::to_string(problem.tokens) + " tokens; heads are fitted to 2 to " +
           std::to_string(kMostProblemTokens));
  if (problem.relations < 1 || problem.relations > kMostRelations || problem.relations >= problem.tokens)
    refuse("there are " + std::to_string(problem.relations) + " relations; there may be 1 to " +
           std::to_string(kMostRelations) + ", fewer than tokens");
  if (problem.d_model % problem.relations != 0)
    refuse(std::to_string(problem.relations) + " relations do not divide d_model = " + std::to_string(problem.d_model) +
           "; each needs as many columns of the output");
}

std::vector<Index> usual_fit_heads(Index d_model) {
  std::vector<Index> counts;
  for (Index h = 1; h <= d_model; h *= 2)
    if (d_model % h == 0) counts.push_back(h);
  if (counts.back() != d_model) counts.push_back(d_model);
  return counts;
}

HeadsFit fit_heads(const HeadsProblem& problem, Index heads, std::uint64_t seed, const Progress& progress) {
  const Drawn drawn = drawn_problem(problem, seed);
  HeadsFit best;
  for (int start = 0; start < kHeadsStarts; ++start) {
    HeadsFit fit = fit_from(problem, heads, drawn, seed, start, progress);
    if (start == 0 || fit.error < best.error) best = std::move(fit);
  }
  return best;
}

HeadsCurve fit_heads_curve(const HeadsProblem& problem, std::span<const Index> heads, std::uint64_t first_seed,
                           int seeds, ThreadPool* pool, const Progress& progress) {
  check_problem(problem);
  for (const Index h : heads)
    if (h < 1 || problem.d_model % h != 0)
      throw InputError(std::to_string(h) + " heads do not divide d_model = " + std::to_string(problem.d_model));
  HeadsCurve curve{problem, {}, {}, {}};
  for (int s = 0; s < seeds; ++s) curve.seeds.push_back(first_seed + static_cast<std::uint64_t>(s));
  std::vector<HeadsFit> fits(heads.size() * curve.seeds.size());
  // The most heads first, which take the longest; then the one with two targets.
  parallel_for(pool, static_cast<Index>(fits.size()) + 1, [&](Index task) {
    if (task == static_cast<Index>(fits.size())) {
      curve.two = two_of(problem, first_seed, progress);
    } else {
      const std::size_t k = fits.size() - 1 - static_cast<std::size_t>(task);
      fits[k] = fit_heads(problem, heads[k / curve.seeds.size()], curve.seeds[k % curve.seeds.size()], progress);
    }
    progress.step();
  });
  for (std::size_t k = 0; k < fits.size(); ++k) {
    const Index h = heads[k / curve.seeds.size()];
    if (k % curve.seeds.size() == 0) curve.points.push_back({h, problem.d_model / h, {}, {}});
    HeadsPoint& point = curve.points.back();
    if (point.errors.empty() || fits[k].error < point.best.error) point.best = fits[k];
    point.errors.push_back(fits[k].error);
  }
  return curve;
}

HeadsGradient heads_gradient(const HeadsProblem& problem, Index heads, std::uint64_t seed,
                             const std::vector<Mat<double>>& at) {
  const Drawn drawn = drawn_problem(problem, seed);
  Random random = start_of(heads, seed, 0);
  FittedHeads<double> fitted(problem, heads, drawn, random);
  for (std::size_t k = 0; k < at.size(); ++k) fitted.weights(static_cast<int>(k)) = at[k];
  HeadsGradient made;
  made.error = fitted.forward();
  fitted.back();
  Mat<double>*weights[] = {&made.W_Q, &made.W_K, &made.W_V, &made.W_O},
  *gradients[] = {&made.by_Q, &made.by_K, &made.by_V, &made.by_O};
  for (int k = 0; k < 4; ++k) {
    *weights[k] = fitted.weights(k);
    *gradients[k] = fitted.gradient(k);
  }
  made.X = drawn.X;
  made.U = drawn.U;
  return made;
}

}  // namespace hydra::learn
