// Which tokens a part can move numbers between, by derivatives.
#include "core/analysis/stream/routing.h"

#include <catch2/catch.hpp>

#include "core/document/evaluate.h"
#include "tests/core/analysis/random_documents.h"

using namespace hydra;

namespace {

Routing routing_of(const Trace& trace, int layer, Index columns = 1000) {
  return routing(trace.layer(layer), trace.block(layer), columns);
}

}  // namespace

TEST_CASE("routing: a feed-forward part of any kind moves nothing between tokens", "[core][routing]") {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const auto trace = evaluate(test::some_document(seed));
    for (int k = 0; k < static_cast<int>(trace->layers.size()); ++k) {
      const LayerTrace<float>& layer = trace->layer(k);
      if (!layer.input.settings.feed_forward || layer.input.n() < 2) continue;
      const Mat<double> F = routing_of(*trace, k, 3).feed_forward;
      CAPTURE(seed, k);
      REQUIRE(F.rows() == layer.input.n());
      CHECK((F - Mat<double>(F.diagonal().asDiagonal())).isZero(0));
      CHECK(F.diagonal().minCoeff() >= 0);
      ++compared;
    }
  }
  CHECK(compared > 40);
}

TEST_CASE("routing: attention moves numbers where its patterns look, and nowhere else", "[core][routing]") {
  Document document = default_document();
  document.d_model = 8;
  Layer& layer = document.layers.front();
  layer.heads = 2;
  layer.source.seed = 5;
  layer.weights = weights_of(layer.source, layer, 8);
  const auto all = evaluate(document);
  CHECK(routing_of(*all, 0).feed_forward.size() == 0);
  const Mat<double> A = routing_of(*all, 0).attention;
  CHECK(A.minCoeff() > 0);

  layer.mask.kind = Mask::Kind::causal;
  const Mat<double> causal = routing_of(*evaluate(document), 0).attention;
  for (Index i = 0; i < causal.rows(); ++i)
    for (Index j = 0; j < causal.cols(); ++j) CHECK((causal(i, j) > 0) == (j <= i));

  // Silenced heads move nothing.
  layer.gates = {0, 0};
  CHECK(routing_of(*evaluate(document), 0).attention.isZero(0));
}

TEST_CASE("routing: its numbers are how much a number changes, and fewer columns never give more", "[core][routing]") {
  Document document = default_document();
  document.tokens = {"a", "b", "c"};
  document.d_model = 4;
  Layer& layer = document.layers.front();
  layer.heads = 2;
  layer.settings.residual = layer.settings.norm = layer.settings.feed_forward = true;
  layer.settings.activation = Activation::gelu;
  layer.settings.feed_forward_width = 5;
  layer.source.seed = 5;
  layer.weights = weights_of(layer.source, layer, 4);
  const auto trace = evaluate(document);
  const Routing whole = routing_of(*trace, 0), some = routing_of(*trace, 0, 2);
  CHECK(whole.columns == 4);
  CHECK(some.columns == 2);
  CHECK((whole.attention - some.attention).minCoeff() >= 0);

  const float h = 1e-3f;  // of one number of the stream, forwards and back
  Mat<double> largest = Mat<double>::Zero(3, 3);
  for (Index j = 0; j < 3; ++j)
    for (Index k = 0; k < 4; ++k) {
      const auto moved = [&](float by) {
        const Mat<float> X = *trace->X;
        return evaluate(hydra::apply(document, set_cell(Quantity::X, j, k, X(j, k) + by)));
      };
      const Mat<double> difference =
          (*moved(h)->layer(0).output - *moved(-h)->layer(0).output).cast<double>() / (2 * static_cast<double>(h));
      largest.col(j) = largest.col(j).cwiseMax(difference.cwiseAbs().rowwise().maxCoeff());
    }
  CHECK((largest - whole.attention).cwiseAbs().maxCoeff() < 2e-3 * whole.attention.maxCoeff());
}

TEST_CASE("routing: as many columns as are paid for", "[core][routing]") {
  const auto trace = evaluate(default_document());
  CHECK(affordable_columns(trace->layer(0), 0) == 1);
  CHECK(affordable_columns(trace->layer(0), 1e18) == 64);
  const Index some = affordable_columns(trace->layer(0), 1e8);
  CHECK(some >= affordable_columns(trace->layer(0), 5e7));
}
