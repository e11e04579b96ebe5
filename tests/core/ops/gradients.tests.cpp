// The derivatives of every operation, in double, against central differences.
#include <catch2/catch.hpp>
#include <functional>

#include "core/ops/activate.h"
#include "core/ops/differ.h"
#include "core/ops/gate.h"
#include "core/ops/linear.h"
#include "core/ops/mix.h"
#include "core/ops/norm.h"
#include "core/ops/painted.h"
#include "core/ops/rotate.h"
#include "core/ops/scale.h"
#include "core/ops/scores.h"
#include "core/ops/softmax.h"
#include "core/ops/talk.h"
#include "tests/support/models/layers.h"

using namespace hydra;
using namespace hydra::test;

namespace {

using D = Mat<double>;

// The number whose derivatives are taken: the result weighted by given numbers. Masked scores (-inf) do not count.
double weighted(const D& result, const D& by) {
  double sum = 0;
  for (Index k = 0; k < result.size(); ++k)
    if (std::isfinite(result.data()[k])) sum += result.data()[k] * by.data()[k];
  return sum;
}

// Within 1e-6 of the largest, by each number of the operand; number() is what the present operand gives.
void check_gradient(D& operand, const D& gradient, const std::function<double()>& number) {
  REQUIRE(gradient.rows() == operand.rows());
  REQUIRE(gradient.cols() == operand.cols());
  const double size = std::max(1e-3, gradient.cwiseAbs().maxCoeff());
  for (Index k = 0; k < operand.size(); ++k) {
    constexpr double step = 1e-5;
    double& x = operand.data()[k];
    const double kept = x;
    x = kept + step;
    const double above = number();
    x = kept - step;
    const double below = number();
    x = kept;
    CHECK(std::abs((above - below) / (2 * step) - gradient.data()[k]) < 1e-6 * size);
  }
}

}  // namespace

TEST_CASE("ops: linear's gradients are central differences", "[core][ops]") {
  Random random(1);
  for (const bool bias : {false, true}) {
    D X = random_matrix<double>(random, 5, 4), W = random_matrix<double>(random, 4, 3);
    D b = bias ? random_matrix<double>(random, 1, 3) : D();
    const D by = random_matrix<double>(random, 5, 3);
    const auto number = [&] {
      D Y(5, 3);
      linear::forward<double>(X, W, b, Y);
      return weighted(Y, by);
    };
    D dX = D::Zero(5, 4), dW = D::Zero(4, 3), db = D::Zero(1, 3);
    linear::grad_X<double>(W, by, dX);
    linear::grad_W<double>(X, by, dW);
    linear::grad_b<double>(by, db);
    check_gradient(X, dX, number);
    check_gradient(W, dW, number);
    if (bias) check_gradient(b, db, number);
  }
}

TEST_CASE("ops: the gradients of scores, softmax and mix are central differences, one by one and in a row",
          "[core][ops]") {
  Random random(2);
  Mask some = random_mask(random, 6);
  for (const Mask& mask : {Mask(), causal_mask(), some}) {
    D Q = random_matrix<double>(random, 6, 3), K = random_matrix<double>(random, 6, 3);
    D V = random_matrix<double>(random, 6, 4);
    const D by = random_matrix<double>(random, 6, 4), by_scores = random_matrix<double>(random, 6, 6);
    constexpr double factor = 0.7;
    D S(6, 6), A(6, 6), O(6, 4);
    const auto scores_number = [&] {
      scores::forward<double>(Q, K, factor, mask, 0, S);
      return weighted(S, by_scores);
    };
    const auto output_number = [&] {
      scores::forward<double>(Q, K, factor, mask, 0, S);
      softmax::forward<double>(S, A);
      mix::forward<double>(A, V, O);
      return weighted(O, by);
    };
    scores_number();
    const D counted = (S.array() > -1e300).select(by_scores, D::Zero(6, 6));
    D dQ = D::Zero(6, 3), dK = dQ;
    scores::grad_Q<double>(K, factor, counted, dQ);
    scores::grad_K<double>(Q, factor, counted, dK);
    check_gradient(Q, dQ, scores_number);
    check_gradient(K, dK, scores_number);

    output_number();
    D dA = D::Zero(6, 6), dV = D::Zero(6, 4), dS(6, 6);
    mix::grad_A<double>(V, by, dA);
    mix::grad_V<double>(A, by, dV);
    softmax::grad<double>(A, dA, dS);
    dQ.setZero(), dK.setZero();
    scores::grad_Q<double>(K, factor, dS, dQ);
    scores::grad_K<double>(Q, factor, dS, dK);
    const D now_A = A;
    check_gradient(V, dV, output_number);
    check_gradient(Q, dQ, output_number);
    check_gradient(K, dK, output_number);
    D free = now_A;
    check_gradient(free, dA, [&] {
      mix::forward<double>(free, V, O);
      return weighted(O, by);
    });
  }
}

