#include "core/writing/writing.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>

#include "core/checkpoints/open_model.h"
#include "core/document/evaluate.h"
#include "core/document/model.h"
#include "core/document/model_file.h"
#include "core/tokenizers/tokenizer.h"
#include "tests/support/data.h"

using namespace hydra;

namespace {

constexpr Choosing kLikeliest = {.temperature = 0};

// Two words that follow each other for ever: a, b, a, b, by a table that a readout of the same words reads.
Document turning() {
  Document document = default_document();
  document.d_model = 2;
  document.tokens = {{"a"}};
  document.embedding.kind = Embedding::Kind::learned;
  document.embedding.vocabulary = Vocabulary({"a", "b"});
  document.embedding.positions = Embedding::Positions::none;
  document.settings.readout = ReadoutKind::own;
  document.readout.vocabulary = Vocabulary({"a", "b"});
  Layer& layer = document.layers.front();
  layer.heads = 1;
  layer.mask = {Mask::Kind::causal, nullptr};
  layer.settings.window = 1;  // each token sees itself
  layer.source.init = Init::identity;
  layer.weights = weights_of(layer.source, layer, document.columns());
  fit_model(document);
  Mat<float> E(2, 2), W_U(2, 2);
  E << 1, 0, 0, 1;
  W_U << 0, 2, 2, 0;
  document.weights.E = share(std::move(E));
  document.weights.W_U = share(std::move(W_U));
  return document;
}

}  // namespace

TEST_CASE("writing: words with spaces, each with its probability, to the last place", "[core][writing]") {
  Document document = turning();
  check_document(document);
  Writing writing(document, kLikeliest, 1);
  for (int k = 0; k < 4; ++k) REQUIRE(writing.write());
  CHECK(writing.text() == "a b a b a");
  CHECK(writing.continuation() == " b a b a");
  CHECK(writing.end() == WritingEnd::none);
  REQUIRE(writing.written().size() == 4);
  for (const ChosenWord& word : writing.written()) {
    CHECK(word.chosen.probability == Approx(1 / (1 + std::exp(-2.0))));
    CHECK(word.strongest.size() == 2);
  }
  CHECK(writing.written()[0].chosen.word == 1);
  CHECK(writing.written()[1].chosen.word == 0);

  document.embedding.positions = Embedding::Positions::learned;
  fit_model(document);
  lengthen_places(document, 3);
  Writing short_one(document, kLikeliest, 1);
  CHECK(short_one.write());
  CHECK(short_one.write());
  CHECK_FALSE(short_one.write());
  CHECK(short_one.end() == WritingEnd::limit);
  CHECK(short_one.written().size() == 2);
  CHECK(std::string(name_of(short_one.end())) == "limit");
}

TEST_CASE("writing: where no logit is a number there is no word", "[core][writing]") {
  Document document = turning();
  Mat<float> W_U(2, 2);
  W_U << 3e38f, 3e38f, 3e38f, 3e38f;
  document.weights.W_U = share(std::move(W_U));
  Mat<float> E(2, 2);
  E << 3e38f, -3e38f, 0, 1;
  document.weights.E = share(std::move(E));
  Writing writing(document, kLikeliest, 1);
  CHECK_FALSE(writing.write());
  CHECK(writing.end() == WritingEnd::no_word);
  CHECK(writing.text() == "a");
}

TEST_CASE("writing: the likeliest words at a place that is masked", "[core][writing]") {
  Document document = turning();
  document.layers.front().mask = {};
  document.layers.front().settings.window = 0;
  document.tokens = {{"a", "[MASK]", "b", "<mask>"}};
  CHECK(masked_token(*document.tokens) == 1);
  CHECK(masked_token({"a", "<mask>"}) == 1);
  CHECK_FALSE(masked_token({"a"}));
  const auto trace = evaluate(document);
  const std::vector<LikelyWord> words = likely_words(*trace, 1, 5);
  REQUIRE(words.size() == 2);
  CHECK(words[0].probability >= words[1].probability);
  for (const LikelyWord& word : words) CHECK(word.probability == (*trace->model.probabilities)(1, word.word));
  document.settings.readout = ReadoutKind::none;
  fit_model(document);
  CHECK(likely_words(*evaluate(document), 1).empty());
}

TEST_CASE("writing: a model that tells stories says what it is known to say, to the last id", "[writing][models]") {
  const char* const folder = std::getenv("HYDRA_MODELS");
  if (!folder) {
    WARN("HYDRA_MODELS names no folder: the real models are not tried");
    return;
  }
  const std::string models = folder;
  std::vector<Index> known;
  std::ifstream ids(models + "/llama2c-stories260k/greedy_ids.txt");
  for (Index id; ids >> id;) known.push_back(id);
  REQUIRE(known.size() > 200);
  for (const char* const name : {"llama2c-stories260k/checkpoint_legacy.bin", "llama2c-stories260k/checkpoint_v1.bin",
                                 "derived-stories260k/hf", "derived-stories260k/stories260K.F32.gguf"}) {
    CAPTURE(name);
    Document document = open_model(models + "/" + name).document;
    document.tokens = {{document.embedding.vocabulary.word(known.front())}};
    Writing writing(document, kLikeliest, 1);
    for (std::size_t k = 1; k < known.size(); ++k) {
      REQUIRE(writing.write());
      CAPTURE(k);
      REQUIRE(writing.written().back().chosen.word == known[k]);
    }
    if (const Tokenizer* tokenizer = tokenizer_of(document)) {
      CHECK(writing.text() == tokenizer->decode(known, false));
      CHECK_THAT(writing.text(), Catch::Contains("Once upon a time"));
    }
  }
}
