// The spread of scores: measured, kept when heads see slices, given to untrained weights on sparse inputs.
#include "core/document/slices.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/analysis/likeness/diversity.h"
#include "core/analysis/score_spread.h"
#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/io/file.h"
#include "core/linalg/same_bits.h"
#include "tests/support/examples.h"
#include "tests/support/faults.h"

using namespace hydra;
using Catch::Contains;
using test::fault_at;

namespace {

const SwitchModel kUntrained{ModelKind::untrained}, kDesigned{ModelKind::designed};

double spread_in(const Document& document) { return score_spread(evaluate(document)->layers[0]); }

Document seeded(std::uint64_t seed) { return hydra::apply(default_document(), SetWeightSource{Init::xavier, seed}); }

double entropy_of(const Document& document) {
  double sum = 0;
  const auto trace = evaluate(document);
  for (const HeadTrace<float>& head : trace->layers[0].heads)
    for (Index row = 0; row < head.attention->rows(); ++row)
      for (Index key = 0; key < head.attention->cols(); ++key)
        if (const auto a = static_cast<double>((*head.attention)(row, key)); a > 0) sum -= a * std::log2(a);
  return sum / 8 / 12 / std::log2(12);
}

}  // namespace

TEST_CASE("score spread: worked by hand, before evaluating as after it", "[core][slices]") {
  LayerTrace<float> layer;
  layer.input.X = share(Mat<float>(Mat<float>::Zero(2, 2)));
  layer.heads.push_back({});
  const float masked = -std::numeric_limits<float>::infinity();
  layer.heads[0].scores = share((Mat<float>(2, 2) << 1, masked, 3, 5).finished());
  CHECK(score_spread(layer) == Approx(std::sqrt(8.0 / 3)));
  CHECK(score_spreads(layer) == std::vector<double>{score_spread(layer)});
  LayerTrace<float> two = layer;  // a second head, of another spread
  two.input.heads = 2;
  two.heads.push_back(layer.heads[0]);
  two.heads[1].scores = share((Mat<float>(2, 2) << 2, 2, 4, 4).finished());
  CHECK(score_spreads(two)[0] == score_spread(layer));
  CHECK(score_spreads(two)[1] == Approx(1));
  for (const Mask::Kind mask : {Mask::Kind::none, Mask::Kind::causal})
    for (const Index heads : {1, 8, 64}) {
      const Document document =
          hydra::apply(hydra::apply(default_document(), SetMask{{mask, nullptr}}), SetHeads{heads});
      CHECK(score_spread(input_of(document, 0)) == Approx(spread_in(document)).epsilon(1e-4));
    }
}

TEST_CASE("slices: without a factor attention flattens, with it the spread stays, over a hundred seeds",
          "[core][slices]") {
  double whole_entropy = 0, kept_entropy = 0, cut_entropy = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Document whole = seeded(seed), cut = hydra::apply(whole, SetSplit{Split::slice}),
                   kept = hydra::apply(whole, SetSplit{Split::slice, true});
    REQUIRE(kept.layers[0].slice_factor);
    CHECK(*kept.layers[0].slice_factor == Approx(8).epsilon(0.6));
    CHECK(spread_in(cut) < 0.3 * spread_in(whole));
    CHECK(spread_in(kept) == Approx(spread_in(whole)).epsilon(1e-4));
    whole_entropy += entropy_of(whole) / 100;
    kept_entropy += entropy_of(kept) / 100;
    cut_entropy += entropy_of(cut) / 100;
    // Back, every number is what it was.
    const Document back = hydra::apply(kept, SetSplit{Split::projection});
    CHECK(same_document(back, whole));
    if (seed > 5) continue;
    CHECK(same_bits<float>(evaluate(back)->layers[0].output, evaluate(whole)->layers[0].output));
    CHECK(same_document(parse_document(document_text(kept), "kept"), kept));
  }
  CAPTURE(whole_entropy, kept_entropy, cut_entropy);
  CHECK(cut_entropy > 0.99);
  CHECK(std::abs(kept_entropy - whole_entropy) < 0.06);
}

TEST_CASE("slices: weights that read nothing else need no factor", "[core][slices]") {
  const Document identity = hydra::apply(default_document(), SetWeightSource{Init::identity, 7});
  const Document cut = hydra::apply(identity, SetSplit{Split::slice, true});
  CHECK(*cut.layers[0].slice_factor == 1);
  CHECK(same_bits<float>(evaluate(cut)->layers[0].output, evaluate(identity)->layers[0].output));
  const Document zero = hydra::apply(default_document(), SetWeightSource{Init::zero, 7});
  CHECK(*hydra::apply(zero, SetSplit{Split::slice, true}).layers[0].slice_factor == 1);
}

