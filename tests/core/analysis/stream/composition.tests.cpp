#include "core/analysis/stream/composition.h"

#include <catch2/catch.hpp>

#include "core/analysis/forms.h"
#include "tests/core/analysis/random_documents.h"
#include "tests/support/models/layers.h"

using namespace hydra;

namespace {

using Vector = Eigen::VectorXd;

HeadForm rank_one(const Vector& left, const Vector& right) {
  return {left, right, left.squaredNorm() * right.squaredNorm()};
}
Vector axis(Index k) {
  Vector v = Vector::Zero(6);
  v(k) = k == 0 ? 2 : -3;  // sizes and signs do not matter
  return v;
}

// One head on each side.
Composition between(const HeadForm& writes, const HeadForm& asks, const HeadForm& moves) {
  return composition(writes_of(std::vector{writes}), reads_of({asks}, {moves}));
}

Composition between(const LayerInput<float>& earlier, const LayerInput<float>& later, ThreadPool* pool = nullptr) {
  return composition(writes_of(earlier, pool), reads_of(later, pool), pool);
}

LayerInput<float> layer(std::uint64_t seed, Index d_model, Index heads, Index group_size = 1, Index d_k = 0) {
  Random random(seed);
  return test::random_layer<float>(random, 3, d_model, heads, false, group_size, d_k);
}

}  // namespace

TEST_CASE("composition: aligned forms of rank one give 1, orthogonal ones 0", "[composition]") {
  const HeadForm writes = rank_one(axis(3), axis(0));
  const Composition all = between(writes, rank_one(axis(0), axis(0)), rank_one(axis(0), axis(5)));
  CHECK(all.query(0, 0) == Approx(1));
  CHECK(all.key(0, 0) == Approx(1));
  CHECK(all.value(0, 0) == Approx(1));
  const Composition none = between(writes, rank_one(axis(1), axis(2)), rank_one(axis(4), axis(0)));
  CHECK(none.query(0, 0) == 0);
  CHECK(none.key(0, 0) == 0);
  CHECK(none.value(0, 0) == 0);
  const Composition key = between(writes, rank_one(axis(1), axis(0)), rank_one(axis(0) + axis(1), axis(2)));
  CHECK(key.query(0, 0) == 0);
  CHECK(key.key(0, 0) == Approx(1));
  CHECK(key.value(0, 0) == Approx(2 / std::sqrt(13.0)));  // of (2, -3) the first
}

TEST_CASE("composition: the scores are those of the forms written out, whoever shares keys and values, however wide",
          "[composition]") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Random random(seed);
    const Index d_model = test::pick(random, {6, 12}), heads = test::pick(random, {1, 2, 3, 6});
    const Index others = test::pick(random, {1, 2, 3}), group = heads % 2 == 0 ? 2 : 1;
    const auto width = [&] { return test::pick(random, {0, 1, d_model, d_model + 1, 4 * d_model}); };  // 0: d_model / h
    const LayerInput<float> a = layer(seed, d_model, others, 1, width()),
                            b = layer(seed + 1000, d_model, heads, group, width());
    const Composition scores = between(a, b);
    CAPTURE(seed, d_model, heads, others, a.d_k(), b.d_k());
    REQUIRE(scores.query.rows() == others);
    REQUIRE(scores.query.cols() == heads);
    for (Index i = 0; i < others; ++i)
      for (Index g = 0; g < heads; ++g) {
        const Mat<double> OV = a.weights.W_V->middleCols(i * a.d_k(), a.d_k()).cast<double>() *
                               a.weights.W_O->middleRows(i * a.d_k(), a.d_k()).cast<double>();
        const Index kv = b.kv_head(g) * b.d_k();
        const Mat<double> QK = b.weights.W_Q->middleCols(g * b.d_k(), b.d_k()).cast<double>() *
                               b.weights.W_K->middleCols(kv, b.d_k()).transpose().cast<double>();
        const Mat<double> moves = b.weights.W_V->middleCols(kv, b.d_k()).cast<double>() *
                                  b.weights.W_O->middleRows(g * b.d_k(), b.d_k()).cast<double>();
        const auto written_out = [&](const Mat<double>& M) { return (OV * M).norm() / (OV.norm() * M.norm()); };
        CHECK(scores.query(i, g) == Approx(written_out(QK)).margin(1e-6));
        CHECK(scores.key(i, g) == Approx(written_out(QK.transpose())).margin(1e-6));
        CHECK(scores.value(i, g) == Approx(written_out(moves)).margin(1e-6));
        CHECK(scores.query(i, g) <= 1 + 1e-6);
        const HeadOfLayer from{a, i}, to{b, g};
        CHECK(composed_form(from, to, Into::query).isApprox((OV * QK).cast<float>(), 1e-4f));
        CHECK(composed_form(from, to, Into::key).isApprox((OV * QK.transpose()).cast<float>(), 1e-4f));
        CHECK(composed_form(from, to, Into::value).isApprox((OV * moves).cast<float>(), 1e-4f));
      }
  }
}

TEST_CASE("composition: random heads come to 1 / sqrt(d_model), a head that writes nothing to none", "[composition]") {
  double squares = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Composition scores = between(layer(seed, 64, 4), layer(seed + 100, 64, 4));
    squares += scores.query.squaredNorm() + scores.key.squaredNorm() + scores.value.squaredNorm();
  }
  const double mean = std::sqrt(squares / (20 * 3 * 16));
  CHECK(mean == Approx(random_composition(64)).epsilon(0.03));
  LayerInput<float> silent = layer(1, 12, 2);
  silent.weights.W_O = share_rows(Mat<float>(Mat<float>::Zero(12, 12)));
  const Composition none = between(silent, layer(2, 12, 2));
  CHECK(none.query.array().isNaN().all());
  CHECK(none.value.array().isNaN().all());
}

TEST_CASE("composition: the same at any number of threads", "[composition]") {
  const LayerInput<float> a = layer(1, 24, 6), b = layer(2, 24, 6);
  ThreadPool pool(3);
  const Composition one = between(a, b), three = between(a, b, &pool);
  CHECK(one.query == three.query);
  CHECK(one.key == three.key);
  CHECK(one.value == three.value);
}
