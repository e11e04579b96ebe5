// The pages of the documents that ship: each document has one, and what the pages of single layers quote is what the
// program computes. Those of stacks: designed_stacks.tests.cpp, designed_choices.tests.cpp.
#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/core/document/designed_stacks.h"

using namespace hydra;
using namespace hydra::test;

namespace {

constexpr int kEight = 8;  // heads of these documents

// Of the only layer.
float looks(const Trace& trace, int head, const std::string& query, const std::string& key) {
  return attention(trace, {1, head}, query, key);
}
// "“animal” 0.83": what the row of the query gives to the key.
std::string gives(const Trace& trace, int head, const std::string& query, const std::string& key) {
  return "“" + key + "” " + two_digits(looks(trace, head, query, key));
}
std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f\u00a0%%", 100 * share);
  return text;
}

FeatureSet features(const std::vector<std::string>& names) {
  FeatureSet set = 0;
  for (const std::string& name : names) set |= feature_bit(Lexicon::standard().feature(name));
  return set;
}

}  // namespace

TEST_CASE("pages: every document that ships has one", "[document][pages]") {
  int count = 0;
  for (const auto& file : std::filesystem::directory_iterator(test::data("../../assets/documents"))) {
    CAPTURE(file.path());
    const Notes notes = read_document(file.path().string()).notes;
    CHECK(notes.title.size() > 10);
    REQUIRE(notes.paragraphs.size() >= 3);
    CHECK_FALSE(notes.paragraphs.front().starts_with("# "));
    CHECK_FALSE(notes.paragraphs.back().starts_with("# "));
    ++count;
  }
  CHECK(count >= 29);
}

TEST_CASE("pages: eight designed heads", "[document][pages]") {
  const Document document = shipped("heads_designed");
  const auto trace = evaluate(document);
  CHECK(says(document,
             "Head 1 gives " + gives(*trace, 1, "it", "animal") + " and " + gives(*trace, 1, "it", "street") + "."));
}

TEST_CASE("pages: tired and wide share one, and one layer tells them apart for the adjective alone",
          "[document][pages]") {
  const Document tired = shipped("designed_animal_tired"), wide = shipped("designed_animal_wide");
  check_twins(tired, wide);
  const auto of_tired = evaluate(tired), of_wide = evaluate(wide);
  const std::string it = gives(*of_tired, 1, "it", "animal");
  CHECK(gives(*of_wide, 1, "it", "animal") == it);
  CHECK(two_digits(looks(*of_tired, 2, "it", "tired")) == "1.00");
  CHECK(two_digits(looks(*of_wide, 2, "it", "wide")) == "1.00");
  for (const Document& document : {tired, wide}) {
    CHECK(says(document, "“tired” gives " + gives(*of_tired, 4, "tired", "animal") + ", and “wide” gives " +
                             gives(*of_wide, 4, "wide", "street") + "."));
    CHECK(says(document, "“it” gives " + it + " with both"));
    CHECK(says(document, "“The” at the word after it (" + two_digits(looks(*of_tired, 4, "the", "animal")) + ")"));
  }
}

TEST_CASE("pages: the cat and the mat, with another adjective and with slices", "[document][pages]") {
  const Document document = shipped("designed_cat_mat_soft");
  const auto trace = evaluate(document),
             hungry = evaluate(apply(document, SetSentence{"The cat sat on the mat because it was hungry."})),
             sliced = evaluate(apply(document, SetSplit{Split::slice}));
  CHECK(says(document, "Head 4: " + two_digits(looks(*trace, 4, "soft", "mat")) + ". Head 1 gives " +
                           gives(*trace, 1, "it", "mat") + " from “it”, and head 3 gives " +
                           gives(*trace, 3, "sat", "cat") + " from “sat”."));
  CHECK(says(document, "head 4 gives " + gives(*hungry, 4, "hungry", "cat") + ", and head 1 still gives " +
                           gives(*hungry, 1, "it", "mat") + "."));
  const Index soft = place_of(*sliced, "soft"), words = static_cast<Index>(sliced->tokens.size());
  for (Index key = 0; key < words; ++key)
    CHECK(says(document,
               "the row of “soft” is even, " + two_digits(attention(*sliced, {1, 4}, soft, key)) + " for each"));
}

