// Pads at the left change nothing of the words behind them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/document/model.h"
#include "core/document/text/marks.h"
#include "core/error.h"
#include "core/explain/explain.h"
#include "core/explain/links.h"
#include "core/io/file.h"
#include "core/learn/opened/gradients.h"
#include "core/measures/pooled.h"
#include "core/model/program.h"
#include "core/writing/writing.h"
#include "tests/core/analysis/random_documents.h"
#include "tests/support/faults.h"
#include "tests/support/models/double_stack.h"

using namespace hydra;
using hydra::test::fault_at;

namespace {

Document with_pads(const Document& document, Index count, bool placed = false) {
  return hydra::apply(document, SetPads{{count, placed}});
}

// A random stack without pads; its learned places are as many as all its tokens will be.
Document words_alone(std::uint64_t seed) {
  Document document = with_pads(test::some_document(seed), 0);
  for (Layer& layer : document.layers)  // as edits leave it
    if (std::ranges::all_of(layer.painted, &PaintedHead<float>::empty)) layer.painted.clear();
  return document;
}

Mat<double> behind(const Mat<double>& values, Index pads, bool of_pairs) {
  const Index n = values.rows() - pads;
  return of_pairs ? Mat<double>(values.bottomRightCorner(n, n)) : Mat<double>(values.bottomRows(n));
}

// As a share of the largest finite number; masked scores and what is no number must be where they are.
double padded_difference(const Mat<double>& padded, const Mat<double>& alone) {
  REQUIRE(padded.rows() == alone.rows());
  REQUIRE(padded.cols() == alone.cols());
  double size = 1, worst = 0;
  for (Index k = 0; k < alone.size(); ++k) {
    const double a = alone.data()[k], b = padded.data()[k];
    if (!std::isfinite(a) || !std::isfinite(b)) {
      if (!(a == b || (std::isnan(a) && std::isnan(b)))) return 1;
      continue;
    }
    size = std::max(size, std::abs(a));
    worst = std::max(worst, std::abs(a - b));
  }
  return worst / size;
}

// The stack's stages of the words, one after the other.
template <class Visit>
void for_each_padded_stage(const LayerTrace<double>& padded, const LayerTrace<double>& alone, const Visit& visit) {
  for (std::size_t h = 0; h < alone.heads.size(); ++h)
    for (const Quantity stage : kHeadStages)
      if (const Array<double>& values = alone.heads[h][stage]) {
        REQUIRE(padded.heads[h][stage]);
        visit(*padded.heads[h][stage], *values, entry_of(stage).cols == Axis::token);
      }
  visit(*padded.concat, *alone.concat, false);
  visit(*padded.output, *alone.output, false);
}

}  // namespace

TEST_CASE("pads: every stage of the words is that of the sentence without them", "[pads]") {
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const Document alone = words_alone(seed);
    const Index pads = 1 + static_cast<Index>(seed % 4);
    const Document padded = with_pads(alone, pads);
    CAPTURE(seed, pads);
    REQUIRE_NOTHROW(check_document(padded));
    const auto one = evaluate(alone), other = evaluate(padded);
    REQUIRE(std::ssize(other->tokens) == std::ssize(one->tokens) + pads);
    REQUIRE(Mat<float>(other->X->bottomRows(one->X.rows())) == *one->X);  // to the bit
    const test::DoubleStack a = test::in_double(*one), b = test::in_double(*other);
    if (!a.stream->allFinite()) continue;
    for (Index k = 0; k < std::ssize(a.layers); ++k) {
      CAPTURE(k);
      for_each_padded_stage(b.layer(k), a.layer(k), [&](MatIn<double> with, MatIn<double> without, bool of_pairs) {
        REQUIRE(padded_difference(behind(with, pads, of_pairs), without) < 1e-9);
      });
      for (const HeadTrace<double>& head : b.layer(k).heads) {
        REQUIRE(head.attention->leftCols(pads).isZero(0));
        REQUIRE(head.attention->topRows(pads).isZero(0));
      }
      const LayerSettings& s = a.layer(k).input.settings;
      seen["alibi"] += s.alibi, seen["rotary"] += s.rotary, seen["window"] += a.layer(k).input.mask.window > 0;
      seen["offsets"] += s.offset_bias, seen["dropout"] += s.dropout > 0, seen["differential"] += s.differential;
      seen["talk"] += s.talking_heads != TalkingHeads::none, seen["sink"] += s.sink != SinkKind::none;
      seen["mask " + std::to_string(static_cast<int>(a.layer(k).input.mask.kind))] += 1;
      seen["own"] += !a.layer(k).input.own.empty(), seen["painted"] += !a.layer(k).input.painted.empty();
    }
    REQUIRE(padded_difference(behind(*b.stream, pads, false), *a.stream) < 1e-9);
    for (const Quantity stage : {Quantity::logits, Quantity::probabilities})
      if (const Array<double>& values = *a.model.stage(stage)) {
        REQUIRE(padded_difference(behind(**b.model.stage(stage), pads, false), *values) < 1e-9);
        seen["logits"] += 1;
      }
    seen["learned places"] += alone.embedding.positions == Embedding::Positions::learned;
    seen["waves"] += alone.embedding.positions == Embedding::Positions::sinusoidal;
    seen["types"] += alone.settings.types > 0;
  }
  for (const char* what : {"alibi", "rotary", "window", "offsets", "dropout", "differential", "talk", "sink", "mask 0",
                           "mask 1", "mask 2", "own", "painted", "logits", "learned places", "waves", "types"}) {
    CAPTURE(what);
    CHECK(seen[what] >= 20);
  }
}

