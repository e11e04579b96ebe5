// Fits in the background: asked for once, stopped, asked for again, and the patterns that they are of.
#include "app/measures/fit.h"

#include <catch2/catch.hpp>

#include "core/document/edits/edit.h"
#include "core/io/file.h"
#include "tests/support/measuring.h"

using namespace hydra;
using namespace std::chrono_literals;

namespace {

Document document_of(const std::string& sentence, const std::string& layer = R"("heads": 2)") {
  return parse_document(
      R"({"hydrascope": 1, "sentence": ")" + sentence + R"(", "d_model": 8, "layers": [{)" + layer + "}]}", "f");
}

using Widths = test::Measuring<FitWidthsMeasure>;

}  // namespace

TEST_CASE("fit measure: widths are fitted once for what they depend on", "[app][fit]") {
  Widths k(document_of("the cat sat on it"));
  CHECK_FALSE(k.shown().value);
  const auto first = k.finished().value;
  REQUIRE(first);
  CHECK(first->curve->n == 5);
  CHECK(first->curve->seeds.size() == kFitSeeds);
  CHECK(first->made.size() == first->curve->points.size());
  CHECK_FALSE(k.shown().older);
  CHECK_FALSE(k.update(20s));
  k.wanted.head = 1;  // of what is drawn the head does not matter
  CHECK_FALSE(k.update(20s));
  CHECK(k.shown().value == first);
  k.wanted.choice.target = learn::FitTarget::identity;
  CHECK(k.update(20s));
  k.finished();
  CHECK(k.shown().value->choice == k.wanted.choice);
  CHECK(*k.shown().value->target == Mat<float>(Mat<float>::Identity(5, 5)));
}

TEST_CASE("fit measure: what is stopped stays as it was, until it is asked for again", "[app][fit]") {
  test::Measuring<FitHeadsMeasure> k;
  k.wanted = {16, 128, 8};
  k.update();
  CHECK(k.shown().computing);
  k.measures.stop<FitHeadsMeasure>();
  k.measures.finish();
  k.update();
  CHECK_FALSE(k.shown().computing);
  CHECK(k.shown().stopped);
  CHECK(k.shown().older);
  CHECK_FALSE(k.shown().value);
  CHECK_FALSE(k.update());  // not by itself
  k.measures.again<FitHeadsMeasure>();
  k.wanted = {5, 4, 2};
  k.finished();
  REQUIRE(k.shown().value);
  CHECK(k.shown().value->curve->problem == k.wanted);
  CHECK_FALSE(k.shown().older);
  CHECK_FALSE(k.shown().stopped);
  CHECK(k.shown().value->patterns.size() == 3);
  CHECK(k.shown().value->patterns[2].size() == 4);
}

TEST_CASE("fit measure: a new wish ends the old one, and what is left is not fitted to what is gone", "[app][fit]") {
  Widths k(document_of("a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f g h i j k l m n"));
  k.update();
  k.set(document_of("the cat sat"));
  k.leave();
  k.measures.finish();
  k.leave();  // takes what there is; an update would ask for the new one, which may be there at once
  CHECK_FALSE(k.shown().value);
  k.finished();
  REQUIRE(k.shown().value);
  CHECK(k.shown().value->curve->n == 3);
}

TEST_CASE("fit measure: what cannot be fitted leaves a sentence", "[app][fit]") {
  Widths k(document_of("one"));
  k.wanted.choice.target = learn::FitTarget::previous;
  k.finished();
  CHECK_FALSE(k.shown().value);
  CHECK_THAT(k.shown().failure, Catch::Contains("asks nothing of any token"));
}

TEST_CASE("fit measure: the pattern of a head, and the pairs of a relation that the mask shows", "[app][fit]") {
  const auto trace = evaluate(document_of("the cat sat on it", R"("heads": 2, "mask": "causal")"));
  FitWidthsMeasure::Wanted wanted{0, 1, {}};
  wanted.choice.from = FitChoice::From::head;
  const Mat<float> P = fit_target_of(*trace, wanted, nullptr);
  CHECK((P - *trace->layer(0).heads[1].attention).cwiseAbs().maxCoeff() < 1e-6f);
  wanted.choice.from = FitChoice::From::painted;
  CHECK(fit_target_of(*trace, wanted, nullptr).sum() == 0);
  AnnotatedSentence marks;
  marks.gold[2] = {{2, 0}, {2, 1}, {3, 4}};
  wanted.choice.from = FitChoice::From::relation;
  wanted.choice.relation = 2;
  Mat<float> expected = Mat<float>::Zero(5, 5);
  expected(2, 0) = expected(2, 1) = 0.5f;
  CHECK(fit_target_of(*trace, wanted, &marks) == expected);  // (3, 4) is hidden
  wanted.choice.masked = false;
  expected(3, 4) = 1;
  CHECK(fit_target_of(*trace, wanted, &marks) == expected);
}
