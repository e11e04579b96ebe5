#include "core/explain/overflow.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/io/file.h"
#include "tests/core/document/random_edit.h"

using namespace hydra;
using Catch::Contains;

namespace {

// Two heads of width 2 on three words; X is the same in every row.
Document small() {
  Document document = apply(apply(default_document(), SetModelWidth{4}), SetSentence{"a b c"});
  document = apply(apply(document, SetHeads{2}), SetWeightSource{Init::identity, 7});
  return apply(document, SetBlock{Quantity::X, 0, 0, share(Mat<float>(Mat<float>::Ones(3, 4)))});
}

Document with(const Document& document, Quantity quantity, Index row, Index col, float value) {
  return apply(document, set_cell(quantity, row, col, value));
}

std::shared_ptr<const Overflow> overflow_of(const Document& document) { return evaluate(document)->overflow; }

// What it says, without looking at bounds first.
bool any_not_finite(const Trace& trace) {
  const LayerTrace<float>& layer = trace.layers.front();
  bool found = false;
  for (const Quantity stage : kLayerStages) found |= layer[stage] && !layer[stage]->allFinite();
  for (const HeadTrace<float>& head : layer.heads) {
    for (const Quantity stage : kHeadStages) found |= !is_score(stage) && head[stage] && !head[stage]->allFinite();
    for (Index i = 0; i < head.scores->rows(); ++i)
      for (Index j = 0; j < head.scores->cols(); ++j)
        found |= layer.input.mask.allows(i, j) && !std::isfinite((*head.scores)(i, j));
  }
  return found;
}

}  // namespace

TEST_CASE("overflow: none where every number is finite, masked scores aside", "[core][overflow]") {
  CHECK_FALSE(overflow_of(default_document()));
  CHECK_FALSE(overflow_of(apply(default_document(), SetMask{{Mask::Kind::causal, nullptr}})));
  CHECK_FALSE(overflow_of(with(small(), Quantity::W_Q, 2, 2, 1e18f)));
}

TEST_CASE("overflow: the first number, what it comes from, what becomes of it", "[core][overflow]") {
  // Head 2 reads columns 2 and 3. A query of 1e20 times a key of 1e20 is beyond.
  Document document = with(with(small(), Quantity::W_Q, 2, 2, 1e20f), Quantity::W_K, 2, 2, 1e20f);
  auto overflow = overflow_of(document);
  REQUIRE(overflow);
  CHECK(overflow->cell == Cell{{Quantity::scores, 0, 1}, 0, 0});
  CHECK(overflow->value == std::numeric_limits<float>::infinity());
  CHECK(overflow->heads == std::vector<Index>{1});
  CHECK(overflow->sentence ==
        "head 2: S₂[a → a] is inf: the product of query and key is beyond the largest number, 3.4e38, so the row of "
        "\"a\" in A₂ is not a number.");
  // -inf is a weight of 0, and no mask.
  document = with(document, Quantity::W_K, 2, 2, -1e20f);
  overflow = overflow_of(document);
  REQUIRE(overflow);
  CHECK(overflow->value == -std::numeric_limits<float>::infinity());
  CHECK_THAT(overflow->sentence, Contains("is -inf") && Contains("so its weight is 0"));
  // A query that is beyond itself.
  document = with(with(small(), Quantity::W_Q, 0, 0, 3e38f), Quantity::W_Q, 1, 0, 3e38f);
  overflow = overflow_of(document);
  REQUIRE(overflow);
  CHECK(overflow->cell == Cell{{Quantity::Q, 0, 0}, 0, 0});
  CHECK_THAT(overflow->sentence, Contains("head 1: Q₁[a, 0] is inf: the sum of X times W_Q is beyond"));
  // Every head, and then the layer's sum alone.
  document = small();
  for (const Index k : {0, 2}) document = with(with(document, Quantity::W_Q, k, k, 1e20f), Quantity::W_K, k, k, 1e20f);
  overflow = overflow_of(document);
  REQUIRE(overflow);
  CHECK(overflow->heads == std::vector<Index>{0, 1});
  CHECK_THAT(overflow->sentence, Contains("so it is in head 2"));
  document = with(with(small(), Quantity::W_O, 0, 0, 3e38f), Quantity::W_O, 2, 0, 3e38f);
  overflow = overflow_of(document);
  REQUIRE(overflow);
  CHECK(overflow->cell == Cell{{Quantity::Y}, 0, 0});
  CHECK(overflow->heads.empty());
}

TEST_CASE("overflow: found exactly when a number is not finite, in random documents", "[core][overflow]") {
  const std::uint64_t seed = 31;
  Random random(seed);
  Document document = small();
  int with_overflow = 0;
  for (int k = 0; k < 400; ++k) {
    const Index which = below(random, 9);  // X, or of the heads
    const Quantity quantity = which == 8 ? Quantity::X : kWeights[which];
    const float value = std::ldexp(static_cast<float>(random.uniform(-1, 1)), static_cast<int>(below(random, 128)));
    const bool bias = is_bias(quantity);
    const Index rows = quantity == Quantity::X ? 3 : bias ? 1 : 4;
    document = k % 7 == 0 ? small() : with(document, quantity, below(random, rows), below(random, 4), value);
    if (k % 5 == 0) document = apply(document, SetMask{{Mask::Kind::causal, nullptr}});
    if (k % 11 == 0) document = apply(document, SetGate{below(random, 2), 2});
    if (k % 13 == 0)
      document = apply(document, PaintValue{0, 1, share(RowVec<float>(RowVec<float>::Constant(2, value)))});
    const auto trace = evaluate(document);
    const auto& overflow = trace->overflow;
    CAPTURE(seed, k);
    REQUIRE((overflow != nullptr) == any_not_finite(*trace));
    with_overflow += overflow != nullptr;
  }
  CHECK(with_overflow > 50);
  CHECK(with_overflow < 350);
}

TEST_CASE("overflow: the trace file tells what is masked from what is not finite", "[core][overflow][file]") {
  Document document = with(with(small(), Quantity::W_Q, 2, 2, 1e20f), Quantity::W_K, 2, 2, 1e20f);
  document = apply(document, SetMask{{Mask::Kind::causal, nullptr}});
  const auto file = nlohmann::json::parse(trace_text(*evaluate(document)));
  const auto& head = file.at("layers").at(0).at("heads").at(1);
  CHECK(head.at("scores") ==
        nlohmann::json::parse(R"([["inf", null, null], ["inf", "inf", null], ["inf", "inf", "inf"]])"));
  CHECK(head.at("attention").at(0).at(0) == "nan");
  CHECK(file.at("layers").at(0).at("output").at(0).at(2) == "nan");
  const auto& other = file.at("layers").at(0).at("heads").at(0);
  CHECK(other.at("scores").at(0).at(1).is_null());
  CHECK(other.at("scores").at(1).at(0).is_number());
}
