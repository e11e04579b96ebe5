#include "core/document/sweep.h"

#include <catch2/catch.hpp>

#include "core/document/edit.h"
#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/linalg/same_bits.h"
#include "tests/core/document/random_edit.h"

using namespace hydra;
using Catch::Contains;

TEST_CASE("sweep: the usual head counts", "[core][sweep]") {
  CHECK(usual_head_counts(64) == std::vector<Index>{1, 2, 4, 8, 16, 32, 64});
  CHECK(usual_head_counts(12) == std::vector<Index>{1, 2, 4, 12});
  CHECK(usual_head_counts(1) == std::vector<Index>{1});
  CHECK(usual_head_counts(768) == std::vector<Index>{1, 2, 4, 8, 16, 32, 64, 128});
  CHECK(checked_head_counts({8, 1, 8, 2}, 64) == std::vector<Index>{1, 2, 8});
  CHECK_THROWS_WITH(checked_head_counts({1, 3}, 64), Contains("3"));
  CHECK_THROWS_AS(checked_head_counts({0}, 64), InputError);
  CHECK_THROWS_AS(checked_head_counts({-2}, 64), InputError);
  CHECK_THROWS_AS(checked_head_counts({1 << 20}, 64), InputError);
}

TEST_CASE("sweep: the same combined matrices, cut anew", "[core][sweep]") {
  const Document document = default_document();
  Sweeps sweeps;
  const std::vector<SweepEntry> entries = sweeps.of(document, usual_head_counts(64), 3);
  REQUIRE(entries.size() == 7);
  for (const SweepEntry& entry : entries) {
    CAPTURE(entry.heads);
    const LayerTrace<float>& layer = entry.trace->layers[0];
    CHECK(layer.input.weights.W_Q == document.layers[0].weights.W_Q);
    CHECK(layer.input.weights.W_O == document.layers[0].weights.W_O);
    CHECK(entry.heads * entry.d_k == 64);
    CHECK(static_cast<Index>(entry.shares.size()) == entry.heads);
    CHECK(weight_count(entry.sizes) == 4 * 64 * 64);
    CHECK(entry.scores.numerical_rank <= std::min<Index>(entry.d_k, 12));
    CHECK(entry.any_pattern == (entry.d_k >= 12));
    CHECK(entry.effective_heads >= 1);
    CHECK(entry.effective_heads <= static_cast<double>(entry.heads) + 1e-9);
    CHECK(entry.head == std::min<Index>(3, entry.heads - 1));
    CHECK(entry.entropy_bits > 0);
    CHECK(entry.entropy_bits < std::log2(12));
  }
  CHECK(entries[0].output_change == 0);
  CHECK(entries[3].output_change > 0);
  CHECK(std::isnan(entries[0].mean_cosine));
  CHECK(entries[6].scores.numerical_rank == 1);  // a product of two numbers
  CHECK(same_bits<float>(entries[3].trace->layers[0].output, evaluate(document)->layers[0].output));
}

TEST_CASE("sweep: after edits it is what it is from scratch", "[core][sweep]") {
  Random random(12);
  Document document = hydra::apply(default_document(), SetModelWidth{8});
  Sweeps sweeps;
  const std::vector<Index> counts{1, 2, 8};
  for (int k = 0; k < 40; ++k) {
    try {
      document = hydra::apply(document, random_block_edit(random, document));
    } catch (const InputError&) {
      continue;
    }
    const std::vector<SweepEntry> kept = sweeps.of(document, counts, 1), scratch = Sweeps().of(document, counts, 1);
    for (std::size_t e = 0; e < counts.size(); ++e) {
      REQUIRE(same_bits<float>(kept[e].trace->layers[0].output, scratch[e].trace->layers[0].output));
      REQUIRE(kept[e].scores.values.size() == scratch[e].scores.values.size());
      for (std::size_t s = 0; s < scratch[e].scores.values.size(); ++s) {
        const double value = scratch[e].scores.values[s];
        REQUIRE((kept[e].scores.values[s] == value || std::isnan(value)));
      }
      REQUIRE((kept[e].effective_heads == scratch[e].effective_heads || std::isnan(scratch[e].effective_heads)));
      REQUIRE((kept[e].output_change == scratch[e].output_change || std::isnan(scratch[e].output_change)));
    }
  }
}

