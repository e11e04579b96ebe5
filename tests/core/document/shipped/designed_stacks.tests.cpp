// The designed stacks that ship do what their pages say, on every sentence that these name; a number that a page quotes
// is one that is computed here, and every number that is computed for it stands on the page. Those that choose a noun:
// designed_choices.tests.cpp.
#include <catch2/catch.hpp>

#include "tests/core/document/shipped/designed_stacks.h"

using namespace hydra;
using namespace hydra::test;

namespace {

const std::vector<std::string> kStacks = {"stack_induction",    "stack_king_weak",   "stack_king_heavy",
                                          "layer_animal_tired", "layer_animal_wide", "stack_animal_tired",
                                          "stack_animal_wide",  "stack_forgets",     "stack_remembers"};

}  // namespace

TEST_CASE("designed stacks: each has a page, and goes through a file to the same text", "[document][designed_stacks]") {
  for (const std::string& name : kStacks) {
    CAPTURE(name);
    const Document document = shipped(name);
    CHECK(document.notes.title.size() > 10);
    CHECK(document.notes.paragraphs.size() >= 4);
    const std::string text = document_text(document);
    CHECK(text.size() < 10000);  // recipes, no matrices
    CHECK(same_document(parse_document(text, name), document));
    CHECK(document_text(parse_document(text, name)) == text);
  }
}

// --- the induction head ------------------------------------------------------------------------------------------

namespace {

// cat, river, bread: said before, and followed by the word behind it.
const std::vector<std::pair<std::string, std::string>> kFollowed = {
    {"cat", "river"}, {"river", "bread"}, {"bread", "chair"}};

// The least attention that a repeated word gives to what followed it the first time.
float least_induction(const Trace& trace) {
  float least = 1;
  for (const auto& [word, follower] : kFollowed)
    least = std::min(least, attention(trace, kReader, place_of(trace, word, 2), place_of(trace, follower)));
  return least;
}
float most_induction(const Trace& trace) {
  float most = 0;
  for (const auto& [word, follower] : kFollowed)
    most = std::max(most, attention(trace, kReader, place_of(trace, word, 2), place_of(trace, follower)));
  return most;
}

}  // namespace

TEST_CASE("designed stacks: the induction head finds what followed, and only through the first layer",
          "[document][designed_stacks]") {
  const Document document = shipped("stack_induction");
  const auto trace = evaluate(document), cut = evaluate(silenced(document, kWriter));
  const Index last = static_cast<Index>(trace->tokens.size()) - 1;
  for (Index i = 1; i <= last; ++i) CHECK(attention(*trace, kWriter, i, i - 1) > 0.9f);
  CHECK(least_induction(*trace) > 0.9f);
  // Without what the first layer writes the slot is empty: each row is even.
  for (const auto& [word, follower] : kFollowed) {
    const Index row = place_of(*trace, word, 2);
    CHECK(attention(*cut, kReader, row, place_of(*trace, follower)) == Approx(1 / static_cast<double>(row + 1)));
  }
  // The same recipe in the first layer finds nothing either: nobody has written yet.
  for (Index i = 0; i <= last; ++i)
    for (Index j = 0; j <= i; ++j) CHECK(attention(*trace, {1, 2}, i, j) == Approx(1 / static_cast<double>(i + 1)));
  const float before = attention(*trace, kWriter, last, last - 1);
  const float chair = attention(*trace, kReader, last, place_of(*trace, "chair"));
  const float fallen = attention(*cut, kReader, last, place_of(*trace, "chair"));
  CHECK(says(document, "“bread” gives " + two_digits(before) + " of its attention to “river”"));
  CHECK(says(document, "finds “chair” and gives it " + two_digits(chair)));
  CHECK(says(document, "Without the message it is " + two_digits(fallen) + ", the same as for every other word"));
  check_quoted(document, {before, chair, fallen});
}

TEST_CASE("designed stacks: the slot is empty in X, and holds the word before after the first layer",
          "[document][designed_stacks]") {
  const auto trace = evaluate(shipped("stack_induction"));
  REQUIRE(trace->layout);
  const FeatureLayout& layout = *trace->layout;
  REQUIRE(layout.slot == layout.identity);
  const Mat<float> X = *trace->X, R = *leaving(*trace, 0);
  CHECK(X.middleCols(layout.slot_at(), layout.slot).isZero(0));
  for (Index i = 1; i < X.rows(); ++i) {
    const RowVec<float> before = X.row(i - 1).segment(layout.identity_at(), layout.identity);
    CHECK((R.row(i).segment(layout.slot_at(), layout.slot) - before).norm() < 0.15f);
    CHECK((R.row(i) - X.row(i)).leftCols(layout.slot_at()).isZero(0));  // nothing else is touched
    CHECK((R.row(i) - X.row(i)).rightCols(layout.positions).isZero(0));
  }
}

