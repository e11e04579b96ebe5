// Layers with something around their heads: sums with the stream, norms, feed-forward parts.
#include <catch2/catch.hpp>

#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/explain/links.h"
#include "core/io/file.h"
#include "core/linalg/same_bits.h"
#include "tests/core/analysis/random_documents.h"
#include "tests/support/faults.h"

using namespace hydra;
using Catch::Contains;
using test::fault_at;

namespace {

Document with(Document document, std::initializer_list<std::pair<LayerSetting, double>> settings) {
  for (const auto& [setting, value] : settings) document = hydra::apply(document, SetSetting{setting, value});
  return document;
}

using L = LayerSetting;

Document block() {
  return with(
      hydra::apply(default_document(), SetModelWidth{32}),
      {{L::residual, 1}, {L::norm, 1}, {L::feed_forward, 1}, {L::activation, static_cast<double>(Activation::gelu)}});
}

const Array<float>& stage(const Trace& trace, Quantity quantity, int layer = 0) {
  return trace.block(layer).of(quantity);
}

}  // namespace

TEST_CASE("blocks: a plain layer has nothing around its heads", "[blocks]") {
  const auto trace = evaluate(default_document());
  CHECK(trace->block(0).stages.empty());
  CHECK(trace->block(0).input == trace->X);
  CHECK_FALSE(exists(*trace, {Quantity::stream}));
  CHECK_FALSE(exists(*trace, {Quantity::W_1}));
}

TEST_CASE("blocks: with a residual sum the stream is what entered plus what the heads give", "[blocks]") {
  const Document document = with(default_document(), {{L::residual, 1}});
  const auto trace = evaluate(document);
  CHECK(*stage(*trace, Quantity::stream) == *trace->X + *trace->layer(0).output);
  const auto silent = evaluate(hydra::apply(document, SetWeightSource{Init::zero, 7}));
  CHECK(*stage(*silent, Quantity::stream) == *silent->X);
}

TEST_CASE("blocks: a whole one, stage by stage", "[blocks]") {
  const auto trace = evaluate(block());
  const AttentionWeights<float>& w = trace->layer(0).input.weights;
  CHECK(trace->layer(0).input.X == stage(*trace, Quantity::norm_1));
  CHECK(*stage(*trace, Quantity::stream_1) == *trace->X + *trace->layer(0).output);
  CHECK(w.W_1.cols() == 128);
  const Mat<float> U = *stage(*trace, Quantity::norm_2) * *w.W_1;
  CHECK(U.isApprox(*stage(*trace, Quantity::inner), 1e-5f));
  const Mat<float> F = *stage(*trace, Quantity::hidden) * *w.W_2;
  CHECK(F.isApprox(*stage(*trace, Quantity::feed_forward), 1e-5f));
  CHECK(*stage(*trace, Quantity::stream) ==
        *stage(*trace, Quantity::stream_1) + *stage(*trace, Quantity::feed_forward));
  for (Index i = 0; i < trace->X.rows(); ++i) CHECK(std::abs(stage(*trace, Quantity::norm_1)->row(i).mean()) < 1e-5f);
}

TEST_CASE("blocks: the next layer reads the stream that leaves", "[blocks]") {
  Document document = block();
  document.layers.push_back(document.layer(0));
  const auto trace = evaluate(document);
  CHECK(trace->block(1).input == stage(*trace, Quantity::stream));
  CHECK(input_of(document, 1).X->isApprox(*trace->layer(1).input.X, 0));
}

TEST_CASE("blocks: the feed-forward part moves nothing between tokens", "[blocks]") {
  Document document = block();
  const auto trace = evaluate(document);
  document = hydra::apply(document, SetGates{std::vector<float>(8, 0)});  // so that heads do not, either
  const auto before = evaluate(document);
  const auto after = evaluate(hydra::apply(document, set_cell(Quantity::X, 3, 5, 9)), before.get());
  for (Index i = 0; i < before->X.rows(); ++i) {
    const bool same =
        *stage(*before, Quantity::stream)->row(i).data() == *stage(*after, Quantity::stream)->row(i).data();
    CHECK(same == (i != 3));
  }
}

TEST_CASE("blocks: an edit of the feed-forward part leaves the heads alone", "[blocks]") {
  const Document document = block();
  const auto before = evaluate(document);
  const auto after = evaluate(hydra::apply(document, set_cell(Quantity::W_2, 3, 5, 9)), before.get());
  CHECK(after->layer(0).output == before->layer(0).output);
  for (const Quantity kept :
       {Quantity::norm_1, Quantity::stream_1, Quantity::norm_2, Quantity::inner, Quantity::hidden})
    CHECK(stage(*after, kept) == stage(*before, kept));
  CHECK_FALSE(stage(*after, Quantity::stream) == stage(*before, Quantity::stream));
}

TEST_CASE("blocks: parts come from the seed when they are switched on, and go when they are switched off", "[blocks]") {
  Document document = with(default_document(), {{L::feed_forward, 1}});
  CHECK(document.layer(0).settings.feed_forward_width == 256);
  const AttentionWeights<float> drawn = weights_of(document.layer(0).source, document.layer(0), 64);
  CHECK(*document.layer(0).weights.W_1 == *drawn.W_1);
  CHECK_FALSE(document.layer(0).weights.b_1);
  document = with(document, {{L::gated, 1}, {L::parallel, 1}, {L::norm, 1}, {L::norm_shared, 1}});
  CHECK(document.layer(0).weights.W_3);
  CHECK_FALSE(document.layer(0).weights.gain_2);
  document = with(document, {{L::feed_forward, 0}});  // what needs it goes with it
  CHECK(document.layer(0).settings.feed_forward_width == 0);
  CHECK_FALSE(document.layer(0).settings.parallel);
  CHECK_FALSE(document.layer(0).weights.W_1);
  CHECK(document.layer(0).weights.gain_1);
  document = with(document, {{L::norm, 0}});
  CHECK(same_document(document, default_document()));
}

