// The designed stacks in which a pronoun chooses a noun by what an adjective demands, and the single layer that cannot.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/core/document/shipped/designed_stacks.h"

using namespace hydra;
using namespace hydra::test;

namespace {

// "king 0.95, uncle 0.05"
std::string shares(const Trace& trace, HeadOf at, const std::string& query, const std::string& one,
                   const std::string& other) {
  return one + " " + two_digits(attention(trace, at, query, one)) + ", " + other + " " +
         two_digits(attention(trace, at, query, other));
}

}  // namespace

// --- the king and the uncle ----------------------------------------------------------------------------------------

TEST_CASE("designed stacks: the king is weak, the uncle is heavy", "[document][designed_stacks]") {
  const Document weak = shipped("stack_king_weak"), heavy = shipped("stack_king_heavy");
  check_twins(weak, heavy);
  const auto of_weak = evaluate(weak), of_heavy = evaluate(heavy);
  CHECK(attention(*of_weak, kWriter, "he", "weak") > 0.9f);
  CHECK(attention(*of_heavy, kWriter, "he", "heavy") > 0.9f);
  CHECK(attention(*of_weak, kReader, "he", "king") > 0.8f);
  CHECK(attention(*of_heavy, kReader, "he", "uncle") > 0.8f);
  for (const auto& trace : {of_weak, of_heavy}) {
    CHECK(attention(*trace, {1, 2}, "uncle", "lift") > 0.9f);
    CHECK(attention(*trace, {1, 2}, "king", "lift") < 0.01f);
    CHECK(attention(*trace, {2, 2}, "he", "king") > attention(*trace, {2, 2}, "he", "uncle"));  // in both
  }
  std::vector<double> quoted = {attention(*of_weak, kWriter, "he", "weak"),
                                attention(*of_weak, {1, 2}, "uncle", "lift")};
  const std::string message = "looks at the adjective (" + two_digits(quoted[0]) + ")",
                    lifted = "“uncle” finds “lift” (" + two_digits(quoted[1]) + ")",
                    chosen = "With “weak”: " + shares(*of_weak, kReader, "he", "king", "uncle") +
                             ". With “heavy”: " + shares(*of_heavy, kReader, "he", "king", "uncle") + ".";
  for (const auto& trace : {of_weak, of_heavy})
    for (const char* noun : {"king", "uncle"}) quoted.push_back(attention(*trace, kReader, "he", noun));
  // Without the adjective's demand there is no choice; without the mark of what is lifted, none either.
  for (const Document& document : {weak, heavy}) {
    const auto cut = evaluate(silenced(document, kWriter));
    const float king = attention(*cut, kReader, "he", "king"), uncle = attention(*cut, kReader, "he", "uncle");
    CHECK(king == Approx(uncle).epsilon(0.05));
    CHECK(king < 0.55f);
    quoted.push_back(king), quoted.push_back(uncle);
    const auto unmarked = evaluate(silenced(document, {1, 2}));
    CHECK(attention(*unmarked, kReader, "he", "king") ==
          Approx(attention(*unmarked, kReader, "he", "uncle")).epsilon(0.05));
  }
  for (const Document& document : {weak, heavy}) {
    for (const std::string& words : {message, lifted, chosen}) CHECK(says(document, words));
    CHECK(says(document, "Without head 1 of layer 1 each has " + two_digits(quoted.back()) +
                             "; without its head 2 they are equal, too."));
    check_quoted(document, quoted);
  }
}

TEST_CASE("designed stacks: the demand stands in the pronoun's columns after the first layer",
          "[document][designed_stacks]") {
  const int tired = Lexicon::standard().feature("can-be-tired"), heavy = Lexicon::standard().feature("can-be-heavy");
  for (const char* name : {"stack_king_weak", "stack_king_heavy"}) {
    const auto trace = evaluate(shipped(name));
    const Mat<float> X = *trace->X, R = *leaving(*trace, 0);
    const Index he = place_of(*trace, "he"), king = place_of(*trace, "king"), uncle = place_of(*trace, "uncle");
    const bool weak = std::string(name) == "stack_king_weak";
    CHECK((X(he, tired) == 0 && X(he, heavy) == 0));
    CHECK(R(he, tired) == Approx(weak ? 1 : 0).margin(0.1));
    CHECK(R(he, heavy) == Approx(weak ? 0 : 1).margin(0.1));
    CHECK((X(king, tired) == 1 && X(uncle, tired) == 1));
    CHECK(R(king, tired) == Approx(1).margin(0.1));
    CHECK(R(king, heavy) == Approx(0).margin(0.1));
    CHECK(R(uncle, tired) == Approx(0).margin(0.1));
    CHECK(R(uncle, heavy) == Approx(1).margin(0.1));
  }
}

TEST_CASE("designed stacks: other adjectives of the kind choose alike, untrained stacks do not choose",
          "[document][designed_stacks]") {
  const Document weak = shipped("stack_king_weak"), heavy = shipped("stack_king_heavy");
  const auto with = [&](const std::string& adjective) {
    return apply(weak, SetSentence{"The king could not lift the uncle because he was too " + adjective + "."});
  };
  for (const char* adjective : {"tired", "hungry", "sleepy", "young"})
    CHECK(attention(*evaluate(with(adjective)), kReader, "he", "king") > 0.8f);
  CHECK(attention(*evaluate(with("heavy")), kReader, "he", "uncle") > 0.8f);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto one = evaluate(untrained(weak, 2 * seed)), other = evaluate(untrained(heavy, 2 * seed));
    for (const auto& trace : {one, other}) {
      const float king = attention(*trace, kReader, "he", "king"), uncle = attention(*trace, kReader, "he", "uncle");
      CHECK(king + uncle < 0.6f);
    }
    CHECK(std::abs(attention(*one, kReader, "he", "king") - attention(*other, kReader, "he", "king")) < 0.1f);
  }
}