TEST_CASE("designed stacks: other words and other identities have induction, untrained stacks have none",
          "[document][designed_stacks]") {
  const Document document = shipped("stack_induction");
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    CHECK(least_induction(*evaluate(untrained(document, 2 * seed))) < 0.2f);
  // Whatever words are repeated, with other identities: the head knows none of them.
  for (const char* sentence : {"Remember: dog lake soup table, dog lake soup", "Say: horse garden book, horse garden",
                               "Remember: blorp quent zimmer, blorp quent"}) {
    const auto trace = evaluate(apply(document, SetSentence{sentence}));
    const Index last = static_cast<Index>(trace->tokens.size()) - 1;
    const auto word = word_key(trace->tokens[static_cast<std::size_t>(last)]);
    CHECK(attention(*trace, kReader, last, place_of(*trace, word) + 1) > 0.9f);
  }
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    CHECK(least_induction(*evaluate(apply(document, SetEmbedding{Embedding::Kind::features, seed}))) > 0.9f);
  CHECK(most_induction(*evaluate(silenced(document, kWriter))) < 0.2f);
}

// --- what residual sums keep ---------------------------------------------------------------------------------------

namespace {

// The mean cosine between the rows of two different words.
double mean_likeness(const Mat<float>& R, const std::vector<std::string>& tokens) {
  double sum = 0;
  int pairs = 0;
  for (Index i = 0; i < R.rows(); ++i)
    for (Index j = 0; j < i; ++j) {
      if (word_key(tokens[static_cast<std::size_t>(i)]) == word_key(tokens[static_cast<std::size_t>(j)])) continue;
      const RowVec<double> a = R.row(i).cast<double>(), b = R.row(j).cast<double>();
      sum += a.dot(b) / (a.norm() * b.norm());
      ++pairs;
    }
  return sum / pairs;
}

// How many rows of the last layer have in X no word nearer than their own.
int own_words(const Trace& trace) {
  const Mat<float> R = *leaving(trace, static_cast<Index>(trace.layers.size()) - 1);
  const Mat<float> likeness = R.rowwise().normalized() * trace.X->rowwise().normalized().transpose();
  int own = 0;
  for (Index i = 0; i < likeness.rows(); ++i) {
    Index nearest = 0;
    likeness.row(i).maxCoeff(&nearest);
    own += nearest == i ? 1 : 0;
  }
  return own;
}

Document with_seeds(Document document, std::uint64_t first) {
  for (int k = 0; k < static_cast<int>(document.layers.size()); ++k)
    document =
        apply(document,
              {SetWeightSource{Init::xavier, first + static_cast<std::uint64_t>(k), SetWeightSource::Gain::none}, k});
  return document;
}

}  // namespace

TEST_CASE("designed stacks: without residual sums the rows become one row, with them they stay apart",
          "[document][designed_stacks]") {
  const Document forgets = shipped("stack_forgets"), remembers = shipped("stack_remembers");
  Document other = forgets;
  for (Layer& layer : other.layers) layer.settings.residual = true;
  other.notes = remembers.notes;
  CHECK(same_document(other, remembers));  // the sums are all that differs
  const auto without = evaluate(forgets), with = evaluate(remembers);
  const auto at = [](const Trace& trace, Index layer) {
    return mean_likeness(layer == 0 ? Mat<float>(*trace.X) : Mat<float>(*leaving(trace, layer - 1)), trace.tokens);
  };
  CHECK(at(*without, 4) > 0.999);
  for (Index k = 2; k <= 4; ++k) CHECK(at(*without, k) > at(*without, k - 1) - 1e-3);
  const std::string cosines =
      "is " + two_digits(at(*without, 0)) + " in X. Without sums it is " + two_digits(at(*without, 1)) +
      " after the first layer and " + two_digits(at(*without, 2)) + " after the second. With sums it is " +
      two_digits(at(*with, 1)) + " after the first and " + two_digits(at(*with, 4)) + " after the fourth.";
  for (const Document& document : {forgets, remembers}) {
    CHECK(says(document, cosines));
    check_quoted(document, {at(*without, 0), at(*without, 1), at(*without, 2), at(*with, 1), at(*with, 4)});
  }
  CHECK(own_words(*without) == 1);
  CHECK(own_words(*with) == 10);
  for (const Document& document : {forgets, remembers}) {
    CHECK(says(document, "one and the same word for all of them"));
    CHECK(says(document, "the row's own word in 10 of 12"));
  }
  int kept = 0;
  for (std::uint64_t seed = 100; seed < 300; seed += 10) {  // no matter which weights
    const auto apart = evaluate(with_seeds(remembers, seed)), alike = evaluate(with_seeds(forgets, seed));
    CHECK(at(*alike, 4) > 0.999);
    CHECK(at(*apart, 4) < 0.95);
    CHECK(own_words(*alike) == 1);
    kept += own_words(*apart);
  }
  CHECK(kept > 20 * 6);
}
