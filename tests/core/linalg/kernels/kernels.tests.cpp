// Every set of kernels that this processor runs, against the definitions in double, and against the others.
#include "core/linalg/kernels/kernels.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/error.h"
#include "core/linalg/same_bits.h"
#include "core/ops/activate.h"
#include "tests/support/models/layers.h"

using namespace hydra;
using kernels::Product;
using kernels::Set;
using test::random_matrix;

namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();
constexpr float kBeside = 77;  // what stands beside a block

std::vector<const Set*> sets() {
  const kernels::Sets& all = kernels::supported();
  return {all.of, all.of + all.count};
}

// The first columns of a wider matrix, as operands and results stand in practice.
struct Block {
  Mat<float> all;
  Index cols;
  Block(Mat<float> values, Index beside) : all(values.rows(), values.cols() + beside), cols(values.cols()) {
    all.setConstant(kBeside);
    all.leftCols(cols) = values;
  }
  MatView<float> values() const { return all.leftCols(cols); }
  bool beside_untouched() const { return (all.rightCols(all.cols() - cols).array() == kBeside).all(); }
};

struct Case {
  Block A, B, out;
  Product product;
  Case(Random& random, Index m, Index k, Index n, bool transposed, bool add)
      : A(random_matrix<float>(random, m, k), m % 5),
        B(transposed ? random_matrix<float>(random, n, k) : random_matrix<float>(random, k, n), n % 3),
        out(random_matrix<float>(random, m, n), k % 4),
        product{m,
                n,
                k,
                A.all.data(),
                A.all.cols(),
                B.all.data(),
                B.all.cols(),
                out.all.data(),
                out.all.cols(),
                transposed,
                add,
                add ? 1 : 0.375f} {}
  Mat<double> exact() const {
    const Mat<double> a = A.values().cast<double>(), b = B.values().cast<double>();
    Mat<double> result = product.scale * (product.transposed ? Mat<double>(a * b.transpose()) : Mat<double>(a * b));
    if (product.add) result += out.values().cast<double>();
    return result;
  }
};

Index random_size(Random& random, double most) { return static_cast<Index>(std::pow(most, random.uniform(0, 1))); }

// The kernel's row of softmax, and what it should be.
Mat<float> softmax_of(const Set& set, const Mat<float>& scores) {
  Mat<float> out(scores.rows(), scores.cols());
  set.softmax(scores.data(), scores.cols(), out.data(), out.cols(), scores.rows(), scores.cols());
  return out;
}

bool same(const Mat<float>& a, const Mat<float>& b) { return same_bits<float>(MatView<float>(a), MatView<float>(b)); }

}  // namespace

TEST_CASE("kernels: products agree with the definition, whatever the shape and the strides", "[core][kernels]") {
  Random random(1);
  for (const Set* set : sets())
    for (int k = 0; k < 400; ++k) {
      Case c(random, random_size(random, 300), random_size(random, 500), random_size(random, 90), k % 2 == 1,
             k % 3 == 1);
      CAPTURE(set->name, c.product.m, c.product.k, c.product.n, c.product.transposed, c.product.add);
      const Mat<double> exact = c.exact();
      set->product(c.product);
      const double error = (c.out.values().cast<double>() - exact).cwiseAbs().maxCoeff();
      CHECK(error <= static_cast<double>(c.product.k + 4) * std::numeric_limits<float>::epsilon());
      CHECK(c.out.beside_untouched());
    }
}

