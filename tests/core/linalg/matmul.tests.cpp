#include "core/linalg/matmul.h"

#include <catch2/catch.hpp>
#include <limits>

#include "core/linalg/same_bits.h"
#include "tests/support/models/layers.h"

using namespace hydra;
using test::random_matrix;

namespace {

// Shapes [m x k] [k x n] on both sides of every threshold.
const std::vector<std::array<Index, 3>>& shapes() {
  static const std::vector<std::array<Index, 3>> list = {
      {1, 1, 1},   {16, 40, 43}, {17, 40, 43},  {11, 8, 24},   {1, 64, 8},    {12, 64, 8},
      {12, 8, 12}, {3, 5, 7},    {12, 512, 64}, {12, 64, 512}, {64, 512, 64}, {63, 64, 65},
      {64, 1, 64}, {64, 200, 1}, {1, 300, 300}, {5, 17, 129},  {100, 90, 80}};
  return list;
}

template <class S>
double largest_error(const Mat<S>& out, const Mat<S>& A, const Mat<S>& B, double scale) {
  const Mat<double> exact = scale * (A.template cast<double>() * B.template cast<double>());
  return (out.template cast<double>() - exact).cwiseAbs().maxCoeff();
}

// A matrix that stands as halves of itself, which are exact; or as it is.
class Halves final : public ToCome<float>, public Elsewhere<float> {
 public:
  Halves(const Mat<float>& values, bool transposed, bool as_they_are)
      : ToCome<float>(values.rows(), values.cols()), transposed_(transposed), as_they_are_(as_they_are) {
    lines_ = (as_they_are ? 1.0f : 0.5f) * values;
    if (transposed) lines_ = lines_.transpose().eval();
  }
  const float* with_rows(Index, Index) const override { throw std::runtime_error("looked at"); }
  bool has_rows(Index, Index) const override { return false; }
  const Elsewhere<float>* elsewhere() const override { return this; }
  bool is_transposed() const override { return transposed_; }
  Index length() const override { return lines_.cols(); }
  const float* lines() const override { return as_they_are_ ? lines_.data() : nullptr; }
  void convert(Index line, Index first, MatOut<float> out) const override {
    out = 2 * lines_.block(line, first, out.rows(), out.cols());
  }

 private:
  bool transposed_, as_they_are_;
  Mat<float> lines_;
};

}  // namespace

TEST_CASE("matmul: what is converted on the way gives the bits of what stands, in blocks too", "[core][matmul]") {
  Random random(7);
  std::vector<std::array<Index, 3>> all = shapes();
  for (const auto& shape : {std::array<Index, 3>{1, 700, 2100}, {1, 2100, 700}, {2, 400, 333}, {40, 500, 300}, {5, 3, 2}})
    all.push_back(shape);
  for (const auto& [m, k, n] : all)
    for (const int form : {0, 1, 2, 3}) {
      CAPTURE(m, k, n, form);
      const Mat<float> A = random_matrix<float>(random, m, k), B = random_matrix<float>(random, k + 5, n + 7),
                       turned = B.block(2, 3, k, n).transpose();
      const Array<float> there(std::make_shared<const Halves>(B, form % 2 == 1, form >= 2), new_stamp());
      const Array<float> part = there.row_block(2, k).columns(3, n);
      Mat<float> ours(m, n), theirs(m, n);
      multiply<float>(A, part, ours);
      multiply<float>(A, B.block(2, 3, k, n), theirs);
      CHECK(same_bits<float>(ours, theirs));
      if (n > 1) {
        Mat<float> some(m, n - 1);
        multiply<float>(A, Factor<float>(part).columns(1, n - 1), some);
        CHECK(same_bits<float>(some, theirs.rightCols(n - 1)));
      }
      const Array<float> lying(std::make_shared<const Halves>(turned, form % 2 == 1, form >= 2), new_stamp());
      multiply_transposed<float>(A, lying, 0.375f, ours);
      multiply_transposed<float>(A, turned, 0.375f, theirs);
      CHECK(same_bits<float>(ours, theirs));
    }
}

