// Fits beside the frame loop: asked for once, stopped, asked for again, and the patterns that they are of.
#include "app/work/fit_keeper.h"

#include <catch2/catch.hpp>

#include "core/document/edit.h"
#include "core/document/evaluate.h"
#include "core/document/file.h"

using namespace hydra;
using namespace std::chrono_literals;

namespace {

std::shared_ptr<const Trace> trace_of(const std::string& sentence, const std::string& layer = R"("heads": 2)") {
  return evaluate(parse_document(
      R"({"hydrascope": 1, "sentence": ")" + sentence + R"(", "d_model": 8, "layers": [{)" + layer + "}]}", "f"));
}

void finish(FitKeeper& keeper) {
  for (Beside* beside : keeper.beside()) beside->finish();
}

}  // namespace

TEST_CASE("fit keeper: widths are fitted once for what they depend on", "[app][fit]") {
  FitKeeper keeper;
  const auto trace = trace_of("the cat sat on it");
  const FitKeeper::WidthsWanted wanted{*trace, 0, 0, nullptr, {}};
  CHECK_FALSE(keeper.shown().widths);
  keeper.update(wanted, 20s);
  finish(keeper);
  keeper.update(wanted, 0ms);
  const auto first = keeper.shown().widths;
  REQUIRE(first);
  CHECK(first->n == 5);
  CHECK(first->seeds.size() == FitKeeper::kSeeds);
  CHECK(keeper.shown().made.size() == first->points.size());
  CHECK_FALSE(keeper.shown().older);
  CHECK_FALSE(keeper.update(wanted, 20s));
  CHECK(keeper.shown().widths == first);
  const FitKeeper::WidthsWanted other{*trace, 0, 1, nullptr, {}};  // of what is drawn the head does not matter
  CHECK_FALSE(keeper.update(other, 20s));
  CHECK(keeper.shown().widths == first);
  FitKeeper::WidthsWanted identity = wanted;
  identity.choice.target = learn::FitTarget::identity;
  CHECK(keeper.update(identity, 20s));
  finish(keeper);
  keeper.update(identity, 0ms);
  CHECK(keeper.shown().choice == identity.choice);
  CHECK(*keeper.shown().target == Mat<float>(Mat<float>::Identity(5, 5)));
}

TEST_CASE("fit keeper: what is stopped stays as it was, until it is asked for again", "[app][fit]") {
  FitKeeper keeper;
  const learn::HeadsProblem large{16, 128, 8}, small{5, 4, 2};
  keeper.update(large, 0ms);
  CHECK(keeper.shown().progress < 1);
  keeper.stop();
  finish(keeper);
  keeper.update(large, 0ms);
  CHECK(keeper.shown().progress == 1);
  CHECK(keeper.shown().stopped);
  CHECK(keeper.shown().older);
  CHECK_FALSE(keeper.shown().heads);
  CHECK_FALSE(keeper.update(large, 0ms));  // not by itself
  keeper.again();
  keeper.update(small, 0ms);
  finish(keeper);
  keeper.update(small, 0ms);
  REQUIRE(keeper.shown().heads);
  CHECK(keeper.shown().heads->problem == small);
  CHECK_FALSE(keeper.shown().older);
  CHECK(keeper.shown().patterns.size() == 3);
  CHECK(keeper.shown().patterns[2].size() == 4);
}

TEST_CASE("fit keeper: a new wish ends the old one, and what is left is not fitted to what is gone", "[app][fit]") {
  FitKeeper keeper;
  const auto long_trace = trace_of("a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f g h i j k l m n"),
             short_trace = trace_of("the cat sat");
  keeper.update({*long_trace, 0, 0, nullptr, {}}, 0ms);
  keeper.leave(*short_trace, 0);
  finish(keeper);
  keeper.update({*short_trace, 0, 0, nullptr, {}}, 20s);
  finish(keeper);
  keeper.update({*short_trace, 0, 0, nullptr, {}}, 0ms);
  REQUIRE(keeper.shown().widths);
  CHECK(keeper.shown().widths->n == 3);
}

TEST_CASE("fit keeper: what cannot be fitted leaves a sentence", "[app][fit]") {
  FitKeeper keeper;
  const auto trace = trace_of("one");
  FitKeeper::WidthsWanted wanted{*trace, 0, 0, nullptr, {}};
  wanted.choice.target = learn::FitTarget::previous;
  keeper.update(wanted, 20s);
  finish(keeper);
  keeper.update(wanted, 0ms);
  CHECK_FALSE(keeper.shown().widths);
  CHECK_THAT(keeper.shown().failure, Catch::Contains("asks nothing of any token"));
}

TEST_CASE("fit keeper: the pattern of a head, and the pairs of a relation that the mask shows", "[app][fit]") {
  const auto trace = trace_of("the cat sat on it", R"("heads": 2, "mask": "causal")");
  FitKeeper::WidthsWanted wanted{*trace, 0, 1, nullptr, {}};
  wanted.choice.from = FitChoice::From::head;
  const Mat<float> P = fit_target_of(wanted);
  CHECK((P - *trace->layer(0).heads[1].attention).cwiseAbs().maxCoeff() < 1e-6f);
  wanted.choice.from = FitChoice::From::painted;
  CHECK(fit_target_of(wanted).sum() == 0);
  AnnotatedSentence marks;
  marks.gold[2] = {{2, 0}, {2, 1}, {3, 4}};
  wanted.marks = &marks;
  wanted.choice.from = FitChoice::From::relation;
  wanted.choice.relation = 2;
  Mat<float> expected = Mat<float>::Zero(5, 5);
  expected(2, 0) = expected(2, 1) = 0.5f;
  CHECK(fit_target_of(wanted) == expected);  // (3, 4) is hidden
  wanted.choice.masked = false;
  expected(3, 4) = 1;
  CHECK(fit_target_of(wanted) == expected);
}