TEST_CASE("kernels: a number of a product has the same bits whatever is computed beside it", "[core][kernels]") {
  Random random(2);
  for (const Set* set : sets())
    for (int k = 0; k < 60; ++k) {
      Case c(random, random_size(random, 300), random_size(random, 500), random_size(random, 150), k % 2 == 1, false);
      CAPTURE(set->name, c.product.m, c.product.k, c.product.n, c.product.transposed);
      set->product(c.product);
      const Mat<float> whole = c.out.values();
      for (int cut = 0; cut < 10; ++cut) {
        Product part = c.product;
        const Index i = random_size(random, static_cast<double>(part.m)) - 1;
        const Index j = random_size(random, static_cast<double>(part.n)) - 1;
        part.m = random_size(random, static_cast<double>(part.m - i));
        part.n = random_size(random, static_cast<double>(part.n - j));
        Mat<float> out(part.m, part.n);
        part.A += i * part.A_stride;
        part.B += part.transposed ? j * part.B_stride : j;
        part.out = out.data();
        part.out_stride = part.n;
        set->product(part);
        CAPTURE(i, j, part.m, part.n);
        REQUIRE(same(out, whole.block(i, j, part.m, part.n)));
      }
    }
}

TEST_CASE("kernels: one row by many columns, near and far, has the bits that it has among others", "[core][kernels]") {
  Random random(11);
  for (const Set* set : sets())
    for (const bool transposed : {false, true})
      for (const bool add : {false, true})
        for (const auto& [k, n] : {std::pair<Index, Index>{1, 129},
                                   {7, 300},
                                   {8, 2049},
                                   {100, 131},
                                   {513, 2052},
                                   {300, 4099},
                                   {3, 5},
                                   {1024, 36},
                                   {37, 64}}) {
          Case c(random, 5, k, n, transposed, add);
          CAPTURE(set->name, k, n, transposed, add);
          const Mat<double> exact = c.exact();
          const Mat<float> before = c.out.values();
          set->product(c.product);
          const Mat<float> all = c.out.values();
          REQUIRE((all.cast<double>() - exact).cwiseAbs().maxCoeff() <=
                  static_cast<double>(k + 4) * std::numeric_limits<float>::epsilon());
          for (Index i = 0; i < 5; ++i) {
            Product one = c.product;
            Mat<float> out = before.row(i);
            one.m = 1, one.A += i * one.A_stride, one.out = out.data(), one.out_stride = n;
            set->product(one);
            REQUIRE(same(out, all.row(i)));
          }
        }
}

TEST_CASE("kernels: a sum of nothing is 0, or what is added to", "[core][kernels]") {
  for (const Set* set : sets())
    for (const bool add : {false, true}) {
      Mat<float> out = Mat<float>::Constant(3, 5, 7);
      Product product;
      product.m = 3;
      product.n = 5;
      product.out = out.data();
      product.out_stride = 5;
      product.add = add;
      set->product(product);
      CHECK((out.array() == (add ? 7 : 0)).all());
    }
}

TEST_CASE("kernels: exp is within 2 units in the last place down to the smallest normal numbers, then 0",
          "[core][kernels]") {
  Random random(3);
  for (const Set* set : sets()) {
    std::vector<float> x = {0, -0.0f, -1e-45f, -1e-30f, -87.33f, -0.34657359f, -0.34657362f, -86.643f};
    for (int k = 0; k < 200'000; ++k) x.push_back(static_cast<float>(random.uniform(k % 2 == 0 ? -87.33 : -2, 0)));
    std::vector<float> e = x;
    set->exponentials(e.data(), static_cast<Index>(e.size()), 0);
    double worst = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double exact = std::exp(static_cast<double>(x[k]));
      const double unit = std::ldexp(1.0, std::ilogb(static_cast<float>(exact)) - 23);
      worst = std::max(worst, std::abs(e[k] - exact) / unit);
    }
    CHECK(worst <= 2);
    float small[] = {-87.34f, -88, -1e10f, std::numeric_limits<float>::lowest(), kMasked};
    CHECK(set->exponentials(small, 5, 0) == 0);
    for (const float value : small) CHECK(value == 0);
    float one[] = {3, std::numeric_limits<float>::quiet_NaN()};
    CHECK(set->exponentials(one, 1, 3) == 1);
    CHECK(std::isnan(set->exponentials(one + 1, 1, 0)));
    CHECK(std::isnan(one[1]));
  }
}