TEMPLATE_TEST_CASE("matmul: both products agree with the definition, on blocks too", "[core][matmul]", float, double) {
  using S = TestType;
  Random random(1);
  for (const auto& [m, k, n] : shapes()) {
    CAPTURE(m, k, n);
    const double tolerance = static_cast<double>(k + 4) * std::numeric_limits<S>::epsilon();
    const Mat<S> A = random_matrix<S>(random, m, k), B = random_matrix<S>(random, k, n);
    Mat<S> out = Mat<S>::Constant(m, n, std::numeric_limits<S>::quiet_NaN());
    multiply<S>(A, B, out);
    CHECK(largest_error<S>(out, A, B, 1) <= tolerance);

    // The same numbers as blocks of wider matrices: the bits stay, and nothing beside the block is touched.
    Mat<S> wide_A = random_matrix<S>(random, m, k + 3), wide_B = random_matrix<S>(random, k, n + 5);
    Mat<S> wide_out = Mat<S>::Constant(m, n + 2, 77);
    wide_A.middleCols(2, k) = A;
    wide_B.middleCols(1, n) = B;
    multiply<S>(wide_A.middleCols(2, k), wide_B.middleCols(1, n), wide_out.middleCols(1, n));
    CHECK(largest_error<S>(Mat<S>(wide_out.middleCols(1, n)), A, B, 1) <= tolerance);
    CHECK((wide_out.col(0).array() == 77).all());
    CHECK((wide_out.col(n + 1).array() == 77).all());

    const Mat<S> B_transposed = B.transpose();
    const S scale = S(0.375);
    out.setConstant(std::numeric_limits<S>::quiet_NaN());
    multiply_transposed<S>(A, B_transposed, scale, out);
    CHECK(largest_error<S>(out, A, B, 0.375) <= tolerance);
  }
}

TEMPLATE_TEST_CASE("matmul: columns that are made together have the bits of those made alone", "[core][matmul]", float,
                   double) {
  using S = TestType;
  Random random(3);
  for (Index rows = 1; rows <= 18; ++rows)
    for (const Index width : {1, 3, 4, 8, 12}) {
      CAPTURE(rows, width);
      const Mat<S> A = random_matrix<S>(random, rows, 29), B = random_matrix<S>(random, 29, 6 * width),
                   bias = random_matrix<S>(random, 1, 6 * width);
      std::vector<Mat<S>> made(6, Mat<S>::Constant(rows, width, 77));
      std::vector<ColumnsOut<S>> parts;
      for (const std::size_t k : {0, 1, 3, 4, 5}) {  // a pair, one left out, three; all but one with a bias
        const Index first = static_cast<Index>(k) * width;
        parts.push_back({first, made[k].data(), k == 3 ? nullptr : bias.data() + first});
      }
      multiply_columns<S>(A, B, width, parts);
      CHECK((made[2].array() == 77).all());
      for (const ColumnsOut<S>& part : parts) {
        Mat<S> alone(rows, width);
        multiply<S>(A, B.middleCols(part.first, width), alone);
        if (part.bias) alone.rowwise() += bias.row(0).segment(part.first, width);
        CHECK(same_bits<S>(MatView<S>(Eigen::Map<Mat<S>>(part.out, rows, width)), MatView<S>(alone)));
      }
    }
}

TEMPLATE_TEST_CASE("matmul: a sum of nothing is 0", "[core][matmul]", float, double) {
  using S = TestType;
  for (const Index rows : {1, 6, 20}) {
    const Mat<S> A(rows, 0), B(0, 16);
    Mat<S> out = Mat<S>::Constant(rows, 16, 77);
    multiply<S>(A, B, out);
    CHECK(out.isZero(0));
    out.setConstant(77);
    multiply_transposed<S>(A, B.transpose(), 1, out);
    CHECK(out.isZero(0));
    std::vector<Mat<S>> made(2, Mat<S>::Constant(rows, 8, 77));
    multiply_columns<S>(A, B, 8, std::vector<ColumnsOut<S>>{{0, made[0].data()}, {8, made[1].data()}});
    CHECK(made[0].isZero(0));
    CHECK(made[1].isZero(0));
  }
}

TEMPLATE_TEST_CASE("matmul: the same call gives the same bits", "[core][matmul]", float, double) {
  using S = TestType;
  Random random(2);
  for (const auto& [m, k, n] : shapes()) {
    const Mat<S> A = random_matrix<S>(random, m, k), B = random_matrix<S>(random, k, n);
    Mat<S> first(m, n), again(m, n);
    multiply<S>(A, B, first);
    for (int run = 0; run < 3; ++run) {
      const Mat<S> copy_of_A = A, copy_of_B = B;
      multiply<S>(copy_of_A, copy_of_B, again);
      CHECK(same_bits<S>(MatView<S>(first), MatView<S>(again)));
    }
  }
}
