// Derivatives by everything that a layer is made of, against central differences, over all that settings can mix.
#include "core/attention/layer_gradient.h"

#include <catch2/catch.hpp>

#include "core/document/evaluate.h"
#include "tests/core/analysis/random_documents.h"
#include "tests/support/models/double_stack.h"
#include "tests/support/models/layers.h"
#include "tests/support/sanitized.h"

using namespace hydra;

namespace {

using D = Mat<double>;

// A number of what leaves a layer: its entries, each times its own.
class Number {
 public:
  Number(const Trace& trace, int layer) : input_(in_double(trace.layer(layer).input)) {
    stream_ = trace.block(layer).input->cast<double>();
    const LayerGradient walk(input_, stream_);
    const MatView<double> leaves = walk.value(walk.leaves());
    Random random(3);
    by_ = test::random_matrix<double>(random, leaves.rows(), leaves.cols());
  }

  double value() const {
    const LayerGradient walk(input_, stream_);
    return walk.value(walk.leaves()).cwiseProduct(by_).sum();
  }
  LayerGradient back() const {
    LayerGradient walk(input_, stream_);
    walk.back(walk.leaves(), by_);
    return walk;
  }
  LayerInput<double>& input() { return input_; }
  D& stream() { return stream_; }

 private:
  LayerInput<double> input_;
  D stream_, by_;
};

// How much the number changes with what is moved, by central differences of the fourth order: behind a norm of little a
// slope bends too fast for those of the second.
template <class Move>
double slope_of(const Number& number, const Move& move) {
  constexpr double h = 1e-5;
  double at = 0;
  const auto value_at = [&](double to) {
    move(to - at);
    at = to;
    return number.value();
  };
  const double near = value_at(h) - value_at(-h), far = value_at(2 * h) - value_at(-2 * h);
  move(-at);
  return (8 * near - far) / (12 * h);
}

// Some places of a matrix: all of a small one.
template <class Visit>
void for_places(Random& random, Index rows, Index cols, const Visit& visit) {
  constexpr int most = 12;
  if (rows * cols <= most)
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < cols; ++j) visit(i, j);
  else
    for (int k = 0; k < most; ++k)
      visit(static_cast<Index>(random.bits() % static_cast<std::uint64_t>(rows)),
            static_cast<Index>(random.bits() % static_cast<std::uint64_t>(cols)));
}

// relu has a corner, and no central difference there is its slope; a score far beyond its cap has none that is left.
bool is_smooth(const LayerSettings& settings) {
  return !(settings.feed_forward && settings.activation == Activation::relu);
}

}  // namespace

TEST_CASE("layer gradient: the derivatives of a layer of any settings are central differences",
          "[core][layer_gradient]") {
  int layers = 0, places = 0, steep = 0;
  const std::uint64_t seeds = test::kSanitized ? 20 : 150;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const auto trace = evaluate(test::some_document(seed));
    for (int k = 0; k < static_cast<int>(trace->layers.size()); ++k) {
      Number number(*trace, k);
      if (!is_smooth(number.input().settings) || number.stream().cwiseAbs().maxCoeff() > 30) continue;
      ++layers;
      const LayerGradient walk = number.back();
      Random random(seed);
      const auto check = [&](double slope, double expected, const std::string& what) {
        INFO("seed " << seed << " layer " << k << " " << what);
        CHECK(slope == Approx(expected).epsilon(2e-5).margin(2e-6));
        ++places;
        steep += std::abs(expected) > 1e-3;
      };
      const D by_stream = walk.grad(Quantity::X);
      for_places(random, by_stream.rows(), by_stream.cols(), [&](Index i, Index j) {
        check(slope_of(number, [&](double by) { number.stream()(i, j) += by; }), by_stream(i, j), "X");
      });
      for (const Quantity p : program_of(number.input().settings).parameters) {
        Array<double>& W = *field_of(number.input().weights, p);
        if (!W) continue;
        const D by_W = walk.grad(p);
        for_places(random, by_W.rows(), by_W.cols(), [&](Index i, Index j) {
          const auto move = [&](double by) {
            D moved = *W;
            moved(i, j) += by;
            W = share(std::move(moved));
          };
          check(slope_of(number, move), by_W(i, j), entry_of(p).key);
        });
      }
    }
  }
  CHECK(layers > static_cast<int>(seeds) / 4);
  CHECK(places > 30 * layers);
  CHECK(2 * steep > places);
}

TEST_CASE(
    "layer gradient: a weight of a head is seen in that head's derivatives, and none flow through rows set by hand",
    "[core][layer_gradient]") {
  Random random(5);
  LayerInput<double> input = test::random_layer<double>(random, 5, 6, 3);
  const D X = *input.X;
  LayerGradient walk(input, X);
  const D by = test::random_matrix<double>(random, 5, 6);
  walk.back(Quantity::Y, by);
  CHECK(walk.grad(Quantity::W_Q, 1) == walk.grad(Quantity::W_Q).middleCols(2, 2));
  CHECK(walk.grad(Quantity::W_O, 2) == walk.grad(Quantity::W_O).middleRows(4, 2));
  CHECK(walk.grad(Quantity::W_1).size() == 0);  // not of this layer
  CHECK(walk.grad(Quantity::Q, 0).cwiseAbs().maxCoeff() > 1e-6);
  const D before = walk.grad(Quantity::W_Q);

  input.gates = {1, 0, 1};  // a head that is silenced learns nothing
  LayerGradient silenced(input, X);
  silenced.back(Quantity::Y, by);
  CHECK(silenced.grad(Quantity::W_Q, 1).isZero(0));
  CHECK(silenced.grad(Quantity::W_Q, 0) == before.middleCols(0, 2));

  input.gates.clear();
  input.painted.resize(3);
  for (Index row = 0; row < 5; ++row)
    input.painted[0].attention.push_back({row, share(Mat<double>(Mat<double>::Constant(1, 5, 0.2)))});
  LayerGradient painted(input, X);
  painted.back(Quantity::Y, by);
  CHECK(painted.grad(Quantity::W_Q, 0).isZero(0));
  CHECK_FALSE(painted.grad(Quantity::W_V, 0).isZero(0));
}
