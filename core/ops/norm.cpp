#include "core/ops/norm.h"

#include <array>
#include <cassert>
#include <cmath>

namespace hydra::norm {

namespace {

// The sum over the row, in lanes that the compiler may keep side by side; what is left over comes last.
template <class S, class Term>
double summed(const S* row, Index width, const Term& term) {
  constexpr Index kLanes = 8;
  std::array<double, kLanes> lanes{};
  Index k = 0;
  for (; k + kLanes <= width; k += kLanes)
    for (Index lane = 0; lane < kLanes; ++lane)
      lanes[static_cast<std::size_t>(lane)] += term(static_cast<double>(row[k + lane]));
  double sum = 0;
  for (const double lane : lanes) sum += lane;
  for (; k < width; ++k) sum += term(static_cast<double>(row[k]));
  return sum;
}

}  // namespace

template <class S>
Size size_of(const S* row, Index width, NormKind kind, double epsilon) {
  Size size;
  const auto d = static_cast<double>(width);
  if (kind == NormKind::layer) size.mean = summed(row, width, [](double x) { return x; }) / d;
  const double mean = size.mean;
  size.root = std::sqrt(summed(row, width, [mean](double x) { return (x - mean) * (x - mean); }) / d + epsilon);
  return size;
}

namespace {

// Of each of the parts, its columns.
template <class Task>
void for_parts(Index width, Index parts, const Task& task) {
  assert(width % parts == 0);
  for (Index first = 0; first < width; first += width / parts) task(first, width / parts);
}

}  // namespace

template <class S>
void forward(MatIn<S> X, MatIn<S> gain, MatIn<S> shift, NormKind kind, double epsilon, MatOut<S> Y, Index parts) {
  if (parts > 1)
    return for_parts(X.cols(), parts, [&](Index first, Index width) {
      const Index shifts = shift.size() > 0 ? width : 0;
      forward<S>(X.middleCols(first, width), gain.middleCols(first, width),
                 shift.middleCols(shifts > 0 ? first : 0, shifts), kind, epsilon, Y.middleCols(first, width));
    });
  assert(gain.rows() == 1 && gain.cols() == X.cols() && (shift.size() == 0 || shift.cols() == X.cols()));
  const Index width = X.cols();
  const bool shifted = shift.size() > 0;
  for (Index i = 0; i < X.rows(); ++i) {
    const S* x = X.row(i).data();
    S* y = Y.row(i).data();
    const Size size = size_of(x, width, kind, epsilon);
    for (Index k = 0; k < width; ++k) {
      const double normed = (static_cast<double>(x[k]) - size.mean) / size.root;
      y[k] =
          static_cast<S>(normed * static_cast<double>(gain(0, k)) + (shifted ? static_cast<double>(shift(0, k)) : 0));
    }
  }
}

template <class S>
void forward_of_part(MatIn<S> X, std::span<const double> roots, MatIn<S> gain, MatOut<S> Y) {
  for (Index i = 0; i < X.rows(); ++i)
    for (Index k = 0; k < X.cols(); ++k)
      Y(i, k) = static_cast<S>(static_cast<double>(X(i, k)) / roots[static_cast<std::size_t>(i)] *
                               static_cast<double>(gain(0, k)));
}

// With u = (x - mean) / root and g = dY gain: dX = (g - mean(g) - u mean(g u)) / root; without the mean for RMSNorm.
template <class S>
void grad_X(MatIn<S> X, MatIn<S> gain, NormKind kind, double epsilon, MatIn<S> dY, MatOut<S> dX, Index parts) {
  if (parts > 1)
    return for_parts(X.cols(), parts, [&](Index first, Index width) {
      grad_X<S>(X.middleCols(first, width), gain.middleCols(first, width), kind, epsilon, dY.middleCols(first, width),
                dX.middleCols(first, width));
    });
  const Index width = X.cols();
  RowVec<double> u(width), g(width);
  for (Index i = 0; i < X.rows(); ++i) {
    const Size size = size_of(X.row(i).data(), width, kind, epsilon);
    for (Index k = 0; k < width; ++k) {
      u(k) = (static_cast<double>(X(i, k)) - size.mean) / size.root;
      g(k) = static_cast<double>(dY(i, k)) * static_cast<double>(gain(0, k));
    }
    const double mean = kind == NormKind::layer ? g.mean() : 0, along = g.dot(u) / static_cast<double>(width);
    for (Index k = 0; k < width; ++k) dX(i, k) += static_cast<S>((g(k) - mean - u(k) * along) / size.root);
  }
}

template <class S>
void grad_gain(MatIn<S> X, NormKind kind, double epsilon, MatIn<S> dY, MatOut<S> dgain, Index parts) {
  if (parts > 1)
    return for_parts(X.cols(), parts, [&](Index first, Index width) {
      grad_gain<S>(X.middleCols(first, width), kind, epsilon, dY.middleCols(first, width),
                   dgain.middleCols(first, width));
    });
  for (Index i = 0; i < X.rows(); ++i) {
    const Size size = size_of(X.row(i).data(), X.cols(), kind, epsilon);
    for (Index k = 0; k < X.cols(); ++k)
      dgain(0, k) +=
          static_cast<S>(static_cast<double>(dY(i, k)) * (static_cast<double>(X(i, k)) - size.mean) / size.root);
  }
}

template <class S>
void grad_shift(MatIn<S> dY, MatOut<S> dshift) {
  dshift.row(0) += dY.colwise().sum();
}

#define HYDRA_NORM(S)                                                                         \
  template Size size_of<S>(const S*, Index, NormKind, double);                                \
  template void forward<S>(MatIn<S>, MatIn<S>, MatIn<S>, NormKind, double, MatOut<S>, Index); \
  template void forward_of_part<S>(MatIn<S>, std::span<const double>, MatIn<S>, MatOut<S>);   \
  template void grad_X<S>(MatIn<S>, MatIn<S>, NormKind, double, MatIn<S>, MatOut<S>, Index);  \
  template void grad_gain<S>(MatIn<S>, NormKind, double, MatIn<S>, MatOut<S>, Index);         \
  template void grad_shift<S>(MatIn<S>, MatOut<S>);
HYDRA_NORM(float)
HYDRA_NORM(double)
#undef HYDRA_NORM

}  // namespace hydra::norm