TEST_CASE("ops: the gradients of a soft cap and of a bias by offset are central differences", "[core][ops]") {
  Random random(8);
  scores::Rule<double> rule(0.7, 0.9, 0.3);
  D B = random_matrix<double>(random, 1, 5);
  rule.biases = B.data(), rule.reach = 2;
  D Q = random_matrix<double>(random, 5, 3), K = random_matrix<double>(random, 5, 3);
  const D by = random_matrix<double>(random, 5, 5);
  D S(5, 5);
  const auto number = [&] {
    scores::forward<double>(Q, K, rule, causal_mask(), 0, S);
    return weighted(S, by);
  };
  number();
  D dS = (S.array() > -1e300).select(by, D::Zero(5, 5)), dQ = D::Zero(5, 3), dK = dQ, dB = D::Zero(1, 5);
  scores::grad_biases<double>(dS, 0, dB);
  scores::grad_cap<double>(S, rule, 0, dS);
  scores::grad_Q<double>(K, rule.factor, dS, dQ);
  scores::grad_K<double>(Q, rule.factor, dS, dK);
  check_gradient(Q, dQ, number);
  check_gradient(K, dK, number);
  check_gradient(B, dB, number);
}

TEST_CASE("ops: the gradients of a softmax with a sink are central differences", "[core][ops]") {
  Random random(9);
  for (const Index width : {5, 40}) {
    D S = random_matrix<double>(random, 4, width, 3), sink = D::Constant(1, 1, 0.8);
    const D by = random_matrix<double>(random, 4, width);
    D A(4, width), dS(4, width);
    const auto number = [&] {
      softmax::forward<double>(S, A, sink(0, 0));
      return weighted(A, by);
    };
    number();
    const D now = A;
    softmax::grad<double>(now, by, dS);
    check_gradient(S, dS, number);
    check_gradient(sink, D::Constant(1, 1, softmax::grad_sink<double>(now, by)), number);
  }
}

TEST_CASE("ops: the gradient of a softmax in parts is central differences", "[core][ops]") {
  Random random(11);
  for (const auto& [width, parts] : {std::pair<Index, Index>{6, 2}, {6, 3}, {5, 5}, {34, 2}}) {
    D S = random_matrix<double>(random, 4, width, 3);
    const D by = random_matrix<double>(random, 4, width);
    D A(4, width), dS(4, width);
    const auto number = [&] {
      softmax::forward<double>(S, A, std::nullopt, parts);
      return weighted(A, by);
    };
    number();
    const D now = A;
    softmax::grad<double>(now, by, dS, parts);
    check_gradient(S, dS, number);
  }
}

TEST_CASE("ops: the gradients of an output's gates are central differences", "[core][ops]") {
  Random random(10);
  for (const Index width : {1, 4}) {
    D X = random_matrix<double>(random, 5, 3), W = random_matrix<double>(random, 3, width);
    D O = random_matrix<double>(random, 5, 4), G(5, width), Y(5, 4);
    const D by = random_matrix<double>(random, 5, 4);
    const auto number = [&] {
      gate::open<double>(X, W, G);
      gate::forward<double>(O, G, Y);
      return weighted(Y, by);
    };
    number();
    D dO = D::Zero(5, 4), dG = D::Zero(5, width), dX = D::Zero(5, 3), dW = D::Zero(3, width);
    gate::grad_O<double>(G, by, dO);
    gate::grad_G<double>(O, by, dG);
    gate::grad_open<double>(X, W, G, dG, dX, dW);
    check_gradient(O, dO, number);
    check_gradient(X, dX, number);
    check_gradient(W, dW, number);
  }
}

