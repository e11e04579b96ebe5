#include "core/measures/sweep_seeds.h"

#include <catch2/catch.hpp>
#include <functional>

#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/linalg/decompositions.h"
#include "core/linalg/same_bits.h"
#include "tests/core/document/random_edit.h"
#include "tests/support/faults.h"
#include "tests/support/models/layers.h"

using namespace hydra;
using Catch::Contains;
using test::fault_at;

TEST_CASE("sweep: the usual head counts", "[core][sweep]") {
  CHECK(usual_head_counts(64) == std::vector<Index>{1, 2, 4, 8, 16, 32, 64});
  CHECK(usual_head_counts(12) == std::vector<Index>{1, 2, 4, 12});
  CHECK(usual_head_counts(1) == std::vector<Index>{1});
  CHECK(usual_head_counts(768) == std::vector<Index>{1, 2, 4, 8, 16, 32, 64, 128});
  CHECK(checked_head_counts({8, 1, 8, 2}, 64, 64) == std::vector<Index>{1, 2, 8});
  CHECK_THROWS_WITH(checked_head_counts({1, 3}, 64, 64), fault_at("3 heads", "do not divide d_model 64"));
  CHECK_THROWS_AS(checked_head_counts({0}, 64, 64), InputError);
  CHECK_THROWS_AS(checked_head_counts({-2}, 64, 64), InputError);
  CHECK_THROWS_AS(checked_head_counts({1 << 20}, 64, 64), InputError);
}

TEST_CASE("sweep: the same combined matrices, cut anew", "[core][sweep]") {
  const Document document = default_document();
  Sweeps sweeps;
  const std::vector<SweepEntry> entries = sweeps.of(document, 0, usual_head_counts(64), 3);
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
    CHECK(entry.any_pattern == (entry.d_k >= 11 ? AnyPattern::yes : AnyPattern::no));
    CHECK(entry.effective_heads >= 1);
    CHECK(entry.effective_heads <= static_cast<double>(entry.heads) + 1e-9);
    CHECK(entry.head == std::min<Index>(3, entry.heads - 1));
    CHECK(entry.entropy_bits > 0);
    CHECK(entry.entropy_bits < std::log2(12));
  }
  CHECK(entries[3].output_change == 0);  // eight heads, as the document has
  CHECK(entries[0].output_change > 0);
  CHECK(std::isnan(entries[0].mean_cosine));
  CHECK(entries[6].scores.numerical_rank == 1);  // a product of two numbers
  CHECK(entries[6].scores_over_heads.rank.most == 1);
  CHECK(entries[6].pattern_over_heads.rank.count == 64);
  CHECK(entries[6].pattern_over_heads.rank.least < entries[6].pattern_over_heads.rank.most);
  CHECK(entries[3].scores_over_heads.median.front() == 1);
  REQUIRE(entries[3].scores_over_heads.median.size() == 8);
  for (std::size_t k = 0; k < 8; ++k) {
    CHECK(entries[3].scores_over_heads.least[k] <= entries[3].scores_over_heads.median[k]);
    CHECK(entries[3].scores_over_heads.median[k] <= entries[3].scores_over_heads.most[k]);
  }
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
    const std::vector<SweepEntry> kept = sweeps.of(document, 0, counts, 1),
                                  scratch = Sweeps().of(document, 0, counts, 1);
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
    document = hydra::apply(document, set_cell(Quantity::W_Q, 0, 0, weight));
    const std::vector<SweepEntry> entries = Sweeps().of(document, 0, {1}, 0);
    const MatView<float> A = *entries[0].trace->layers[0].heads[0].attention;
    CHECK(A(1, 0) == 0.5f);
    CHECK(A(1, 1) == 0.5f);
    CHECK(entries[0].any_pattern == AnyPattern::no);
  }
}

