// The sweep over numbers of keys and values: multi-head, grouped-query, multi-query.
#include <catch2/catch.hpp>

#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/linalg/same_bits.h"
#include "core/measures/sweep.h"
#include "core/weights/config.h"
#include "tests/core/document/random_edit.h"

using namespace hydra;

namespace {

Document with(const Edit& edit) { return hydra::apply(default_document(), edit); }

// Without those whose norm is kept.
std::vector<SweepEntry> means(std::vector<SweepEntry> entries) {
  std::erase_if(entries, [](const SweepEntry& entry) { return entry.rescaled; });
  return entries;
}
std::vector<SweepEntry> all_of(const Document& document, const std::vector<Index>& counts) {
  return Sweeps(nullptr, Swept::kv_heads).of(document, 0, counts, -1);
}
std::vector<SweepEntry> sharing_of(const Document& document, const std::vector<Index>& counts) {
  return means(all_of(document, counts));
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

TEST_CASE("shared keys: the numbers of sets that are compared", "[core][sharing]") {
  CHECK(usual_kv_head_counts(default_document().layer(0), 12) == std::vector<Index>{8, 4, 2, 1});
  CHECK(usual_kv_head_counts(with(SetHeads{1}).layer(0), 12) == std::vector<Index>{1});
  CHECK(usual_kv_head_counts(with(SetSplit{Split::slice}).layer(0), 12).empty());
  const Document twelve = hydra::apply(with(SetModelWidth{12}), SetHeads{12});
  CHECK(usual_kv_head_counts(twelve.layer(0), 12) == std::vector<Index>{12, 6, 4, 3, 2, 1});
  // All heads' own, one set and the document's number always; others as far as the patterns are not too many to keep.
  const Document many = hydra::apply(with(SetModelWidth{1024}), SetHeads{128});
  CHECK(usual_kv_head_counts(many.layer(0), 12) == std::vector<Index>{128, 64, 32, 16, 8, 4, 2, 1});
  CHECK(usual_kv_head_counts(many.layer(0), kMaxTokens) == std::vector<Index>{128, 1});
  CHECK(usual_kv_head_counts(hydra::apply(many, SetKvHeads{4}).layer(0), kMaxTokens) == std::vector<Index>{128, 4, 1});
  for (const Index tokens : {100, 200, 300, 400}) {
    CAPTURE(tokens);
    const auto count = static_cast<Index>(usual_kv_head_counts(many.layer(0), tokens).size());
    CHECK((count == 2 || count * 128 * tokens * tokens <= kMostSweptCells));
  }
  CHECK_THROWS_AS(sharing_of(default_document(), {3}), InputError);
}

TEST_CASE("shared keys: names, weights and caches by hand", "[core][sharing]") {
  CHECK(std::string(sharing_name(8, 8)) == "multi-head");
  CHECK(std::string(sharing_name(8, 2)) == "grouped-query");
  CHECK(std::string(sharing_name(8, 1)) == "multi-query");
  CHECK(std::string(sharing_name(1, 1)) == "multi-head");
  const std::vector<SweepEntry> entries = sharing_of(default_document(), {8, 4, 2, 1});
  REQUIRE(entries.size() == 4);
  const double weights[] = {16384, 12288, 10240, 9216};    // 2 * 64 * 64 + 2 * 64 * 8 g
  const double numbers[] = {128, 64, 32, 16};              // 2 * 8 g
  const double projections[] = {12288, 8192, 6144, 5120};  // 64 * (8 + 2 g) * 8
  for (std::size_t k = 0; k < 4; ++k) {
    const SweepEntry& e = entries[k];
    CAPTURE(e.kv_heads);
    CHECK(e.heads == 8);
    CHECK(e.d_k == 8);
    CHECK(e.trace->layers[0].input.weights.W_K->cols() == 8 * e.kv_heads);
    CHECK(weight_count(e.sizes) == weights[k]);
    CHECK(kv_cache_bytes(e.sizes, 1, 1, 1) == numbers[k]);
    CHECK(kv_cache_bytes(e.sizes, 4096, 1, 2) == 8192 * numbers[k]);
    CHECK(decoding_step(e.sizes, 4096).projections == projections[k]);
    CHECK(decoding_step(e.sizes, 4096).scores == 8 * 8 * 4096);  // patterns stay, one per head
    CHECK(e.head == -1);
    CHECK(e.scores.values.empty());
  }
  CHECK(entries[0].output_change == 0);
  CHECK(entries[1].output_change > 0.1);
  CHECK(entries[3].effective_heads < entries[0].effective_heads);
}

TEST_CASE("shared keys: each entry is what its document gives alone", "[core][sharing]") {
  const Document document = default_document();
  const Mat<float> own = *evaluate(document)->layers[0].output;
  for (const SweepEntry& e : sharing_of(document, {8, 4, 2, 1})) {
    CAPTURE(e.kv_heads);
    const auto alone = evaluate(hydra::apply(document, SetKvHeads{e.kv_heads}));
    const LayerTrace<float>& layer = alone->layers[0];
    CHECK(same_bits<float>(e.trace->layers[0].output, layer.output));
    const double change = (*layer.output - own).cast<double>().norm() / own.cast<double>().norm();
    CHECK(e.output_change == Approx(change));
    LikenessMatrices likeness;
    likeness.set({layer});
    CHECK(e.effective_heads == effective_heads(likeness.pattern_gram()));
    CHECK(e.mean_js_bits == mean_pairwise(likeness.matrix(Likeness::js_bits)));
    CHECK(e.mean_cosine == mean_pairwise(likeness.matrix(Likeness::cosine)));
  }
}

TEST_CASE("shared keys: what is no multiple of the document's number is not the same", "[core][sharing]") {
  const Document document = hydra::apply(hydra::apply(with(SetModelWidth{48}), SetHeads{6}), SetKvHeads{2});
  const std::vector<SweepEntry> entries = sharing_of(document, {6, 3, 2, 1});
  CHECK(entries[0].output_change == 0);
  CHECK(entries[1].output_change > 0.01);  // heads 3 and 4, of two groups, read the mean of both
  CHECK(entries[2].output_change == 0);
}

TEST_CASE("shared keys: all heads' own stand in the comparison, however long the sentence", "[core][sharing]") {
  const std::vector<Index> counts = usual_kv_head_counts(with(SetKvHeads{2}).layer(0), 1024);
  CHECK(counts.front() == 8);
  CHECK(counts.back() == 1);
  CHECK(std::find(counts.begin(), counts.end(), 2) != counts.end());
}

TEST_CASE("shared keys: multiples only repeat, fewer are means of means", "[core][sharing]") {
  for (const Index own : {1, 2, 4}) {
    const Document document = with(SetKvHeads{own});
    const std::vector<SweepEntry> entries = sharing_of(document, {8, 4, 2, 1});
    for (const SweepEntry& e : entries) {
      CAPTURE(own, e.kv_heads);
      if (e.kv_heads < own) {
        CHECK(e.output_change > 0.01);
        continue;
      }
      CHECK(e.output_change == 0);
      CHECK(same_bits<float>(e.trace->layers[0].output, entries[0].trace->layers[0].output));
      CHECK(e.effective_heads == entries[0].effective_heads);
    }
    // All heads have their share in it, however they were grouped before.
    const AttentionWeights<float> once = with(SetKvHeads{1}).layers[0].weights;
    const AttentionWeights<float>& twice = entries[3].trace->layers[0].input.weights;
    CHECK(once.W_K->isApprox(*twice.W_K, 1e-6f));
  }
}

TEST_CASE("shared keys: with its norm kept the mean of W_K flattens less, and nothing else changes",
          "[core][sharing]") {
  const std::vector<SweepEntry> entries = all_of(default_document(), {8, 4, 2, 1});
  REQUIRE(entries.size() == 7);  // each mean twice
  for (std::size_t k = 1; k < 7; k += 2) {
    const SweepEntry &mean = entries[k], &kept = entries[k + 1];
    CAPTURE(mean.kv_heads);
    REQUIRE(kept.kv_heads == mean.kv_heads);
    CHECK_FALSE(mean.rescaled);
    CHECK(kept.rescaled);
    const AttentionWeights<float>&w = kept.trace->layers[0].input.weights, &plain = mean.trace->layers[0].input.weights;
    CHECK(same_bits<float>(w.W_V, plain.W_V));
    const Index group = 8 / mean.kv_heads;
    for (Index set = 0; set < mean.kv_heads; ++set) {
      const Mat<float> block = w.W_K->middleCols(8 * set, 8), small = plain.W_K->middleCols(8 * set, 8);
      const Mat<float> of = default_document().layers[0].weights.W_K->middleCols(8 * group * set, 8 * group);
      CHECK(block.norm() == Approx(of.norm() / std::sqrt(static_cast<float>(group))));
      CHECK((block / block.norm()).isApprox(small / small.norm(), 1e-5f));
    }
    CHECK(kept.entropy_fraction < mean.entropy_fraction);  // what was flattening
    CHECK(kept.mean_cosine < mean.mean_cosine);
    // Taking it over gives what is shown.
    const auto taken = evaluate(hydra::apply(default_document(), SetKvHeads{mean.kv_heads, true}));
    CHECK(same_bits<float>(taken->layers[0].output, kept.trace->layers[0].output));
  }
  CHECK(all_of(with(SetKvHeads{2}), {8, 4, 2, 1}).size() == 5);  // repeating takes no means
}

TEST_CASE("shared keys: heads that are alike lose nothing", "[core][sharing]") {
  Document document = default_document();  // eight times the same keys and values
  AttentionWeights<float> weights = document.layers[0].weights;
  for (Array<float>* W : {&weights.W_K, &weights.W_V}) *W = share(Mat<float>((*W)->leftCols(8).replicate(1, 8)));
  document = hydra::apply(document, SetWeights{weights, "tool", ""});
  for (const SweepEntry& e : sharing_of(document, {8, 4, 2, 1})) CHECK(e.output_change == 0);
}

TEST_CASE("shared keys: after edits it is what it is from scratch", "[core][sharing]") {
  Random random(31);
  Document document = hydra::apply(hydra::apply(default_document(), SetModelWidth{8}), SetHeads{4});
  Sweeps sweeps(nullptr, Swept::kv_heads);
  int compared = 0;
  for (int k = 0; k < 350; ++k) {
    try {
      document =
          hydra::apply(document, k % 3 == 0 ? random_edit(random, document) : random_block_edit(random, document));
    } catch (const InputError&) {
      continue;
    }
    const auto n = static_cast<Index>(tokens_of(document).size());
    const std::vector<Index> counts = usual_kv_head_counts(document.layer(0), n);
    if (counts.empty()) {
      document = hydra::apply(document, SetSplit{Split::projection});
      continue;
    }
    const std::vector<SweepEntry> kept = sweeps.of(document, 0, counts, -1), scratch = all_of(document, counts);
    REQUIRE(kept.size() == scratch.size());
    for (std::size_t e = 0; e < kept.size(); ++e, ++compared) {
      REQUIRE(same_bits<float>(kept[e].trace->layers[0].output, scratch[e].trace->layers[0].output));
      REQUIRE(same(kept[e].effective_heads, scratch[e].effective_heads));
      REQUIRE(same(kept[e].mean_js_bits, scratch[e].mean_js_bits));
      REQUIRE(same(kept[e].output_change, scratch[e].output_change));
    }
  }
  CHECK(compared > 150);
}

TEST_CASE("shared keys: what an edit does not touch is not computed again", "[core][sharing]") {
  Document document = default_document();
  Sweeps sweeps(nullptr, Swept::kv_heads);
  const std::vector<SweepEntry> before = means(sweeps.of(document, 0, {8, 2}, -1));
  document = hydra::apply(document, set_cell(Quantity::W_Q, 0, 9, 2));  // of the second head
  const std::vector<SweepEntry> after = means(sweeps.of(document, 0, {8, 2}, -1));
  for (std::size_t e = 0; e < 2; ++e) {
    const auto &old = before[e].trace->layers[0].heads, &now = after[e].trace->layers[0].heads;
    CHECK(now[0].attention == old[0].attention);
    CHECK(now[1].attention != old[1].attention);
    CHECK(now[1].K == old[1].K);
  }
  document = hydra::apply(document, set_cell(Quantity::W_K, 0, 9, 2));
  const std::vector<SweepEntry> pooled = means(sweeps.of(document, 0, {8, 2}, -1));
  CHECK(pooled[0].trace->layers[0].heads[0].attention == after[0].trace->layers[0].heads[0].attention);
  CHECK(pooled[1].trace->layers[0].heads[0].attention != after[1].trace->layers[0].heads[0].attention);  // of the group
  CHECK(pooled[1].trace->layers[0].heads[4].attention == after[1].trace->layers[0].heads[4].attention);
}

TEST_CASE("shared keys: designed heads can be compared", "[core][sharing]") {
  Document document = hydra::apply(default_document(), SetEmbedding{Embedding::Kind::features, 1});
  document = hydra::apply(document, DesignHead{0, preset_design(presets().front().preset)});
  const std::vector<SweepEntry> entries = sharing_of(document, usual_kv_head_counts(document.layer(0), 12));
  CHECK(entries.size() == 4);
  CHECK(entries[0].output_change == 0);
  CHECK(entries[3].output_change > 0);
}