TEST_CASE("ops: the gradients of what heads hear are central differences, and none come from what is masked",
          "[core][ops]") {
  Random random(11);
  std::vector<D> X;
  for (int h = 0; h < 3; ++h) X.push_back(random_matrix<double>(random, 4, 5));
  D P = random_matrix<double>(random, 3, 3), Y(4, 5);
  const D by = random_matrix<double>(random, 4, 5);
  const auto number = [&] {
    talk::forward<double>(
        P, 1, [&](Index l) -> MatView<double> { return X[static_cast<std::size_t>(l)]; }, Y);
    return weighted(Y, by);
  };
  D dP = D::Zero(3, 3);
  for (Index l = 0; l < 3; ++l) {
    D& part = X[static_cast<std::size_t>(l)];
    D dX = D::Zero(4, 5);
    talk::grad_X<double>(P(1, l), by, dX);
    check_gradient(part, dX, number);
    dP(1, l) = talk::grad_P<double>(part, by);
  }
  check_gradient(P, dP, number);
  X[0](2, 3) = -std::numeric_limits<double>::infinity();
  D masked = by;
  masked(2, 3) = 0;
  CHECK(std::isfinite(talk::grad_P<double>(X[0], masked)));
}

TEST_CASE("ops: the gradients of a difference of two patterns, and of how much of the second, are central differences",
          "[core][ops]") {
  Random random(10);
  D first = random_matrix<double>(random, 4, 4), second = random_matrix<double>(random, 4, 4);
  std::array<D, 4> rows;
  for (D& row : rows) row = random_matrix<double>(random, 1, 3);
  const D by = random_matrix<double>(random, 4, 4);
  const auto lambda = [&] { return differ::lambda<double>(rows[0], rows[1], rows[2], rows[3], 0.3); };
  const auto number = [&] {
    D A(4, 4);
    differ::forward<double>(first, second, lambda(), A);
    return weighted(A, by);
  };
  D d_second = D::Zero(4, 4);
  differ::grad_second<double>(lambda(), by, d_second);
  check_gradient(first, by, number);
  check_gradient(second, d_second, number);
  const double d_lambda = differ::grad_lambda<double>(second, by);
  for (const std::size_t pair : {0u, 2u}) {
    D dq = D::Zero(1, 3), dk = dq;
    differ::grad_rows<double>(rows[pair], rows[pair + 1], pair == 0 ? d_lambda : -d_lambda, dq, dk);
    check_gradient(rows[pair], dq, number);
    check_gradient(rows[pair + 1], dk, number);
  }
}

TEST_CASE("ops: a gate's gradient, and none through rows set by hand", "[core][ops]") {
  Random random(3);
  D X = random_matrix<double>(random, 4, 3);
  const D by = random_matrix<double>(random, 4, 3);
  for (const double at : {0.0, 1.0, 0.6}) {
    const auto number = [&] {
      D Y(4, 3);
      scale::forward<double>(X, at, Y);
      return weighted(Y, by);
    };
    D dX = D::Zero(4, 3);
    scale::grad_X<double>(at, by, dX);
    check_gradient(X, dX, number);
  }
  const std::vector<PaintedRow<double>> rows{{2, share(random_matrix<double>(random, 1, 3))}};
  D d = by;
  painted::grad(rows, d);
  check_gradient(X, d, [&] {
    D Y = X;
    painted::forward<double>(rows, 0, Y);
    return weighted(Y, by);
  });
}

