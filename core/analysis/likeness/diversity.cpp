#include "core/analysis/likeness/diversity.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <limits>

#include "core/linalg/decompositions.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

constexpr double kNotDefined = std::numeric_limits<double>::quiet_NaN();

// Has the singular values of the factor's product with anything: the R of its QR, or itself when that is no smaller.
Eigen::MatrixXd reduced(MatIn<float> factor) {
  Eigen::MatrixXd values = factor.cast<double>();
  if (factor.rows() <= factor.cols()) return values;
  return OrthogonalFactors(values).R();
}

// Of a matrix that has the singular values of an m x n one.
Spectrum spectrum_of(const Eigen::MatrixXd& matrix, Index m, Index n) {
  Spectrum spectrum;
  const Index count = std::min(matrix.rows(), matrix.cols());
  spectrum.values.assign(static_cast<std::size_t>(count), kNotDefined);
  spectrum.effective_rank = kNotDefined;
  if (!matrix.allFinite()) return spectrum;
  const Eigen::VectorXd values = singular_values(matrix);
  std::copy_n(values.data(), count, spectrum.values.begin());
  const double threshold = zero_level(m, n) * spectrum.values.front();
  spectrum.numerical_rank =
      std::count_if(spectrum.values.begin(), spectrum.values.end(), [&](double value) { return value > threshold; });
  spectrum.effective_rank = effective_number(spectrum.values);
  return spectrum;
}

}  // namespace

double zero_level(Index m, Index n) {
  return static_cast<double>(std::max(m, n)) * static_cast<double>(std::numeric_limits<float>::epsilon());
}

double effective_number(const std::vector<double>& values) {
  double sum = 0, entropy = 0;
  for (const double value : values) sum += std::max(value, 0.0);
  if (!(sum > 0)) return 0;
  for (const double value : values)
    if (value > 0) entropy -= value / sum * std::log(value / sum);
  return std::exp(entropy);
}

Mat<double> cosines_of(const Mat<double>& gram) {
  Mat<double> cosines(gram.rows(), gram.cols());
  for (Index i = 0; i < gram.rows(); ++i)
    for (Index g = 0; g < gram.cols(); ++g) {
      const double sizes = std::sqrt(gram(i, i) * gram(g, g));  // exact where both are the same
      cosines(i, g) = sizes > 0 ? std::min(gram(i, g) / sizes, 1.0) : kNotDefined;
    }
  return cosines;
}

double effective_heads(const Mat<double>& pattern_gram) {
  const Mat<double> cosines = cosines_of(pattern_gram).unaryExpr([](double c) { return std::isnan(c) ? 0 : c; });
  const Eigen::VectorXd values = eigenvalues(cosines);  // a Gram matrix's singular values
  // What rounding leaves of eigenvalues that are 0 would count as a head each.
  std::vector<double> counted;
  for (const double value : values)
    if (value > 1e-14 * values.maxCoeff()) counted.push_back(value);
  return effective_number(counted);
}

std::string effective_sentence(Index heads, double effective) {
  if (!(effective > 0)) return wording("core:diversity.none", {{"n", heads}});
  char rank[32];
  std::snprintf(rank, sizeof rank, "%.1f", effective);
  return wording("core:diversity", {{"n", heads}, {"rank", rank}});
}

double mean_pairwise(MatIn<double> values) {
  double sum = 0;
  Index count = 0;
  for (Index i = 0; i < values.rows(); ++i)
    for (Index g = 0; g < values.cols(); ++g)
      if (i != g && std::isfinite(values(i, g))) sum += values(i, g), ++count;
  return count > 0 ? sum / static_cast<double>(count) : kNotDefined;
}

Spectrum product_spectrum(MatIn<float> left, MatIn<float> right) {
  assert(left.cols() == right.cols());
  return spectrum_of(reduced(left) * reduced(right).transpose(), left.rows(), right.rows());
}

Spectrum matrix_spectrum(MatIn<float> matrix) {
  return spectrum_of(matrix.cast<double>(), matrix.rows(), matrix.cols());
}

Spectrum query_key_spectrum(const AttentionWeights<float>& weights, Index heads, Index head) {
  const Index d_k = weights.W_Q.cols() / heads;
  return product_spectrum(weights.W_Q->middleCols(head * d_k, d_k),
                          weights.W_K->middleCols(kv_column(weights, heads, head), d_k));
}

}  // namespace hydra