TEST_CASE("pages: the horse, the homework, the cat that was adopted", "[document][pages]") {
  const Document horse = shipped("designed_horse_road");
  const auto road = evaluate(horse);
  CHECK(says(horse,
             "Head 1 gives " + gives(*road, 1, "it", "horse") + " and head 2 " + gives(*road, 2, "it", "tired") + ":"));

  const Document homework = shipped("designed_teacher_homework");
  const auto trace = evaluate(homework), warm = evaluate(apply(homework, SetSetting{LayerSetting::temperature, 10})),
             car = evaluate(apply(homework, SetSentence{"The car is a vehicle."}));
  CHECK(says(homework, "At “students”: " + two_digits(looks(*trace, 1, "their", "students")) + "."));
  CHECK(says(homework, "with T = 10 “students” has " + two_digits(looks(*warm, 1, "their", "students")) +
                           " and “teacher” " + two_digits(looks(*warm, 1, "their", "teacher"))));
  CHECK(says(homework, "“gave” asks: its row gives " + gives(*trace, 3, "gave", "teacher")));
  CHECK(says(homework, "Head 3 gives " + gives(*trace, 3, "their", "students") + " from “their”"));
  CHECK(says(homework, "each gives the other " + two_digits(looks(*car, 7, "car", "vehicle")) + "."));
  CHECK(two_digits(looks(*car, 7, "vehicle", "car")) == two_digits(looks(*car, 7, "car", "vehicle")));

  const Document adopted = shipped("designed_cat_adopted");
  const auto cat = evaluate(adopted);
  CHECK(says(adopted, "“sleeps” gives " + gives(*cat, 3, "sleeps", "cat") + ", across three words"));
  CHECK(says(adopted, "“adopted” gives “I” " + two_digits(looks(*cat, 3, "adopted", "i"))));
  float most = 0;
  for (int head = 1; head <= kEight; ++head) most = std::max(most, looks(*cat, head, "adopted", "cat"));
  CHECK(says(adopted, "from “adopted” no head gives “cat” more than " + two_digits(most)));
}

TEST_CASE("pages: heads designed for the grammar, before and after the guessed word is corrected",
          "[document][pages]") {
  const Document document = shipped("grammar_designed");
  const auto trace = evaluate(document),
             corrected = evaluate(apply(document, SetWordFeatures{"chases", features({"verb", "singular"})}));
  CHECK(says(document, "gives " + gives(*trace, 4, "chases", "cats") + ". “chases” is dotted"));
  CHECK(says(document, "“king” has " + two_digits(looks(*corrected, 4, "chases", "king")) + "."));
  CHECK(says(document, "1 gives " + gives(*trace, 1, "she", "girl") + " from “she”"));
}

TEST_CASE("pages: identity weights, and words whose order is taken away", "[document][pages]") {
  const Document document = shipped("slices");
  CHECK(says(document, "“cat” " + two_digits(looks(*evaluate(document), 1, "cat", "cat")) + "."));
  const auto bitten = [&](Embedding::Positions positions, const std::string& sentence) {
    const auto trace = evaluate(apply(apply(document, SetSentence{sentence}), SetPositions{positions}));
    std::vector<float> weights;
    for (int head = 1; head <= kEight; ++head) weights.push_back(looks(*trace, head, "bit", "dog"));
    return weights;
  };
  const std::string dog_bites = "the dog bit a man", man_bites = "a man bit the dog";
  const std::vector<float> here = bitten(Embedding::Positions::none, dog_bites),
                           there = bitten(Embedding::Positions::none, man_bites);
  for (std::size_t h = 0; h < here.size(); ++h) CHECK(here[h] == Approx(there[h]).epsilon(1e-4));
  CHECK(says(document, "The same in every head, " + two_digits(here[0]) + " in head 1."));
  CHECK(says(document, "head 1 has " + two_digits(bitten(Embedding::Positions::sinusoidal, dog_bites)[0]) +
                           " in the first sentence and " +
                           two_digits(bitten(Embedding::Positions::sinusoidal, man_bites)[0]) + " in the second."));
}

TEST_CASE("pages: the smallest rank", "[document][pages]") {
  const Document document = shipped("smallest_rank");
  const auto trace = evaluate(document);
  CHECK(says(document, "it gives itself " + two_digits(looks(*trace, 1, "a", "a")) + ". The row of “b” stays at " +
                           two_digits(looks(*trace, 1, "b", "a")) + " and " + two_digits(looks(*trace, 1, "b", "b")) +
                           "."));
}

TEST_CASE("pages: shared keys, as the class shares them", "[document][pages]") {
  const Document document = shipped("shared_keys");
  const Document eight = apply(apply(document, SetKvHeads{kEight}), SetWeightSource{Init::xavier, 8});
  const Mat<float> Y = *evaluate(eight)->layer(0).output;
  const auto changed = [&](const SetKvHeads& edit) {
    const Mat<float> shared = *evaluate(apply(eight, edit))->layer(0).output;
    return percent(static_cast<double>((shared - Y).norm() / Y.norm()));
  };
  CHECK(says(document, "the output changes by " + changed({4}) + " for four sets, " + changed({2}) + " for two, " +
                           changed({1}) + " for one."));
  CHECK(says(document, "and not the output (" + changed({1, true}) + ")"));
}