TEST_CASE("sweep: the smallest case of a head too narrow for any pattern", "[core][sweep]") {
  // Width 1 and two tokens, X = (1, 0): the second query is 0, so its scores are equal and its row can never leave 1/2.
  Document document = hydra::apply(default_document(), SetModelWidth{1});
  document.tokens = std::vector<std::string>{"a", "b"};
  document.embedding.kind = Embedding::Kind::explicit_values;
  document.embedding.X = share((Mat<float>(2, 1) << 1, 0).finished());
  for (const float weight : {-50.0f, 1.0f, 200.0f}) {
    document = hydra::apply(document, set_cell(Parameter::W_Q, 0, 0, weight));
    const std::vector<SweepEntry> entries = Sweeps().of(document, {1}, 0);
    const Mat<float>& A = *entries[0].trace->layers[0].heads[0].attention;
    CHECK(A(1, 0) == 0.5f);
    CHECK(A(1, 1) == 0.5f);
    CHECK_FALSE(entries[0].any_pattern);
  }
}

TEST_CASE("sweep: equal words leave patterns that no head can make, however wide", "[core][sweep]") {
  Document document = hydra::apply(default_document(), SetSentence{"the the cat the cat"});
  std::vector<SweepEntry> entries = Sweeps().of(document, {1, 8, 64}, 0);
  CHECK(entries[0].any_pattern);  // by their positions they differ
  CHECK(entries[0].input_rank == 5);
  CHECK(entries[1].any_pattern);
  CHECK_FALSE(entries[2].any_pattern);
  CHECK(entries[2].input_rank == -1);  // too narrow anyway
  document.embedding.positions = Embedding::Positions::none;
  entries = Sweeps().of(document, {1, 8, 64}, 0);
  for (const SweepEntry& entry : entries) CHECK_FALSE(entry.any_pattern);
  CHECK(entries[0].input_rank == 2);
  // Of slices the one that the head reads has to have rank n.
  document.embedding.positions = Embedding::Positions::sinusoidal;
  Mat<float> X = *Sweeps().of(document, {1}, 0)[0].trace->X;
  X.leftCols(8).setOnes();
  document.embedding.kind = Embedding::Kind::explicit_values;
  document.tokens = tokens_of(document);
  document.embedding.X = share(std::move(X));
  document = hydra::apply(document, SetSplit{Split::slice});
  CHECK_FALSE(Sweeps().of(document, {8}, 0)[0].any_pattern);
  CHECK(Sweeps().of(document, {8}, 1)[0].any_pattern);
}

TEST_CASE("sweep: of slices only the weights that they read count", "[core][sweep]") {
  const Document document = hydra::apply(default_document(), SetSplit{Split::slice});
  for (const SweepEntry& entry : Sweeps().of(document, {1, 8, 64}, -1)) {
    const AttentionWeights<float>& w = entry.trace->layers.front().input.weights;
    Index counted = 0;
    for (const MatPtr<float>& W : {w.W_Q, w.W_K, w.W_V, w.W_O}) counted += (W->array() != 0).count();
    CHECK(weight_count(entry.sizes) == static_cast<double>(counted));
  }
}

TEST_CASE("sweep: it ends between two entries when it is wanted no more", "[core][sweep]") {
  std::stop_source stop;
  std::vector<int> told;
  const auto finished = [&](int entries) {
    told.push_back(entries);
    if (entries == 2) stop.request_stop();
  };
  Sweeps sweeps;
  CHECK_THROWS_AS(sweeps.of(default_document(), {1, 2, 4, 8}, 0, finished, stop.get_token()), Stopped);
  CHECK(told == std::vector<int>{1, 2});
  CHECK(sweeps.of(default_document(), {1, 2, 4, 8}, 0).size() == 4);
}

TEST_CASE("sweep: the JSON says with how many keys and values the document was not compared", "[core][sweep]") {
  const Document document = default_document();
  const std::vector<SweepEntry> entries = Sweeps().of(document, {1}, -1);
  const auto left_out = [&](const std::vector<Index>& counts) {
    std::string text;
    write_sweep(entries, Sweeps(nullptr, Swept::kv_heads).of(document, counts, -1),
                [&](std::string_view piece) { text += piece; });
    const std::size_t from = text.find("\"kv_left_out\": ");
    REQUIRE(from != std::string::npos);
    return text.substr(from + 15, text.find(']', from) - from - 14);
  };
  CHECK(left_out({8, 4, 2, 1}) == "[]");
  CHECK(left_out({8, 1}) == "[2, 4]");
}