TEST_CASE("sweep: equal words leave patterns that no head can make, however wide", "[core][sweep]") {
  Document document = hydra::apply(default_document(), SetSentence{"the the cat the cat"});
  std::vector<SweepEntry> entries = Sweeps().of(document, 0, {1, 8, 64}, 0);
  CHECK(entries[0].any_pattern == AnyPattern::yes);  // by their positions they differ
  CHECK(entries[0].input_rank == 5);
  CHECK(entries[1].any_pattern == AnyPattern::yes);
  CHECK(entries[2].any_pattern == AnyPattern::no);
  CHECK(entries[2].input_rank == -1);  // too narrow anyway
  document.embedding.positions = Embedding::Positions::none;
  entries = Sweeps().of(document, 0, {1, 8, 64}, 0);
  for (const SweepEntry& entry : entries) CHECK(entry.any_pattern == AnyPattern::no);
  CHECK(entries[0].input_rank == 2);
  // Of slices the one that the head reads has to have rank n.
  document.embedding.positions = Embedding::Positions::sinusoidal;
  Mat<float> X = *Sweeps().of(document, 0, {1}, 0)[0].trace->X;
  X.leftCols(8).setOnes();
  document.embedding.kind = Embedding::Kind::explicit_values;
  document.tokens = tokens_of(document);
  document.embedding.X = share(std::move(X));
  document = hydra::apply(document, SetSplit{Split::slice});
  CHECK(Sweeps().of(document, 0, {8}, 0)[0].any_pattern == AnyPattern::no);
  CHECK(Sweeps().of(document, 0, {8}, 1)[0].any_pattern == AnyPattern::yes);
}

TEST_CASE("sweep: what a head of enough dimensions can make depends on what is done to its scores", "[core][sweep]") {
  // Wide: d_k = 64 of 12 tokens of rank 12; narrow: d_k = 1.
  const auto of = [](const std::function<void(Layer&)>& change) {
    Document document = default_document();
    change(document.layers[0]);
    fit_parameters(document.layers[0], document.d_model);
    const std::vector<SweepEntry> entries = Sweeps().of(document, 0, {1, 64}, 0);
    return std::pair(entries[0].any_pattern, entries[1].any_pattern);
  };
  using Pair = std::pair<AnyPattern, AnyPattern>;
  constexpr AnyPattern yes = AnyPattern::yes, no = AnyPattern::no, unknown = AnyPattern::unknown;
  CHECK(of([](Layer&) {}) == Pair(yes, no));
  CHECK(of([](Layer& layer) { layer.mask.kind = Mask::Kind::causal; }) == Pair(yes, no));
  // One number is enough for a window of two, whatever n is.
  CHECK(of([](Layer& layer) { layer.mask.kind = Mask::Kind::causal, layer.settings.window = 2; }) ==
        Pair(yes, unknown));
  CHECK(of([](Layer& layer) { layer.settings.alibi = true; }) == Pair(yes, no));
  CHECK(of([](Layer& layer) { layer.settings.offset_bias = true; }) == Pair(yes, unknown));
  CHECK(of([](Layer& layer) { layer.settings.soft_cap = 5; }) == Pair(no, no));
  CHECK(of([](Layer& layer) { layer.settings.qk_norm = true; }) == Pair(no, no));
  CHECK(of([](Layer& layer) { layer.settings.sink = SinkKind::zero; }) == Pair(no, no));
  CHECK(of([](Layer& layer) { layer.settings.talking_heads = TalkingHeads::after; }) == Pair(unknown, unknown));
}

TEST_CASE("sweep: no W_Q and W_K come over what a soft cap allows", "[core][sweep]") {
  // Two weights of a row are apart by a factor of e^(2 c) at most.
  Document document = default_document();
  document.layers[0].settings.soft_cap = 1;
  for (const float weight : {10.0f, 1000.0f}) {
    document = hydra::apply(document, set_cell(Quantity::W_Q, 0, 0, weight));
    const std::vector<SweepEntry> entries = Sweeps().of(document, 0, {1}, 0);
    const MatView<float> A = *entries[0].trace->layers[0].heads[0].attention;
    for (Index i = 0; i < A.rows(); ++i) CHECK(A.row(i).maxCoeff() <= A.row(i).minCoeff() * std::exp(2.0f) * 1.0001f);
  }
}

TEST_CASE("sweep: a layer whose rank is below n is refused only where that is proved", "[core][sweep]") {
  LayerInput<float> input;
  input.X = share(Mat<float>(Mat<float>::Zero(2, 4)));
  input.heads = 1;
  input.weights.W_Q = share(Mat<float>(Mat<float>::Zero(4, 4)));
  // Behind a causal mask (x, 2 x) makes every row (a, 1 - a): the scores of x and 2 x differ by any number.
  CHECK(any_pattern(input, 0, 2, 1) == AnyPattern::no);
  input.mask.kind = Mask::Kind::causal;
  CHECK(any_pattern(input, 0, 2, 1) == AnyPattern::unknown);
  input.mask.kind = Mask::Kind::none;
  input.settings.rotary = true;
  CHECK(any_pattern(input, 0, 2, 1) == AnyPattern::unknown);
  input.settings.rotary = false;
  // x, -x with a bias b of the queries: the rows (x W_Q + b) and (-x W_Q + b) are any two.
  input.weights.b_Q = share(Mat<float>(Mat<float>::Ones(1, 4)));
  CHECK(any_pattern(input, 0, 2, 1) == AnyPattern::unknown);
  CHECK(any_pattern(input, 0, 3, 1) == AnyPattern::no);
  CHECK(any_pattern(input, 0, 2, 2) == AnyPattern::yes);
  CHECK(any_pattern(input, 0, 1, 0) == AnyPattern::yes);
}