TEST_CASE("kernels: squares of what is positive, wherever a number stands", "[core][kernels]") {
  std::vector<float> u;
  for (int k = 0; k < 67; ++k) u.push_back(0.37f * static_cast<float>(k - 30));
  for (const Set* set : sets())
    for (std::size_t first = 0; first < 40; ++first) {
      std::vector<float> out(u.size() - first);
      set->relu_squared(u.data() + first, static_cast<Index>(out.size()), out.data());
      for (std::size_t k = 0; k < out.size(); ++k) {
        const float x = u[first + k];
        CHECK(out[k] == (x > 0 ? x * x : 0));
      }
      out.back() = std::numeric_limits<float>::quiet_NaN();
      set->relu_squared(out.data(), static_cast<Index>(out.size()), out.data());
      CHECK(std::isnan(out.back()));
    }
}

TEST_CASE("kernels: activations agree with the definition, wherever a number stands", "[core][kernels]") {
  struct Kind {
    Activation activation;
    Set::Activate* Set::*kernel;
  };
  const Kind kinds[] = {{Activation::relu, &Set::relu},
                        {Activation::gelu, &Set::gelu},
                        {Activation::gelu_tanh, &Set::gelu_tanh},
                        {Activation::silu, &Set::silu}};
  Random random(5);
  std::vector<float> u = {0, -0.0f, 1e-30f, -1e-30f, 100, -100, 1e30f, -1e30f, std::numeric_limits<float>::max()};
  for (int k = 0; k < 50'000; ++k)
    u.push_back(static_cast<float>(random.uniform(k % 2 == 0 ? -12 : -1, k % 2 == 0 ? 12 : 1)));
  const auto count = static_cast<Index>(u.size());
  for (const auto& [activation, kernel] : kinds) {
    std::vector<float> of_avx2;
    for (const Set* set : sets()) {
      std::vector<float> out(u.size());
      (set->*kernel)(u.data(), count, out.data());
      double worst = 0;
      for (std::size_t k = 0; k < u.size(); ++k) {
        const double at = static_cast<double>(u[k]), size = std::max(std::abs(at), 1e-30);
        worst = std::max(worst, std::abs(out[k] - activate::value(activation, at)) / size);
      }
      CHECK(worst < 4e-7);
      for (Index first = 0, some = 1; first + some < 400; first += some++) {  // in runs of every length
        std::vector<float> part(static_cast<std::size_t>(some));
        (set->*kernel)(u.data() + first, some, part.data());
        CHECK(std::memcmp(part.data(), out.data() + first, part.size() * sizeof(float)) == 0);
      }
      float none[] = {1, std::numeric_limits<float>::quiet_NaN()};
      (set->*kernel)(none, 2, none);
      CHECK(std::isnan(none[1]));
      if (set->name == std::string("avx2")) of_avx2 = out;
      if (set->name == std::string("avx512"))
        CHECK(std::memcmp(of_avx2.data(), out.data(), out.size() * sizeof(float)) == 0);
    }
  }
}

TEST_CASE("kernels: the largest finite size, wherever it stands and whatever stands beside it", "[core][kernels]") {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  for (const Set* set : sets()) {
    CHECK(set->largest_finite(nullptr, 0) == 0);
    const float only[] = {inf, nan, -inf};
    CHECK(set->largest_finite(only, 3) == 0);
    for (Index count = 1; count < 150; ++count)
      for (Index at = 0; at < count; ++at) {
        std::vector<float> values(static_cast<std::size_t>(count), 0.5f);
        if (at > 0) values[static_cast<std::size_t>(at - 1)] = at % 3 == 0 ? nan : at % 3 == 1 ? inf : -inf;
        values[static_cast<std::size_t>(at)] = at % 2 == 0 ? -2.5f : 2.5f;
        CHECK(set->largest_finite(values.data(), count) == 2.5f);
      }
  }
}

TEST_CASE("kernels: softmax agrees with the definition, and its rows with those taken alone", "[core][kernels]") {
  Random random(4);
  for (const Set* set : sets())
    for (Index n = 1; n < 100; n += n < 40 ? 1 : 13) {
      CAPTURE(set->name, n);
      Mat<float> scores = random_matrix<float>(random, 9, n, 20);
      for (Index j = 0; j < n; ++j)
        if (random.uniform(0, 1) < 0.3) scores(j % 9, j) = kMasked;
      scores.row(4).setConstant(kMasked);
      const Mat<float> made = softmax_of(*set, scores);
      for (Index i = 0; i < scores.rows(); ++i) {
        const Eigen::ArrayXd x = scores.row(i).transpose().cast<double>();
        const Eigen::ArrayXd e = x.unaryExpr([](double score) { return std::exp(score); });
        const double sum = e.sum();
        for (Index j = 0; j < n; ++j) {
          if (scores(i, j) == kMasked) CHECK(made(i, j) == 0);
          if (sum > 0) CHECK(made(i, j) == Approx(e(j) / sum).epsilon(5e-6).margin(1e-37));
        }
        CHECK(same(softmax_of(*set, scores.row(i)), made.row(i)));
      }
      Mat<float> in_place = scores;
      set->softmax(in_place.data(), n, in_place.data(), n, in_place.rows(), n);
      CHECK(same(in_place, made));
    }
}

TEST_CASE("kernels: sums over patterns agree with the definitions", "[core][kernels]") {
  Random random(6);
  for (const Set* set : sets())
    for (Index n = 1; n < 200; n += n < 40 ? 1 : 13) {
      CAPTURE(set->name, n);
      Mat<float> a = random_matrix<float>(random, 1, n).cwiseAbs(), b = random_matrix<float>(random, 1, n).cwiseAbs();
      a(0, n / 2) = b(0, n / 2) = 0;
      a(0, n / 3) = 1e-45f;
      const Mat<double> x = a.cast<double>(), y = b.cast<double>();
      double entropy = 0;
      for (Index k = 0; k < n; ++k)
        if (const double m = (x(k) + y(k)) / 2; m > 0) entropy -= m * std::log(m);
      CHECK(set->dot(a.data(), b.data(), n) == Approx(x.cwiseProduct(y).sum()).epsilon(1e-14));
      CHECK(set->dot_doubles(a.data(), y.data(), n) == set->dot(a.data(), b.data(), n));
      CHECK(set->entropy_of_mean(a.data(), b.data(), n) == Approx(entropy).epsilon(1e-13).margin(1e-60));
    }
}

TEST_CASE("kernels: AVX2 and AVX-512 give the same bits", "[core][kernels]") {
  if (kernels::supported().count < 3) return;  // this processor does not have both
  const Set &narrow = kernels::named("avx2"), &wide = kernels::named("avx512");
  Random random(5);
  for (int k = 0; k < 100; ++k) {
    Case c(random, random_size(random, 100), random_size(random, 500), random_size(random, 150), k % 2 == 1, false);
    narrow.product(c.product);
    const Mat<float> first = c.out.values();
    wide.product(c.product);
    CHECK(same(first, c.out.values()));
    const Mat<float> scores = random_matrix<float>(random, 3, random_size(random, 200), 30);
    CHECK(same(softmax_of(narrow, scores), softmax_of(wide, scores)));
    const Mat<float> a = softmax_of(wide, scores), b = a.rowwise().reverse();
    CHECK(narrow.dot(a.data(), b.data(), a.size()) == wide.dot(a.data(), b.data(), a.size()));
    CHECK(narrow.entropy_of_mean(a.data(), b.data(), a.size()) == wide.entropy_of_mean(a.data(), b.data(), a.size()));
  }
}

TEST_CASE("kernels: the widest set is taken unless another is named", "[core][kernels]") {
  const auto all = sets();
  CHECK(&kernels::named(nullptr) == all.back());
  CHECK(&kernels::named("") == all.back());
  for (const Set* set : all) CHECK(&kernels::named(set->name) == set);
  CHECK(std::string(all.front()->name) == "plain");
  try {
    kernels::named("avx3");
    FAIL("avx3 is no set");
  } catch (const InputError& error) {
    CHECK(std::string(error.what())
              .find("HYDRA_KERNELS is \"avx3\", which this processor does not run: name one of plain") == 0);
  }
}