TEST_CASE("blocks: while heads see slices a tool may change the feed-forward part, not what they read by", "[blocks]") {
  const Document document = hydra::apply(block(), SetSplit{Split::slice});
  const auto with_moved = [&](Quantity weight) {
    AttentionWeights<float> weights = document.layer(0).weights;
    Array<float>& W = *field_of(weights, weight);
    W = make_weight(weight, Mat<float>(2 * *W));
    return SetWeights{weights, "tool", ""};
  };
  for (const Quantity free : {Quantity::W_O, Quantity::W_1, Quantity::W_2})
    CHECK_NOTHROW(hydra::apply(document, with_moved(free)));
  CHECK_THROWS_WITH(hydra::apply(document, with_moved(Quantity::W_K)), fault_at("heads", "whole embedding"));
}

TEST_CASE("blocks: what is possible beside other settings can be switched on, and nothing else", "[blocks]") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Document document = test::random_document(seed);
    const LayerSettings& settings = document.layer(0).settings;
    for (const LayerSettingRow& row : layer_settings()) {
      if (!is_switch(row) || value_of(settings, row) != 0) continue;
      const bool after = settings.norm && settings.norm_place == NormPlace::after;
      if (row.setting == L::parallel && after) continue;                        // is said when it is tried
      if (row.setting == L::alibi && !document.layer(0).own.empty()) continue;  // so is that a head's mask forbids it
      INFO(seed << " " << row.key);
      const auto value = [&] { return value_of(with(document, {{row.setting, 1}}).layer(0).settings, row); };
      if (is_possible(settings, row, document.layer(0).shape(document.d_model)))
        CHECK(value() == 1);
      else if (row.within && value_of(settings, entry_of(*row.within)) == 0)
        CHECK(value() == 0);
      else
        CHECK_THROWS_AS(value(), InputError);
    }
  }
}

TEST_CASE("blocks: settings that do not go together are refused with a sentence", "[blocks]") {
  const Document plain = default_document();
  CHECK_THROWS_WITH(with(plain, {{L::parallel, 1}}),
                    fault_at("a parallel block", "feed-forward part parallel to its heads"));
  CHECK_THROWS_WITH(with(plain, {{L::feed_forward, 1}, {L::norm, 1}, {L::norm_shared, 1}}),
                    fault_at("one norm for both parts", "parallel block"));
  CHECK_THROWS_WITH(with(plain, {{L::feed_forward, 1}, {L::parallel, 1}, {L::norm, 1}, {L::norm_place, 1}}),
                    fault_at("the norm", "must be before"));
  CHECK_THROWS_WITH(with(plain, {{L::feed_forward, 1}, {L::feed_forward_width, 0}}),
                    fault_at("width", "from 1 to 32768"));
  CHECK_THROWS_WITH(with(plain, {{L::feed_forward, 1}, {L::feed_forward_width, 2.5}}),
                    fault_at("width", "whole number"));
  CHECK_THROWS_WITH(hydra::apply(plain, set_cell(Quantity::W_1, 0, 0, 1)), fault_at("W_1", "does not have"));
}

TEST_CASE("blocks: only the layer in focus is whole where there is no room, and the rest is recomputed to the bit",
          "[blocks]") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Document document = test::random_stack(seed);
    const auto whole = evaluate(document);
    auto sparse = evaluate(document, nullptr, nullptr, {0, 0});
    for (int focus = 0; focus < static_cast<int>(document.layers.size()); ++focus) {
      sparse = evaluate(document, sparse.get(), nullptr, {focus, 0});
      test::for_each_matrix(*whole, [&](const Site& site) {
        if (is_asked(site.quantity)) return;
        INFO(seed << " " << spelled(site));
        REQUIRE(same_bits<float>(values_of(*whole, site), values_of(*sparse, site)));
        REQUIRE(stamp_of(*whole, site) == stamp_of(*sparse, site));
      });
    }
  }
}

TEST_CASE("blocks: every kind is written and read back to the bit", "[blocks]") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Document document = test::random_document(seed);
    document.layer(0).painted.clear();
    check_document(document);
    const std::string text = document_text(document);
    const Document again = parse_document(text, "f", {});
    INFO(text);
    REQUIRE(same_document(document, again));
  }
}

TEST_CASE("blocks: a number of the stream comes from the first layer's numbers, and reaches the last", "[blocks]") {
  Document document = block();
  document.layers.push_back(document.layer(0));
  const auto trace = evaluate(document);
  const Cell last{{Quantity::stream, 1}, 4, 7};
  CHECK_FALSE(linked(*trace, last, {Quantity::W_1, 0}).empty());
  CHECK_FALSE(linked(*trace, {{Quantity::W_1, 0}, 2, 3}, last.site).empty());
  // In its own layer the sum reads one number of the stream, and of the feed-forward part.
  const auto regions = linked(*trace, last, {Quantity::feed_forward, 1});
  REQUIRE(regions.size() == 1);
  CHECK(regions[0].row1 - regions[0].row0 == 1);
}