TEST_CASE("pads: places that are counted from them shift learned ones and waves, and nothing else", "[pads]") {
  int differ = 0, alike = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Document alone = words_alone(seed);
    const auto by_words = evaluate(with_pads(alone, 3)), by_all = evaluate(with_pads(alone, 3, true));
    CAPTURE(seed);
    if (!by_words->positions) {  // ALiBi, rotation, windows and biases by offset go by differences
      REQUIRE(*by_words->X == *by_all->X);
      const Mat<float>&a = *by_words->layers.back().output, &b = *by_all->layers.back().output;
      REQUIRE(padded_difference(a.cast<double>(), b.cast<double>()) == 0);
      ++alike;
    } else {
      REQUIRE(by_words->positions->topRows(3).isZero(0));
      const Index n = by_all->positions.rows();
      if (alone.embedding.positions == Embedding::Positions::sinusoidal) {
        REQUIRE(Mat<float>(by_words->positions->bottomRows(n - 3)) == Mat<float>(by_all->positions->topRows(n - 3)));
        REQUIRE(*by_words->positions != *by_all->positions);
      }
      ++differ;
    }
  }
  CHECK(differ > 50);
  CHECK(alike > 50);
}

TEST_CASE("pads: what is said of tokens goes with its words, and comes back", "[pads]") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Document alone = words_alone(seed);
    const Document back = with_pads(with_pads(with_pads(alone, 5), 2), 0);
    CAPTURE(seed);
    if (alone.embedding.positions != Embedding::Positions::learned)
      REQUIRE(document_text(back) == document_text(alone));
    const Document padded = with_pads(alone, 2, seed % 2 == 0);
    REQUIRE(same_document(parse_document(document_text(padded), "padded"), padded));
  }
}

TEST_CASE("pads: a pair that is marked goes with its words", "[pads]") {
  Document document = default_document();
  mark_pair(document, "owner", 3, 1, true);
  const Document padded = with_pads(document, 2);
  REQUIRE(marks_of(padded.marks, tokens_of(padded)));
  CHECK(marks_of(padded.marks, tokens_of(padded))->relations.front().pairs.front() == GoldPair{5, 3});
  CHECK(same_document(with_pads(padded, 0), document));
}

TEST_CASE("pads: a file says how many there are, and what cannot be is named", "[pads][io]") {
  const auto read = [](const std::string& more) {
    return parse_document(R"({"hydrascope": 1, "sentence": "the cat sat", )" + more + "}", "f");
  };
  const Document document = read(R"("pads": 2, "pad_places": "all")");
  CHECK(tokens_of(document) == std::vector<std::string>{"[PAD]", "[PAD]", "the", "cat", "sat"});
  CHECK(document.pads == Pads{2, true});
  CHECK(read(R"("pads": 0, "pad_places": "all")").pads == Pads{});
  CHECK_THROWS_WITH(read(R"("pads": -1)"), fault_at("/pads", "-1", "0"));
  CHECK_THROWS_WITH(read(R"("pads": "two")"), fault_at("/pads", "two", "number"));
  CHECK_THROWS_WITH(read(R"("pads": 4094)"), fault_at("/pads", "4094", "4093"));
  CHECK_THROWS_WITH(read(R"("pads": 1, "pad_places": "left")"), fault_at("/pad_places", "left", "words"));
  CHECK_THROWS_AS(with_pads(document, -1), InputError);
  CHECK_THROWS_AS(with_pads(document, 5000), InputError);
  CHECK(describe(SetPads{{1, false}}) == "1 pad");
  CHECK(describe(SetPads{{3, true}}) == "3 pads with places");
}

