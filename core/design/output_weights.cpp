#include "core/design/output_weights.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "core/linalg/decompositions.h"
#include "core/linalg/random.h"

namespace hydra {

namespace {

// The Q of a matrix of normal numbers, its columns signed so that R has a positive diagonal: then every orthogonal
// matrix is equally likely (Mezzadri 2007). Where it is not square its columns are orthonormal, or its rows, whichever
// are fewer.
Mat<float> random_orthogonal(Index rows, Index cols, std::uint64_t seed) {
  Random random(hash("W_O", seed));
  Mat<double> normal(std::max(rows, cols), std::min(rows, cols));
  for (Index k = 0; k < normal.size(); ++k) normal.data()[k] = random.normal();
  const Mat<double> Q = signed_Q(normal);
  return (rows < cols ? Mat<double>(Q.transpose()) : Q).cast<float>();
}

Mat<float> average(Index rows, Index cols, Index heads) {
  const Index d_k = rows / heads;
  Mat<float> W_O = Mat<float>::Zero(rows, cols);
  for (Index col = 0; col < cols; ++col)
    for (Index row = col % d_k; row < rows; row += d_k) W_O(row, col) = 1 / static_cast<float>(heads);
  return W_O;
}

Mat<float> only_head(MatIn<float> W_O, Index heads, Index head) {
  const Index d_k = W_O.rows() / heads;
  Mat<float> kept = Mat<float>::Zero(W_O.rows(), W_O.cols());
  kept.middleRows(head * d_k, d_k) = W_O.middleRows(head * d_k, d_k);
  return kept;
}

}  // namespace

const std::vector<OutputPresetEntry>& output_presets() {
  static const std::vector<OutputPresetEntry> entries{
      {OutputPreset::identity, "identity", "designs:output.identity", "designs:output.identity.tip"},
      {OutputPreset::random_orthogonal, "random_orthogonal", "designs:output.random_orthogonal",
       "designs:output.random_orthogonal.tip"},
      {OutputPreset::average, "average", "designs:output.average", "designs:output.average.tip"},
      {OutputPreset::keep_one, "keep_one", "designs:output.keep_one", "designs:output.keep_one.tip"},
  };
  return entries;
}

Mat<float> output_preset(OutputPreset preset, MatIn<float> W_O, Index heads, Index head, std::uint64_t seed) {
  assert(W_O.rows() % heads == 0 && head >= 0 && head < heads);
  switch (preset) {
    case OutputPreset::identity:
      return Mat<float>::Identity(W_O.rows(), W_O.cols());
    case OutputPreset::random_orthogonal:
      return random_orthogonal(W_O.rows(), W_O.cols(), seed);
    case OutputPreset::average:
      return average(W_O.rows(), W_O.cols(), heads);
    case OutputPreset::keep_one:
      break;
  }
  return only_head(W_O, heads, head);
}

SolvedOutput solve_output(const std::vector<OutputExample>& examples, MatIn<float> W_O, const Array<float>& b_O) {
  assert(!examples.empty());
  SolvedOutput solved;
  for (const OutputExample& example : examples) solved.rows += example.concat->rows();
  Mat<double> C(solved.rows, W_O.rows()), target(solved.rows, W_O.cols());
  Index row = 0;
  for (const OutputExample& example : examples) {
    const Index n = example.concat->rows();
    C.middleRows(row, n) = example.concat->cast<double>();
    target.middleRows(row, n) = example.target.cast<double>();
    row += n;
  }
  const double whole = target.squaredNorm();
  if (b_O) target.rowwise() -= b_O->row(0).cast<double>();
  const auto residual = [&](MatIn<float> W) {
    const double squared = (C * W.cast<double>() - target).squaredNorm();
    return whole > 0 ? squared / whole : squared > 0 ? std::numeric_limits<double>::infinity() : 0.0;
  };
  const LeastSquares nearest = least_squares(C, target, 1e-6);  // C was computed in floats
  solved.rank = nearest.rank;
  solved.W_O = nearest.X.cast<float>();
  solved.before = residual(W_O);
  solved.residual = residual(solved.W_O);
  return solved;
}

}  // namespace hydra
