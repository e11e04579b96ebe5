// Adam over the few matrices of a fit. Private to the fits (fit.cpp, fit_heads.cpp).
#pragma once
#include <cmath>
#include <numbers>
#include <type_traits>
#include <vector>

#include "core/lanes/kernels.h"
#include "core/linalg/random.h"
#include "core/linalg/types.h"

namespace hydra::learn {

// Parameters side by side in one array, so that a step of Adam is one call; with the gradient, which whoever computes
// it overwrites, and the moments.
template <class S>
class FitParameters {
 public:
  struct Place {
    Index rows = 0, cols = 0, at = 0;
    double rate = 1;  // times that of the step
  };
  // Normal numbers of that size, divided by the root of how many are summed: the rows.
  Place add(Index rows, Index cols, double size, double rate, Random& random) {
    const Place place{rows, cols, static_cast<Index>(values_.size()), rate};
    const double factor = size / std::sqrt(static_cast<double>(rows));
    for (Index k = 0; k < rows * cols; ++k) values_.push_back(static_cast<S>(factor * random.normal()));
    for (std::vector<S>* same : {&gradient_, &first_, &second_}) same->resize(values_.size());
    places_.push_back(place);
    return place;
  }
  Eigen::Map<Mat<S>> value(const Place& p) { return {values_.data() + p.at, p.rows, p.cols}; }
  Eigen::Map<Mat<S>> gradient(const Place& p) { return {gradient_.data() + p.at, p.rows, p.cols}; }

  // Kingma and Ba 2015, algorithm 1, with beta 0.9 and 0.99; the rate falls to 0 along half a cosine.
  void take_step(double rate, int step, int steps) {
    const double now = rate * 0.5 * (1 + std::cos(std::numbers::pi * step / steps));
    lanes::AdamStep adam{now, 0.9, 0.99, 1 - std::pow(0.9, step + 1), 1 - std::pow(0.99, step + 1), 1e-8, 0, 1};
    for (const Place& place : places_) {
      adam.rate = now * place.rate;
      kernels().adam(adam, place.at, place.rows * place.cols, gradient_.data(), first_.data(), second_.data(),
                     values_.data());
    }
  }

 private:
  static const lanes::Set<S>& kernels() {
    if constexpr (std::is_same_v<S, float>)
      return lanes::chosen();
    else
      return lanes::reference();
  }
  std::vector<S> values_, gradient_, first_, second_;
  std::vector<Place> places_;
};

}  // namespace hydra::learn
