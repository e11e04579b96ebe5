// What heads of random weights do for an answer: by the documents that have one of them, and by how many lie within.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "core/analysis/answer/random_heads.h"
#include "core/document/evaluate.h"
#include "tests/support/examples.h"

using namespace hydra;

TEST_CASE("random heads: of every layer so many, none of them nothing, the same each time", "[core][answer]") {
  for (const char* name : {"trained_grammar", "trained_students_4", "trained_induction"}) {
    CAPTURE(name);
    const auto trace = evaluate(test::example(name));
    const AskedAnswer asked = asked_of(trace->model, std::ssize(trace->tokens) - 1, 0);
    const std::vector<RandomHeads> layers = random_heads(*trace, asked), again = random_heads(*trace, asked);
    REQUIRE(layers.size() == trace->layers.size());
    for (std::size_t k = 0; k < layers.size(); ++k) {
      CHECK(layers[k].drawn == kRandomHeads);
      CHECK(layers[k].direct > 0);
      CHECK(layers[k].zero.difference > 0);
      CHECK(layers[k].zero.probability >= 0);
      CHECK(layers[k].zero.logit == again[k].zero.logit);
    }
  }
}

// Without a norm the direct effect of a head in the last layer is what its removal takes from the logit.
TEST_CASE("random heads: in the last layer, with nothing behind it, direct effects are what is lost",
          "[core][answer]") {
  const Document document = test::example("trained_grammar");
  REQUIRE(document.layers.size() == 1);
  REQUIRE_FALSE(document.layer(0).settings.feed_forward);
  REQUIRE_FALSE(document.settings.final_norm);
  const auto trace = evaluate(document);
  for (Index question = 0; question < 4; ++question) {
    const RandomHeads of = random_heads(*trace, asked_of(trace->model, 6, question)).front();
    CHECK(of.zero.logit == Approx(of.direct).epsilon(1e-3));
    CHECK(of.zero.difference == Approx(of.against_rival).epsilon(1e-3));
  }
}

TEST_CASE("random heads: over seeds the bound is the same but for what drawing does", "[core][answer]") {
  const auto trace = evaluate(test::example("trained_students_4"));
  const AskedAnswer asked = asked_of(trace->model, std::ssize(trace->tokens) - 1, 0);
  std::vector<double> bounds;
  for (std::uint64_t seed = 0; seed < 40; ++seed)
    bounds.push_back(random_heads(*trace, asked, nullptr, {}, 1000 * seed).front().direct);
  // The standard error of the 95th of 100 normal numbers' sizes is 0.1 of it.
  std::ranges::sort(bounds);
  CHECK(bounds.back() < 1.4 * bounds[20]);
  CHECK(bounds.front() > 0.65 * bounds[20]);
}

TEST_CASE("random heads: where a layer writes nothing, neither do they", "[core][answer]") {
  Document document = test::example("trained_grammar");
  document.layer(0).weights.W_O = make_weight(Quantity::W_O, Mat<float>::Zero(document.d_model, document.d_model));
  const auto trace = evaluate(document);
  const RandomHeads of = random_heads(*trace, asked_of(trace->model, 3, 0)).front();
  CHECK(of.direct == 0);
  CHECK(of.zero.probability == 0);
}

TEST_CASE("random heads: of weights that overflow no bound is known, and none is made up", "[core][answer]") {
  Document document = test::example("trained_grammar");
  document.layer(0).weights.W_O =
      make_weight(Quantity::W_O, Mat<float>::Constant(document.d_model, document.d_model, 3e38f));
  const auto trace = evaluate(document);
  const RandomHeads of = random_heads(*trace, asked_of(trace->model, 3, 0, 1, 2)).front();
  CHECK(of.drawn == kRandomHeads);
  CHECK(std::isnan(of.zero.logit));
  CHECK(std::isnan(of.zero.probability));
}