// --- the animal and the street -------------------------------------------------------------------------------------

namespace {

const std::vector<std::string> kOfBeings = {"tired", "hungry", "sleepy", "young"}, kOfWays = {"wide", "narrow"},
                               kOfNeither = {"old", "new", "big", "red"};

Document crossing(const Document& document, const std::string& adjective) {
  return apply(document, SetSentence{"The animal didn't cross the street because it was too " + adjective + "."});
}
constexpr HeadOf kAnimals{2, 2};  // asks for beings, whatever the adjective is

// How many times as much "it" gives to the animal as to the street.
float ratio(const Trace& trace, HeadOf at) {
  return attention(trace, at, "it", "animal") / attention(trace, at, "it", "street");
}

}  // namespace

TEST_CASE("designed stacks: in two layers attention from it switches with the adjective",
          "[document][designed_stacks]") {
  const Document tired = shipped("stack_animal_tired"), wide = shipped("stack_animal_wide");
  check_twins(tired, wide);
  const auto of_tired = evaluate(tired), of_wide = evaluate(wide), cut = evaluate(silenced(tired, kWriter));
  for (const std::string& adjective : kOfBeings)
    CHECK(attention(*evaluate(crossing(tired, adjective)), kReader, "it", "animal") > 0.8f);
  for (const std::string& adjective : kOfWays)
    CHECK(attention(*evaluate(crossing(tired, adjective)), kReader, "it", "street") > 0.8f);
  for (const std::string& adjective : kOfNeither)
    CHECK(ratio(*evaluate(crossing(tired, adjective)), kReader) == Approx(1).epsilon(0.05));
  CHECK(ratio(*cut, kReader) == Approx(1).epsilon(0.05));
  for (const auto& trace : {of_tired, of_wide}) CHECK(ratio(*trace, {1, 2}) == Approx(1).epsilon(1e-4));  // too early
  const float message = attention(*of_tired, kWriter, "it", "tired"), gone = attention(*cut, kReader, "it", "animal");
  const std::string chosen = "With “tired”: " + shares(*of_tired, kReader, "it", "animal", "street") +
                             ". With “wide”: " + shares(*of_wide, kReader, "it", "animal", "street") + ".";
  std::vector<double> quoted = {message, gone};
  for (const auto& trace : {of_tired, of_wide}) {
    for (const char* noun : {"animal", "street"}) quoted.push_back(attention(*trace, kReader, "it", noun));
    quoted.push_back(attention(*trace, kAnimals, "it", "animal"));
  }
  for (const Document& document : {tired, wide}) {
    CHECK(says(document, "looks at the adjective (" + two_digits(message) + ")"));
    CHECK(says(document, chosen));
    CHECK(says(document, "gives the animal " + two_digits(attention(*of_wide, kAnimals, "it", "animal")) + " in both"));
    CHECK(says(document, "the animal has " + two_digits(gone) + ", and so has the street"));
    check_quoted(document, quoted);
  }
}

// The score of a pair of words is of these two vectors alone, and one layer has the words' own: only what softmax
// divides by can know the adjective, and that is the same for both.
TEST_CASE("designed stacks: in one layer animal and street have a ratio that no adjective changes",
          "[document][designed_stacks]") {
  const Document tired = shipped("layer_animal_tired"), wide = shipped("layer_animal_wide");
  check_twins(tired, wide);
  std::vector<std::string> adjectives = kOfBeings;
  adjectives.insert(adjectives.end(), kOfWays.begin(), kOfWays.end());
  adjectives.insert(adjectives.end(), kOfNeither.begin(), kOfNeither.end());
  for (std::uint64_t seed = 0; seed <= 20; ++seed) {  // the designed heads, then heads of any weights
    const Document document = seed == 0 ? tired : untrained(tired, seed);
    const auto first = evaluate(document);
    for (const std::string& adjective : adjectives) {
      const auto trace = evaluate(crossing(document, adjective));
      for (int head = 1; head <= 2; ++head)
        CHECK(ratio(*trace, {1, head}) == Approx(ratio(*first, {1, head})).epsilon(1e-4));
    }
  }
  const auto of_tired = evaluate(tired), of_wide = evaluate(wide);
  constexpr HeadOf kSame{1, 2};
  const float found = attention(*of_tired, {1, 1}, "it", "tired");
  const std::string same = shares(*of_tired, kSame, "it", "animal", "street");
  CHECK(shares(*of_wide, kSame, "it", "animal", "street") == same);
  for (const Document& document : {tired, wide}) {
    CHECK(says(document, "finds the adjective (" + two_digits(found) + ")"));
    CHECK(says(document, "With “tired”: " + same + ". With “wide”: the same."));
    check_quoted(document,
                 {found, attention(*of_tired, kSame, "it", "animal"), attention(*of_tired, kSame, "it", "street")});
  }
  // Both layers' recipes are here, and the first of the two is that of the stack.
  const auto recipe = [](const Document& d, HeadOf at) {
    return *d.layer(at.layer - 1).source.designs[static_cast<std::size_t>(at.head - 1)];
  };
  const Document stack = shipped("stack_animal_tired");
  CHECK(recipe(tired, {1, 1}) == recipe(stack, kWriter));
  CHECK(recipe(tired, {1, 2}).asks == recipe(stack, kReader).asks);
}