TEST_CASE("ops: a norm's gradients are central differences, of both kinds", "[core][ops]") {
  Random random(5);
  for (const NormKind kind : {NormKind::layer, NormKind::rms})
    for (const auto& [width, parts] : {std::pair<Index, Index>{1, 1}, {2, 1}, {7, 1}, {19, 1}, {4, 2}, {14, 2}}) {
      D X = random_matrix<double>(random, 3, width), gain = random_matrix<double>(random, 1, width);
      D shift = kind == NormKind::layer ? random_matrix<double>(random, 1, width) : D();
      const D by = random_matrix<double>(random, 3, width);
      constexpr double epsilon = 0.01;
      const auto number = [&] {
        D Y(3, width);
        norm::forward<double>(X, gain, shift, kind, epsilon, Y, parts);
        return weighted(Y, by);
      };
      D dX = D::Zero(3, width), dgain = D::Zero(1, width), dshift = dgain;
      norm::grad_X<double>(X, gain, kind, epsilon, by, dX, parts);
      norm::grad_gain<double>(X, kind, epsilon, by, dgain, parts);
      norm::grad_shift<double>(by, dshift);
      check_gradient(X, dX, number);
      check_gradient(gain, dgain, number);
      if (shift.size() > 0) check_gradient(shift, dshift, number);
    }
}

TEST_CASE("ops: an activation's gradients are central differences, gated or not", "[core][ops]") {
  Random random(6);
  for (const Activation activation :
       {Activation::relu, Activation::gelu, Activation::gelu_tanh, Activation::silu, Activation::relu_squared})
    for (const bool gated : {false, true}) {
      D U = random_matrix<double>(random, 4, 5, 3), G = gated ? random_matrix<double>(random, 4, 5) : D();
      const D by = random_matrix<double>(random, 4, 5);
      const auto number = [&] {
        D H(4, 5);
        activate::forward<double>(U, G, activation, H);
        return weighted(H, by);
      };
      D dU = D::Zero(4, 5), dG = dU;
      activate::grad_U<double>(U, G, activation, by, dU);
      activate::grad_G<double>(U, activation, by, dG);
      check_gradient(U, dU, number);
      if (gated) check_gradient(G, dG, number);
    }
}

TEST_CASE("ops: a rotation's gradient is central differences, of both pairings and of part of the width",
          "[core][ops]") {
  Random random(7);
  for (const RotaryPairs pairs : {RotaryPairs::halves, RotaryPairs::neighbours})
    for (const auto& [width, part] : {std::pair<Index, Index>{2, 0}, {4, 0}, {6, 0}, {2, 3}, {4, 5}}) {
      rotate::Rotation rotation{3, width, pairs, part};
      if (width == 4) rotation.scaling = RotaryScaling::linear, rotation.factor = 3, rotation.magnitude = 1.5;
      const Index cols = part == 0 ? 7 : 2 * part;
      D X = random_matrix<double>(random, 4, cols);
      const D by = random_matrix<double>(random, 4, cols);
      D dX = D::Zero(4, cols);
      rotate::grad_X<double>(by, rotation, 2, dX);
      check_gradient(X, dX, [&] {
        D Y(4, cols);
        rotate::forward<double>(X, rotation, 2, Y);
        return weighted(Y, by);
      });
    }
}

TEST_CASE("ops: gradients are added to what is there", "[core][ops]") {
  Random random(4);
  const D A = random_matrix<double>(random, 3, 3), B = random_matrix<double>(random, 3, 3);
  const auto twice = [&](const auto& grad) {
    D once = D::Zero(3, 3), sum = D::Zero(3, 3);
    grad(once);
    grad(sum), grad(sum);
    CHECK((sum - 2 * once).norm() < 1e-14);
  };
  twice([&](D& d) { linear::grad_X<double>(A, B, d); });
  twice([&](D& d) { linear::grad_W<double>(A, B, d); });
  twice([&](D& d) { scores::grad_Q<double>(A, 0.5, B, d); });
  twice([&](D& d) { scores::grad_K<double>(A, 0.5, B, d); });
  twice([&](D& d) { mix::grad_A<double>(A, B, d); });
  twice([&](D& d) { mix::grad_V<double>(A, B, d); });
  twice([&](D& d) { scale::grad_X<double>(0.5, B, d); });
}
