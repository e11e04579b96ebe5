// The derivatives that the command writes: against the walk of a layer, which goes back by other means, and by hand.
#include "core/learn/opened/gradients.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/attention/layer_gradient.h"
#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/io/file.h"
#include "tests/support/faults.h"

using namespace hydra;
using Catch::Contains;
using learn::square_gradients;
using test::fault_at;

namespace {

Mat<double> some_target(Index rows, Index cols) {
  Mat<double> target(rows, cols);
  for (Index k = 0; k < target.size(); ++k) target.data()[k] = std::sin(static_cast<double>(k));
  return target;
}

}  // namespace

TEST_CASE("gradients: of every layer of a document they are those of the walk", "[learn]") {
  const std::string settings = GENERATE(
      R"("heads": 4)", R"("heads": 2, "mask": "causal", "residual": true, "gates": [0.5, 2])",
      R"("heads": 4, "kv_heads": 2, "residual": true, "norm": {"kind": "rms"}, "feed_forward": {"activation": "gelu"})");
  const Document document = parse_document(
      R"({"hydrascope": 1, "sentence": "the cat sat on the mat", "d_model": 8, "layers": [{)" + settings + "}]}", "f");
  const auto trace = evaluate(document);
  const Mat<double> target = some_target(trace->X.rows(), 8);
  const learn::SquareGradients made = square_gradients(document, target);
  LayerGradient walk(in_double(trace->layer(0).input), trace->X->cast<double>());
  const Mat<double> miss = walk.value(walk.leaves()) - target;
  CHECK(made.loss == Approx(miss.squaredNorm() / static_cast<double>(miss.size())));
  walk.back(walk.leaves(), 2.0 / static_cast<double>(miss.size()) * miss);
  REQUIRE(made.parameters.size() >= 4);
  for (const auto& parameter : made.parameters) {
    INFO(spelled(parameter.site));
    const Mat<double> theirs = walk.grad(parameter.site.quantity);
    CHECK((parameter.values - theirs).norm() <= 1e-6 * theirs.norm());  // X of the walk's trace is of floats
  }
  const Mat<double> by_X = walk.grad(Quantity::X);
  CHECK((made.X - by_X).norm() <= 1e-6 * by_X.norm());
}

TEST_CASE("gradients: one token and one head, by hand", "[learn]") {
  // Y = x W_V W_O, for attention is 1: dL/dW_V = x^T (2/d (Y - T)) W_O^T, and nothing depends on W_Q.
  const Document document = parse_document(
      R"({"hydrascope": 1, "tokens": ["a"], "d_model": 2, "embedding": {"kind": "explicit", "X": [[1, 2]]}, "layers": [{"heads": 1,
      "weights": {"kind": "explicit", "W_Q": [[1, 0], [0, 1]], "W_K": [[1, 0], [0, 1]], "W_V": [[1, 1], [0, 1]],
      "W_O": [[2, 0], [0, 1]]}}]})",
      "f");
  const Mat<double> target = Mat<double>::Zero(1, 2);  // Y = [1, 3] W_O = [2, 3], dL/dY = [2, 3]
  const learn::SquareGradients made = square_gradients(document, target);
  CHECK(made.loss == Approx(6.5));
  const auto of = [&](Quantity quantity) {
    for (const auto& parameter : made.parameters)
      if (parameter.site.quantity == quantity) return parameter.values;
    return Mat<double>();
  };
  CHECK(of(Quantity::W_V).isApprox(Mat<double>{{4, 3}, {8, 6}}));
  CHECK(of(Quantity::W_O).isApprox(Mat<double>{{2, 3}, {6, 9}}));
  CHECK(of(Quantity::W_Q).isZero(0));
  const auto text = nlohmann::json::parse(learn::gradients_text(made));
  CHECK(text.at("layers").at(0).at("W_V") == nlohmann::json::parse("[[4, 3], [8, 6]]"));
}

TEST_CASE("gradients: a target that does not fit is refused with its place", "[learn]") {
  CHECK(learn::parse_target("[[1, 2], [3, 4]]", "t", 2, 2)(1, 0) == 3);
  CHECK(learn::parse_target(R"({"target": [[1, 2]]})", "t", 1, 2)(0, 1) == 2);
  CHECK_THROWS_WITH(learn::parse_target("[[1, 2]]", "t", 2, 2), fault_at("t: the target", "2 rows of 2"));
  CHECK_THROWS_WITH(learn::parse_target("[[1, 2], [3]]", "t", 2, 2), fault_at("t: /1", "2 rows of 2"));
  CHECK_THROWS_WITH(learn::parse_target(R"([[1, 2], [3, "x"]])", "t", 2, 2), fault_at("t: /1/1", "finite number"));
  CHECK_THROWS_AS(learn::parse_target("[[1, 2", "t", 2, 2), InputError);
}