TEST_CASE("pads: the token that a vocabulary has for one stands there", "[pads]") {
  Document document = default_document();
  CHECK(pad_token(document) == "[PAD]");
  document = hydra::apply(document, SetEmbedding{Embedding::Kind::learned, 1});
  const auto token_with = [&](std::vector<std::string> words) {
    return pad_token(hydra::apply(document, SetVocabulary{SetVocabulary::Of::words, std::move(words)}));
  };
  CHECK(token_with({"a", "<pad>", "</s>"}) == "<pad>");
  CHECK(token_with({"a", "<|endoftext|>"}) == "<|endoftext|>");
  CHECK(token_with({"a"}) == "[PAD]");
}

TEST_CASE("pads: another sentence keeps them, and measures on others leave them out", "[pads]") {
  const Document padded = with_pads(default_document(), 3);
  const Document other = hydra::apply(padded, SetSentence{"the cat sat"});
  CHECK(tokens_of(other) == std::vector<std::string>{"[PAD]", "[PAD]", "[PAD]", "the", "cat", "sat"});
  CHECK_FALSE(other.tokens);
  CHECK(with_tokens(padded, {"a", "b"}).pads == Pads{});
}

TEST_CASE("pads: gradients by all parameters are those of the sentence without them", "[pads]") {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    Document alone = words_alone(seed);
    bool trains = true;
    for (Layer& layer : alone.layers) {
      layer.painted.clear();
      trains &= layer.split == Split::projection;
    }
    if (!trains) continue;
    const Index pads = 1 + static_cast<Index>(seed % 3);
    const Document padded = with_pads(alone, pads);
    const test::DoubleStack result = test::in_double(*evaluate(padded));
    if (!result.stream->allFinite() || result.stream->cwiseAbs().maxCoeff() > 1e3) continue;
    const Index n = result.stream.rows() - pads;
    Mat<double> target = *result.stream;  // what pads are is as asked for
    target.bottomRows(n).array() += 0.5;
    CAPTURE(seed, pads);
    const learn::SquareGradients with = learn::square_gradients(padded, target),
                                 without = learn::square_gradients(alone, target.bottomRows(n));
    REQUIRE(with.parameters.size() == without.parameters.size());
    const double share = static_cast<double>(n + pads) / static_cast<double>(n);  // the loss is a mean over all rows
    for (std::size_t k = 0; k < with.parameters.size(); ++k) {
      CAPTURE(entry_of(with.parameters[k].site.quantity).key);
      REQUIRE(padded_difference(share * with.parameters[k].values, without.parameters[k].values) < 1e-4);
    }
    ++compared;
  }
  CHECK(compared > 40);
}

TEST_CASE("pads: a model writes behind them what it writes without them", "[pads][writing]") {
  int written = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Document alone = words_alone(seed);
    for (Layer& layer : alone.layers) {
      layer.mask = {Mask::Kind::causal, nullptr};
      layer.painted.clear();
      for (HeadRule& rule : layer.own)
        if (rule.mask) rule.mask = Mask::Kind::causal;
    }
    if (ModelDecoder::why_not(alone)) continue;
    const Document padded =
        with_pads(alone, 1 + static_cast<Index>(seed % 3),
                  seed % 5 == 0 && !alone.weights.P && alone.embedding.positions == Embedding::Positions::none);
    CAPTURE(seed);
    ModelDecoder one(alone), other(padded);
    REQUIRE(other.given() == one.given());
    for (int step = 0; step < 4 && one.tokens() < one.limit() && other.tokens() < other.limit(); ++step) {
      const Mat<float> a = one.logits(), b = other.logits();
      if (!a.allFinite()) break;
      bool amplified = false;
      for (const Layer& layer : alone.layers) amplified |= layer.weights.W_Q->cwiseAbs().maxCoeff() > 100;
      if (!amplified) REQUIRE((a - b).cwiseAbs().maxCoeff() <= 2e-3f * std::max(1.0f, a.cwiseAbs().maxCoeff()));
      one.step(step % one.words().size());
      other.step(step % other.words().size());
      ++written;
    }
  }
  CHECK(written > 100);
}

TEST_CASE("pads: a hidden score and a place that a pad has not are said to be so", "[pads]") {
  const auto trace = evaluate(with_pads(default_document(), 2));
  const auto says = [&](const Cell& cell) { return explain(*trace, cell).steps.back().text; };
  CHECK(says({{Quantity::scores, 0, 0}, 3, 1}).find("is a pad: the score is −∞") != std::string::npos);
  CHECK(says({{Quantity::attention, 0, 0}, 3, 1}).find("is a pad") != std::string::npos);
  CHECK(says({{Quantity::attention, 0, 0}, 0, 1}).find("is a pad, which attends to nothing") != std::string::npos);
  CHECK(says({{Quantity::positions, 0, kNoHead}, 1, 0}).find("counted from the first word") != std::string::npos);
}