TEST_CASE("slices: the factor follows sizes and seeds, and only where it is kept", "[core][slices]") {
  Document document = hydra::apply(default_document(), SetSplit{Split::slice, true});
  for (const Edit& edit : {Edit(SetHeads{4}), Edit(SetHeads{1}), Edit(SetModelWidth{32}), Edit(SetHeads{8}),
                           Edit(SetWeightSource{Init::xavier, 99}), Edit(SetWeightSource{Init::identity, 99})}) {
    CAPTURE(describe(edit));
    document = hydra::apply(document, edit);
    const Document whole = hydra::apply(document, SetSplit{Split::projection});
    CHECK(spread_in(document) == Approx(spread_in(whole)).epsilon(1e-3));
  }
  CHECK(*document.layers[0].slice_factor == 1);
  CHECK_FALSE(
      hydra::apply(hydra::apply(default_document(), SetSplit{Split::slice}), SetHeads{4}).layers[0].slice_factor);
}

TEST_CASE("slices: the factor in files and traces", "[core][slices][file]") {
  const std::string text = R"({"hydrascope": 1, "layers": [{"split": "slice", "slice_factor": 8.5}]})";
  const Document document = parse_document(text, "f");
  CHECK(*document.layers[0].slice_factor == 8.5f);
  CHECK_THAT(document_text(document), Contains("\"slice_factor\": 8.5"));
  CHECK_THAT(trace_text(*evaluate(document)), Contains("\"slice_factor\": 8.5"));
  CHECK_THAT(trace_text(*evaluate(hydra::apply(document, SetSplit{Split::slice}))), Contains("\"slice_factor\": 1,"));
  CHECK_THAT(trace_text(*evaluate(default_document())), !Contains("slice_factor"));
  CHECK_THROWS_WITH(parse_document(R"({"hydrascope": 1, "layers": [{"slice_factor": 8.5}]})", "f"),
                    fault_at("f: /layers/0/slice_factor", "is for slices"));
  CHECK_THROWS_WITH(parse_document(R"({"hydrascope": 1, "layers": [{"split": "slice", "slice_factor": 0}]})", "f"),
                    fault_at("f: /layers/0/slice_factor", "from 0.001 to 10000"));
}

TEST_CASE("gain: untrained weights beside designed ones attend", "[core][slices]") {
  int flat = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Document document = hydra::apply(seeded(seed), SetEmbedding{Embedding::Kind::features, 1});
    flat += spread_in(document) < 0.5;
    document = hydra::apply(document, DesignHead{0, preset_design(presets().front().preset)});
    const Document untrained = hydra::apply(document, kUntrained);
    CHECK(spread_in(untrained) == Approx(1).epsilon(0.02));
    CHECK(is_untrained(untrained.layers[0]));
    if (seed > 3) continue;
    CHECK(same_document(parse_document(document_text(untrained), "u"), untrained));
    CHECK(same_document(hydra::apply(hydra::apply(untrained, kDesigned), kUntrained), untrained));
    // Another seed has it, too; identity weights need none.
    const Document again = hydra::apply(untrained, SetWeightSource{Init::xavier, seed + 1000});
    CHECK(again.layers[0].source.gain == untrained.layers[0].source.gain);
    CHECK(hydra::apply(untrained, SetWeightSource{Init::identity, seed}).layers[0].source.gain == 1);
  }
  CHECK(flat == 100);
  // Chosen anew they have it as well; asked for without, they have not, and keep that for other seeds.
  using Gain = SetWeightSource::Gain;
  Document chosen = hydra::apply(test::designed_heads(), SetWeightSource{Init::xavier, 7});
  CHECK(spread_in(chosen) == Approx(1).epsilon(0.02));
  CHECK(same_document(chosen, hydra::apply(hydra::apply(chosen, SetWeightSource{Init::identity, 7}),
                                           SetWeightSource{Init::xavier, 7})));
  chosen = hydra::apply(chosen, SetWeightSource{Init::xavier, 7, Gain::none});
  CHECK(spread_in(chosen) < 0.5);
  CHECK(hydra::apply(chosen, SetWeightSource{Init::xavier, 8}).layers[0].source.gain == 1);
  CHECK(spread_in(hydra::apply(chosen, SetWeightSource{Init::xavier, 8, Gain::fitted})) == Approx(1).epsilon(0.2));
  // Where scores spread already, untrained weights are those of the seed.
  const Document edited = hydra::apply(default_document(), set_cell(Quantity::W_Q, 0, 0, 1));
  CHECK(hydra::apply(edited, kUntrained).layers[0].source.gain == 1);
  CHECK_THROWS_WITH(parse_document(R"({"hydrascope": 1, "layers": [{"weights": {"gain": -1}}]})", "f"),
                    fault_at("f: /layers/0/weights/gain", "from 0.001 to 10000"));
}
