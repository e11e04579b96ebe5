// A model word by word gives what a trace of all the words so far gives.
#include "core/writing/model_decoder.h"

#include <catch2/catch.hpp>
#include <set>

#include "core/attention/layer_gradient.h"
#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/io/opening.h"
#include "tests/core/analysis/random_documents.h"
#include "tests/support/models/double_stack.h"

using namespace hydra;

namespace {

// All layers causal, nothing painted that a mask forbids.
void make_causal(Document& document) {
  for (Layer& layer : document.layers) {
    layer.mask = {Mask::Kind::causal, nullptr};
    for (HeadRule& rule : layer.own)
      if (rule.mask) rule.mask = Mask::Kind::causal;
    for (PaintedHead<float>& head : layer.painted) head.attention.clear();
  }
}

double largest(const Mat<double>& values) { return values.size() == 0 ? 0 : values.cwiseAbs().maxCoeff(); }

// Reads words out, each of one question, and every word that is read out may be read in.
std::optional<Document> writing_document(std::uint64_t seed) {
  Document document = test::some_document(seed);
  make_causal(document);
  if (document.settings.readout == ReadoutKind::own && document.readout.questions.size() > 0) {
    document.readout.questions = {};
    fit_model(document);
  }
  if (ModelDecoder::why_not(document)) return std::nullopt;
  return document;
}

}  // namespace

TEST_CASE("decoding: a layer with all that stands around its heads, step by step, in double", "[core][decoding]") {
  int layers = 0, windows = 0, painted = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    Document document = test::some_document(seed);
    make_causal(document);
    const test::DoubleStack stack = test::in_double(*evaluate(document));
    for (Index k = 0; k < std::ssize(stack.layers); ++k) {
      LayerInput<double> input = stack.layer(k).input;
      const Array<double>& stream = stack.block(k).input;
      const LayerProgram& program = program_of(input.settings);
      const Array<double>& leaves =
          program.leaves == Quantity::Y ? stack.layer(k).output : stack.block(k).of(program.leaves);
      if (!leaves->allFinite()) continue;
      const Index n = stream.rows(), given = 1 + static_cast<Index>(seed % 3) % n;
      // Rows that are set by hand are of tokens that are there at once.
      for (PaintedHead<double>& head : input.painted)
        std::erase_if(head.values, [&](const PaintedRow<double>& row) { return row.row >= given; });
      input.X = nullptr;
      LayerInput<double> whole = input;
      BlockTrace<double> block;
      block.input = stream;
      const BlockMaking<double> making{input.settings, input.weights};
      whole.X = before_heads(making, block);
      const Array<double> expected = after_heads(making, forward(whole).output, block);
      BlockDecoder<double> decoder(input, n);
      const Array<double> first = decoder.take(stream.row_block(0, given));
      CAPTURE(seed, k, given);
      const double within = 1e-9 * std::max(1.0, largest(*expected));
      REQUIRE(largest(*first - expected->topRows(given)) <= within);
      Mat<double> out(1, stream.cols());
      for (Index i = given; i < n; ++i) {
        decoder.step(stream->row(i), out);
        CAPTURE(i);
        REQUIRE(largest(out - expected->row(i)) <= within);
      }
      CHECK(decoder.tokens() == n);
      ++layers;
      windows += input.mask.window > 0;
      for (const PaintedHead<double>& head : input.painted) painted += !head.values.empty();
    }
  }
  CHECK(layers > 500);
  CHECK(windows > 20);
  CHECK(painted > 100);
}

TEST_CASE("model decoder: every step has the logits of a trace of all tokens so far", "[core][writing]") {
  int documents = 0;
  std::set<int> kinds;
  ThreadPool pool(2);
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const std::optional<Document> document = writing_document(seed);
    if (!document) continue;
    CAPTURE(seed);
    Document so_far = *document;
    ModelDecoder decoder(so_far, seed % 2 == 0 ? &pool : nullptr);
    so_far.tokens = decoder.given();
    Random random(seed);
    bool amplified = false;
    for (const Layer& layer : document->layers)  // scores of 1e4: softmax makes much of their rounding
      amplified = amplified || layer.weights.W_Q->cwiseAbs().maxCoeff() > 100;
    for (int step = 0; step < 6; ++step) {
      const auto trace = evaluate(so_far);
      const Mat<float> expected = trace->model.logits->bottomRows(1);
      REQUIRE(decoder.tokens() == std::ssize(trace->tokens));
      if (expected.allFinite()) {
        const float size = std::max(1.0f, expected.cwiseAbs().maxCoeff());
        if (!amplified) REQUIRE((decoder.logits() - expected).cwiseAbs().maxCoeff() <= 2e-3f * size);
        if (step == 0) REQUIRE(decoder.logits() == expected);
      }
      if (decoder.tokens() == decoder.limit()) break;
      const Index word = test::pick(random, {0, 1, decoder.words().size() - 1}) % decoder.words().size();
      decoder.step(word);
      so_far.tokens->push_back(decoder.words().words.word(word));
    }
    ++documents;
    kinds.insert(static_cast<int>(document->embedding.kind) * 2 + (document->settings.readout == ReadoutKind::tied));
  }
  CHECK(documents > 100);
  CHECK(kinds.size() == 3);  // hashed, learned, and that read out by its own table
}