TEST_CASE("sweep: n - 1 dimensions make any positive pattern", "[core][sweep]") {
  // log A less its last column differs from it by a constant in each row, which softmax ignores, and has a column of
  // zeros: Q takes the others, K picks them.
  Random random(5);
  for (const Index n : {2, 3, 5, 12})
    for (int trial = 0; trial < 50; ++trial) {
      LayerInput<double> input;
      const Index d_k = n - 1, d_model = std::max<Index>(2, 2 * d_k);
      input.heads = d_model / d_k;
      input.X = share(test::random_matrix<double>(random, n, d_model));
      Mat<double> pattern = test::random_matrix<double>(random, n, n).array().exp();
      for (Index i = 0; i < n; ++i) pattern.row(i) /= pattern.row(i).sum();
      Mat<double> scores = pattern.array().log();
      scores.colwise() -= Eigen::VectorXd(scores.col(n - 1));
      Mat<double> Q = scores.leftCols(d_k) * std::sqrt(static_cast<double>(d_k)), K = Mat<double>::Identity(n, d_k);
      const auto whole = [&](const Mat<double>& wanted) {
        Mat<double> W = Mat<double>::Zero(d_model, d_model);
        W.leftCols(d_k) = least_squares(*input.X, wanted, 1e-14).X;
        return share(std::move(W));
      };
      input.weights = {whole(Q), whole(K), whole(Q), share(Mat<double>(Mat<double>::Identity(d_model, d_model))),
                       nullptr,  nullptr,  nullptr,  nullptr};
      const LayerTrace<double> layer = forward<double>(input);
      CHECK((*layer.heads[0].attention - pattern).cwiseAbs().maxCoeff() < 1e-7);
    }
}

TEST_CASE("sweep: below n - 1 there are patterns that no head makes, whatever X is", "[core][sweep]") {
  // Ones on the diagonal of log A, zeros below it: with the first key's scores taken away what stands below and on the
  // diagonal has rank n - 1, so no d_k < n - 1 holds it, also where a causal mask leaves what is above it free.
  for (const Index n : {3, 5, 9}) {
    Mat<double> wanted = Mat<double>::Zero(n - 1, n - 1);
    Random random(static_cast<std::uint64_t>(n));
    for (Index i = 0; i < n - 1; ++i) {
      wanted(i, i) = 1;
      for (Index j = i + 1; j < n - 1; ++j) wanted(i, j) = random.normal();  // free
    }
    CHECK(matrix_spectrum(wanted.cast<float>()).numerical_rank == n - 1);
  }
}

TEST_CASE("sweep over seeds: the document's own among them, none where it is the only one", "[core][sweep]") {
  const Document document = default_document();
  const std::vector<Index> counts{1, 4, 64};
  const std::vector<SweepEntry> own = Sweeps().of(document, 0, counts, 0);
  const SeedSweep sweep = sweep_over_seeds(document, 0, own, counts, 0, Swept::heads, 4, nullptr);
  CHECK(sweep.seeds == std::vector<std::uint64_t>{7, 8, 9, 10});
  REQUIRE(sweep.entries.size() == 3);
  for (int k = 0; k < kSweptNumbers; ++k) {
    const auto number = static_cast<SweptNumber>(k);
    CAPTURE(key_of(number));
    for (std::size_t e = 0; e < 3; ++e) {
      std::vector<double> values;
      for (const std::uint64_t seed : sweep.seeds)
        values.push_back(number_of(
            Sweeps().of(hydra::apply(document, SetWeightSource{Init::xavier, seed}), 0, counts, 0)[e], number));
      const Spread expected = spread_of(values), spread = sweep.of(e, number);
      CHECK(spread.count == expected.count);
      if (spread.count == 0) continue;
      CHECK(spread.least == expected.least);
      CHECK(spread.median == expected.median);
      CHECK(spread.most == expected.most);
    }
  }
  CHECK(has_other_seeds(document.layer(0)));
  CHECK_FALSE(has_other_seeds(hydra::apply(document, set_cell(Quantity::W_V, 0, 0, 1)).layer(0)));
  CHECK_FALSE(has_other_seeds(hydra::apply(document, SetWeightSource{Init::identity, 7}).layer(0)));
  CHECK(usual_seed_count(document, 0, counts, 12, Swept::heads) == 8);
  CHECK(usual_seed_count(hydra::apply(document, set_cell(Quantity::W_V, 0, 0, 1)), 0, counts, 12, Swept::heads) == 1);
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(sweep_over_seeds(document, 0, own, counts, 0, Swept::heads, 4, nullptr, {}, stop.get_token()),
                  Stopped);
}

