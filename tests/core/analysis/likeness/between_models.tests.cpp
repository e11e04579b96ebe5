// Heads of two models on one sentence: against the likeness of all heads together, and how often chance is exceeded.
#include "core/analysis/likeness/between_models.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/linalg/same_bits.h"
#include "core/measures/pooled.h"
#include "tests/support/examples.h"

using namespace hydra;

namespace {

std::shared_ptr<const Trace> on_words(Document document, const std::vector<std::string>& words) {
  return trace_on(document, words);
}

Document drawn(std::uint64_t seed, Index d_model, Index heads) {
  Document document = apply(apply(default_document(), SetModelWidth{d_model}), SetHeads{heads});
  return apply(document, SetWeightSource{Init::xavier, seed});
}

}  // namespace

TEST_CASE("between models: a model and itself, each head is most like itself", "[core][likeness][between]") {
  for (const char* name : {"trained_grammar", "trained_students_4", "heads_designed", "trained_induction"}) {
    CAPTURE(name);
    const auto trace = evaluate(test::example(name));
    for (const Likeness measure : kBetweenModels) {
      const BetweenModels between = between_models(trace->layers, trace->layers, measure);
      REQUIRE(between.here == between.there);
      LikenessMatrices own;
      std::vector<LayerOnSentences> layers;
      for (const auto& layer : trace->layers) layers.push_back({layer});
      own.set_layers(layers);
      const Mat<double>& all = own.matrix(measure);
      for (Index h = 0; h < std::ssize(between.here); ++h)
        for (Index g = 0; g < std::ssize(between.there); ++g)
          if (h != g)
            CHECK((std::isnan(all(h, g)) || (*between.matrix(measure))(h, g) == Approx(all(h, g)).margin(1e-9)));
      if (measure == Likeness::cka) continue;  // of heads that write the same for all tokens there is none
      for (Index h = 0; h < std::ssize(between.here); ++h) {
        const auto most = most_alike(between, h);
        REQUIRE(most);
        CHECK((*between.matrix(measure))(h, *most) == Approx((*between.matrix(measure))(h, h)).margin(1e-9));
      }
    }
  }
}

TEST_CASE("between models: widths, numbers of heads and layers may differ", "[core][likeness][between]") {
  const std::vector<std::string> words{"the", "cat", "sat"};
  for (const Index n : {1, 2, 3})
    for (const Index width : {4, 16, 64})
      for (const Index heads : {1, 4}) {
        CAPTURE(n, width, heads);
        const std::vector<std::string> some(words.begin(), words.begin() + n);
        const auto here = on_words(drawn(1, 8, 2), some);
        const auto there = on_words(apply(drawn(2, width, heads), AddLayer{}), some);
        for (const Likeness measure : kBetweenModels) {
          const BetweenModels between = between_models(here->layers, there->layers, measure);
          CHECK(between.matrix(measure)->rows() == 2);
          CHECK(between.matrix(measure)->cols() == 2 * heads);
          CHECK(between.there.back() == HeadPlace{1, static_cast<int>(heads) - 1});
          // CKA needs four tokens.
          for (Index h = 0; h < 2; ++h) CHECK(most_alike(between, h).has_value() == (measure != Likeness::cka));
        }
      }
}

// One head in twenty is beyond it, of models that have nothing to do with one another.
TEST_CASE("between models: of random models the most alike exceeds chance about once in twenty",
          "[core][likeness][between]") {
  const std::vector<std::string> words{"the", "student", "who", "the", "teacher", "knows", "reads", "a", "book", "."};
  int beyond = 0, heads = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const auto here = on_words(drawn(2 * seed, 16, 4), words), there = on_words(drawn(2 * seed + 1, 32, 4), words);
    const BetweenModels between = between_models(here->layers, there->layers, Likeness::cosine);
    CHECK(between.draws == 20);
    for (Index h = 0; h < 4; ++h, ++heads)
      beyond += (*between.matrix(Likeness::cosine))(h, *most_alike(between, h)) > between.chance_cosine;
  }
  CAPTURE(beyond, heads);
  CHECK(beyond > 0.01 * heads);
  CHECK(beyond < 0.12 * heads);
}

TEST_CASE("between models: two that have learned the same task have heads in common", "[core][likeness][between]") {
  // With 4 and with 32 heads: some find the same places, beyond chance.
  const Document four = test::example("trained_students_4"), many = test::example("trained_students_32");
  const auto here = evaluate(four);
  const auto there = trace_on(many, here->tokens);
  const BetweenModels between = between_models(here->layers, there->layers, Likeness::cosine);
  int beyond = 0;
  for (Index h = 0; h < std::ssize(between.here); ++h)
    beyond += (*between.matrix(Likeness::cosine))(h, *most_alike(between, h)) > between.chance_cosine;
  CHECK(beyond >= 3);
}

TEST_CASE("trace_on: the document's own tokens leave it as it is, and X of its own knows no others",
          "[core][between]") {
  const Document document = test::example("trained_grammar");
  const auto own = evaluate(document);
  CHECK(same_bits<float>(trace_on(document, own->tokens)->layers.front().output, own->layers.front().output));
  Document given = document;
  given.embedding.kind = Embedding::Kind::explicit_values;
  given.embedding.X = own->X;
  CHECK_THROWS_WITH(trace_on(given, {"a", "b"}), Catch::Contains("gives X itself"));
}