TEST_CASE("model decoder: named features are read in word by word", "[core][writing]") {
  Document document = default_document();
  document.sentence = "The cat sat";
  document.embedding.kind = Embedding::Kind::features;
  document.settings.readout = ReadoutKind::own;
  document.readout.vocabulary = Vocabulary({"on", "the", "mat"});
  fit_model(document);
  make_causal(document);
  ModelDecoder decoder(document);
  for (const Index word : {0, 1, 2, 2, 1}) {
    decoder.step(word);
    document.tokens = decoder.given();
    for (const Index taken : decoder.taken()) document.tokens->push_back(document.readout.vocabulary.word(taken));
    const Mat<float> expected = evaluate(document)->model.logits->bottomRows(1);
    REQUIRE((decoder.logits() - expected).cwiseAbs().maxCoeff() < 1e-4f);
  }
}

TEST_CASE("model decoder: steps are the same with threads, of sizes that are cut", "[core][writing]") {
  Document document = default_document();
  document.d_model = 384;
  Random random(3);
  Layer& layer = document.layers.front();
  layer.heads = 6;
  layer.mask = {Mask::Kind::causal, nullptr};
  layer.settings.norm = layer.settings.residual = layer.settings.feed_forward = layer.settings.gated = true;
  layer.settings.feed_forward_width = 700;
  layer.settings.output_gate = OutputGate::element;
  layer.weights = weights_of(layer.source, layer, document.columns());
  document.settings.readout = ReadoutKind::own;
  std::vector<std::string> words;
  for (int k = 0; k < 1000; ++k) words.push_back("w" + std::to_string(k));
  document.readout.vocabulary = Vocabulary(words);
  fit_model(document);
  ThreadPool two(2), three(3);
  ModelDecoder alone(document), with_two(document, &two), with_three(document, &three);
  for (Index step = 0; step < 150; ++step) {
    for (ModelDecoder* decoder : {&alone, &with_two, &with_three}) decoder->step(step * 37 % 1000);
    REQUIRE(alone.logits() == with_two.logits());
    REQUIRE(alone.logits() == with_three.logits());
  }
}

TEST_CASE("model decoder: what cannot write says why", "[core][writing]") {
  Document document = default_document();
  CHECK_THAT(*ModelDecoder::why_not(document), Catch::Contains("no word is read out"));
  document.settings.readout = ReadoutKind::own;
  document.readout.vocabulary = Vocabulary({"a", "b"});
  fit_model(document);
  CHECK_THAT(*ModelDecoder::why_not(document), Catch::Contains("layer 1 has no causal mask"));
  CHECK_THROWS_AS(ModelDecoder(document), InputError);
  make_causal(document);
  CHECK_FALSE(ModelDecoder::why_not(document));
  Document asked = document;
  asked.readout.questions = Vocabulary({"who", "what"});
  fit_model(asked);
  CHECK_THAT(*ModelDecoder::why_not(asked), Catch::Contains("2 questions"));
  Document given = document;
  given.embedding.kind = Embedding::Kind::explicit_values;
  given.embedding.X = share(Mat<float>(Mat<float>::Zero(std::ssize(tokens_of(given)), given.d_model)));
  CHECK_THAT(*ModelDecoder::why_not(given), Catch::Contains("number by number"));
}

TEST_CASE("model decoder: a learned table of places is a limit", "[core][writing]") {
  Document document = default_document();
  document.tokens = {{"a", "b", "a"}};
  document.embedding.kind = Embedding::Kind::learned;
  document.embedding.vocabulary = Vocabulary({"a", "b"});
  document.embedding.positions = Embedding::Positions::learned;
  document.settings.readout = ReadoutKind::tied;
  fit_model(document);
  make_causal(document);
  CHECK(ModelDecoder(document).limit() == 3);
  lengthen_places(document, 5);
  ModelDecoder decoder(document);
  CHECK(decoder.limit() == 5);
  CHECK(decoder.tokens() == 3);
  document.tokens = {{"a", "b", "a", "b", "a", "b"}};
  CHECK_THROWS_WITH(ModelDecoder(document), Catch::Contains("6 tokens") && Catch::Contains("places for 5"));
}
