#include "core/design/output_weights.h"

#include <catch2/catch.hpp>

#include "core/linalg/decompositions.h"
#include "core/text/wording.h"
#include "tests/support/models/layers.h"

using namespace hydra;

namespace {

OutputExample example(const LayerTrace<float>& layer, Mat<float> target) { return {layer.concat, std::move(target)}; }

}  // namespace

TEST_CASE("output weights: what the presets make of C", "[core][output_weights]") {
  Random random(2);
  const LayerTrace<float> layer = forward<float>(test::random_layer<float>(random, 5, 12, 3));
  const Mat<float>&C = *layer.concat, &W_O = *layer.input.weights.W_O;
  const auto made = [&](OutputPreset preset) -> Mat<float> { return C * output_preset(preset, W_O, 3, 1, 4); };
  CHECK(made(OutputPreset::identity) == C);
  const Mat<float> mean = (C.leftCols(4) + C.middleCols(4, 4) + C.rightCols(4)) / 3;
  for (const Index first : {0, 4, 8})
    CHECK((made(OutputPreset::average).middleCols(first, 4) - mean).cwiseAbs().maxCoeff() < 1e-6f);
  CHECK((made(OutputPreset::keep_one) - *layer.heads[1].contribution).cwiseAbs().maxCoeff() < 1e-6f);
  const Mat<float> turned = made(OutputPreset::random_orthogonal);
  for (Index t = 0; t < 5; ++t) CHECK(turned.row(t).norm() == Approx(C.row(t).norm()).epsilon(1e-5));
  const Mat<float> Q = output_preset(OutputPreset::random_orthogonal, W_O, 3, 0, 4);
  CHECK((Q * Q.transpose() - Mat<float>::Identity(12, 12)).cwiseAbs().maxCoeff() < 1e-5f);
  CHECK(Q == output_preset(OutputPreset::random_orthogonal, W_O, 1, 0, 4));
  CHECK(Q != output_preset(OutputPreset::random_orthogonal, W_O, 3, 0, 5));
}

TEST_CASE("output weights: presets where C is wider than Y, and where it is narrower", "[core][output_weights]") {
  Random random(5);
  for (const Index d_k : {2, 6}) {  // 3 heads: 6 or 18 columns of C for 12 of Y
    const LayerTrace<float> layer = forward<float>(test::random_layer<float>(random, 5, 12, 3, false, 1, d_k));
    const Mat<float>&C = *layer.concat, &W_O = *layer.input.weights.W_O;
    const auto made = [&](OutputPreset preset) -> Mat<float> { return C * output_preset(preset, W_O, 3, 1, 4); };
    const Index both = std::min<Index>(12, C.cols());
    CHECK(made(OutputPreset::identity).leftCols(both) == C.leftCols(both));
    CHECK(made(OutputPreset::identity).rightCols(12 - both).isZero(0));
    const Mat<float> mean = (C.leftCols(d_k) + C.middleCols(d_k, d_k) + C.rightCols(d_k)) / 3;
    for (Index first = 0; first < 12; first += d_k)
      CHECK((made(OutputPreset::average).middleCols(first, d_k) - mean).cwiseAbs().maxCoeff() < 1e-6f);
    CHECK((made(OutputPreset::keep_one) - *layer.heads[1].contribution).cwiseAbs().maxCoeff() < 1e-6f);
    const Mat<float> Q = output_preset(OutputPreset::random_orthogonal, W_O, 3, 0, 4);
    const Mat<float> gram = d_k == 2 ? Mat<float>(Q * Q.transpose()) : Mat<float>(Q.transpose() * Q);
    CHECK((gram - Mat<float>::Identity(gram.rows(), gram.rows())).cwiseAbs().maxCoeff() < 1e-5f);
  }
}

TEST_CASE("output weights: every preset has its words", "[core][output_weights]") {
  CHECK(output_presets().size() == 4);
  for (std::size_t k = 0; k < output_presets().size(); ++k) {
    const OutputPresetEntry& entry = output_presets()[k];
    CHECK(static_cast<std::size_t>(entry.preset) == k);
    CHECK(wording(entry.tip).ends_with("."));
  }
}