TEST_CASE("sweep: slices whose spread is kept keep it at every head count", "[core][sweep]") {
  const Document document = hydra::apply(default_document(), SetSplit{Split::slice, true});
  const std::vector<SweepEntry> entries = Sweeps().of(document, 0, {1, 2, 8, 32}, -1);
  const std::vector<SweepEntry> flat =
      Sweeps().of(hydra::apply(document, SetSplit{Split::slice}), 0, {1, 2, 8, 32}, -1);
  for (std::size_t k = 1; k < entries.size(); ++k) {
    CHECK(entries[k].trace->layers[0].input.slice_factor > 1);
    CHECK(entries[k].entropy_fraction < flat[k].entropy_fraction);
  }
  CHECK(entries[0].trace->layers[0].input.slice_factor == 1);
}

TEST_CASE("sweep: of slices only the weights that they read count", "[core][sweep]") {
  const Document document = hydra::apply(default_document(), SetSplit{Split::slice});
  for (const SweepEntry& entry : Sweeps().of(document, 0, {1, 8, 64}, -1)) {
    const AttentionWeights<float>& w = entry.trace->layers.front().input.weights;
    Index counted = 0;
    for (const Array<float>& W : {w.W_Q, w.W_K, w.W_V, w.W_O}) counted += (W->array() != 0).count();
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
  CHECK_THROWS_AS(sweeps.of(default_document(), 0, {1, 2, 4, 8}, 0, finished, stop.get_token()), Stopped);
  CHECK(told == std::vector<int>{1, 2});
  CHECK(sweeps.of(default_document(), 0, {1, 2, 4, 8}, 0).size() == 4);
}

TEST_CASE("sweep: the JSON says with how many keys and values the document was not compared", "[core][sweep]") {
  const Document document = default_document();
  const std::vector<SweepEntry> entries = Sweeps().of(document, 0, {1}, -1);
  const auto left_out = [&](const std::vector<Index>& counts) {
    std::string text;
    write_sweep({entries, {}}, {Sweeps(nullptr, Swept::kv_heads).of(document, 0, counts, -1), {}},
                [&](std::string_view piece) { text += piece; });
    const std::size_t from = text.find("\"kv_left_out\": ");
    REQUIRE(from != std::string::npos);
    return text.substr(from + 15, text.find(']', from) - from - 14);
  };
  CHECK(left_out({8, 4, 2, 1}) == "[]");
  CHECK(left_out({8, 1}) == "[2, 4]");
}

TEST_CASE("sweep: traces that are let go one by one leave the same measures", "[core][sweep]") {
  const Document document = default_document();
  const std::vector<Index> counts{1, 4, 64};
  Sweeps keeping, going;
  int seen = 0;
  going.let_traces_go([&](const SweepEntry& entry) {
    ++seen;
    CHECK(static_cast<Index>(entry.trace->layers.front().heads.size()) == entry.heads);
  });
  const std::vector<SweepEntry> kept = keeping.of(document, 0, counts, 2), gone = going.of(document, 0, counts, 2);
  REQUIRE(kept.size() == gone.size());
  CHECK(seen == static_cast<int>(kept.size()));
  for (std::size_t k = 0; k < kept.size(); ++k) {
    CHECK(gone[k].heads == kept[k].heads);
    CHECK(gone[k].entropy_bits == kept[k].entropy_bits);
    CHECK(gone[k].effective_heads == kept[k].effective_heads);
    CHECK(gone[k].shares == kept[k].shares);
    CHECK(gone[k].output_change == kept[k].output_change);
    CHECK(gone[k].scores.values == kept[k].scores.values);
    CHECK(gone[k].pattern.values == kept[k].pattern.values);
    CHECK(gone[k].any_pattern == kept[k].any_pattern);
    CHECK(gone[k].trace->layers.empty());
    CHECK(gone[k].trace->tokens == kept[k].trace->tokens);
  }
}
