#include "core/analysis/stream/rollout.h"

#include <catch2/catch.hpp>

#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "tests/core/analysis/random_documents.h"

using namespace hydra;

namespace {

using D = Mat<double>;
constexpr RolloutKind kKinds[] = {RolloutKind::attention, RolloutKind::value_weighted};

// Two words, two layers of one head with these patterns, with residual sums or without.
Document two_words(const D& first, const D& second, bool residual) {
  Document document = default_document();
  document.tokens = std::vector<std::string>{"a", "b"};
  document = hydra::apply(hydra::apply(document, SetModelWidth{4}), SetHeads{1});
  document = hydra::apply(document, {AddLayer{}, 0});
  for (int k = 0; k < 2; ++k) {
    Layer& layer = document.layer(k);
    layer.settings.residual = residual;
    layer.painted.assign(1, {});
    for (Index row = 0; row < 2; ++row) {
      const RowVec<float> weights = (k == 0 ? first : second).row(row).cast<float>();
      layer.painted[0].attention.push_back({row, share(RowVec<float>(weights))});
    }
  }
  return document;
}

}  // namespace

TEST_CASE("rollout: of patterns that look at themselves it is the identity", "[rollout]") {
  const D I = D::Identity(2, 2);
  for (const bool residual : {false, true}) {
    const auto trace = evaluate(two_words(I, I, residual));
    for (const RolloutKind kind : kKinds)
      for (const int layers : {0, 1, 2}) CHECK(rollout(*trace, layers, kind).isApprox(I, 1e-12));
  }
}

TEST_CASE("rollout: two layers worked by hand", "[rollout]") {
  const D first{{0, 1}, {0, 1}}, second{{0, 1}, {1, 0}};
  const auto plain = evaluate(two_words(first, second, false));
  CHECK(rollout(*plain, 1, RolloutKind::attention).isApprox(first, 1e-12));
  CHECK(rollout(*plain, 2, RolloutKind::attention).isApprox(D{{0, 1}, {0, 1}}, 1e-12));
  // (A_1 + I) / 2 = [[.5, .5], [0, 1]], (A_2 + I) / 2 = [[.5, .5], [.5, .5]].
  const auto carried = evaluate(two_words(first, second, true));
  CHECK(rollout(*carried, 1, RolloutKind::attention).isApprox(D{{0.5, 0.5}, {0, 1}}, 1e-12));
  CHECK(rollout(*carried, 2, RolloutKind::attention).isApprox(D{{0.25, 0.75}, {0.25, 0.75}}, 1e-12));
  // Patterns of one key each carry all that they carry from there.
  CHECK(rollout(*carried, 2, RolloutKind::value_weighted).isApprox(D{{0.25, 0.75}, {0.25, 0.75}}, 1e-6));
}

TEST_CASE("rollout: value-weighted, a word that carries nothing counts nothing", "[rollout]") {
  const D half{{0.5, 0.5}, {0.5, 0.5}};
  Document document = two_words(half, half, false);
  document.layer(0).painted[0].values.push_back({0, share(RowVec<float>(RowVec<float>::Zero(4)))});
  const auto trace = evaluate(document);
  CHECK(rollout(*trace, 1, RolloutKind::attention).isApprox(half, 1e-12));
  CHECK(rollout(*trace, 1, RolloutKind::value_weighted).isApprox(D{{0, 1}, {0, 1}}, 1e-12));
}

TEST_CASE(
    "rollout: in random stacks rows sum to 1 where every token sees one, a causal mask stays causal, whatever is kept",
    "[rollout]") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Document document = test::some_document(seed);
    const auto trace = evaluate(document), little = evaluate(document, nullptr, nullptr, {.focus = 0, .most = 0});
    const auto layers = static_cast<int>(document.layers.size());
    const bool causal = std::ranges::all_of(document.layers, &Layer::all_causal);
    const bool all_see = std::ranges::none_of(document.layers, [](const Layer& layer) {
      return layer.mask.kind == Mask::Kind::custom || layer.settings.sink != SinkKind::none;
    });
    CAPTURE(seed);
    for (const RolloutKind kind : kKinds) {
      const D reached = rollout(*trace, layers, kind);
      CHECK(reached == rollout(*little, layers, kind));
      for (Index i = 0; i < reached.rows(); ++i) {
        const double sum = reached.row(i).sum();
        CHECK(sum <= 1 + 1e-4);
        if (all_see && i >= trace->pads && kind == RolloutKind::attention) CHECK(sum == Approx(1).epsilon(1e-4));
        CHECK(reached.row(i).minCoeff() >= 0);
        if (causal) CHECK(reached.row(i).tail(reached.cols() - i - 1).isZero(0));
      }
    }
  }
}