TEST_CASE("output weights: solving finds the weights that made the target", "[core][output_weights]") {
  Random random(3);
  const LayerTrace<float> layer = forward<float>(test::random_layer<float>(random, 40, 8, 2, true));
  // More tokens than columns: W_O itself is the only answer.
  const SolvedOutput solved =
      solve_output({example(layer, *layer.output)}, Mat<float>::Zero(8, 8), layer.input.weights.b_O);
  CHECK((solved.W_O - *layer.input.weights.W_O).cwiseAbs().maxCoeff() < 1e-3f);
  CHECK(solved.residual < 1e-9);
  CHECK(solved.before > 0.1);
  CHECK(solved.rows == 40);
  CHECK(solved.rank == 8);
}

TEST_CASE("output weights: the residual is of a least-squares fit", "[core][output_weights]") {
  Random random(4);
  const LayerTrace<float> a = forward<float>(test::random_layer<float>(random, 20, 8, 4));
  const LayerTrace<float> b = forward<float>(test::random_layer<float>(random, 15, 8, 4));
  const std::vector<OutputExample> examples{example(a, *a.input.X), example(b, *b.input.X)};
  const SolvedOutput solved = solve_output(examples, *a.input.weights.W_O, nullptr);
  CHECK(solved.rows == 35);
  CHECK(solved.residual > 1e-4);
  CHECK(solved.residual <= solved.before);
  // What is left over is orthogonal to every column of C.
  Mat<double> normal = Mat<double>::Zero(8, 8);
  double squared = 0, whole = 0;
  for (const OutputExample& e : examples) {
    const Mat<double> C = e.concat->cast<double>(), target = e.target.cast<double>();
    const Mat<double> left = C * solved.W_O.cast<double>() - target;
    normal += C.transpose() * left;
    squared += left.squaredNorm();
    whole += target.squaredNorm();
  }
  CHECK(normal.cwiseAbs().maxCoeff() < 1e-4);
  CHECK(solved.residual == Approx(squared / whole));
  // And no other W_O does better.
  for (int k = 0; k < 20; ++k) {
    Mat<float> other = solved.W_O;
    other(static_cast<Index>(random.bits() % 8), static_cast<Index>(random.bits() % 8)) += 0.01f;
    CHECK(solve_output(examples, other, nullptr).before >= solved.residual);
  }
}

TEST_CASE("output weights: few tokens meet any target, in the smallest way", "[core][output_weights]") {
  Random random(5);
  const LayerTrace<float> layer = forward<float>(test::random_layer<float>(random, 3, 8, 2));
  const SolvedOutput solved = solve_output({example(layer, *layer.input.X)}, Mat<float>::Identity(8, 8), nullptr);
  CHECK(solved.rank == 3);
  CHECK(solved.residual < 1e-9);
  // Of least norm: nothing in it that C cannot see.
  const Mat<double> C = layer.concat->cast<double>();
  const OrthogonalFactors rows(C.transpose());
  Mat<double> seen = Mat<double>::Zero(8, 8);
  for (Index k = 0; k < 3; ++k) {
    const Eigen::VectorXd direction = rows.turned(Eigen::VectorXd::Unit(8, k));
    seen += direction * direction.transpose();
  }
  CHECK((seen * solved.W_O.cast<double>() - solved.W_O.cast<double>()).cwiseAbs().maxCoeff() < 1e-5);
}

TEST_CASE("output weights: nothing to see, nothing wanted", "[core][output_weights]") {
  const Array<float> zero = share(Mat<float>(Mat<float>::Zero(4, 8)));
  const SolvedOutput solved = solve_output({{zero, *zero}}, Mat<float>::Identity(8, 8), nullptr);
  CHECK(solved.W_O.isZero(0));
  CHECK(solved.residual == 0);
  CHECK(solved.rank == 0);
}
