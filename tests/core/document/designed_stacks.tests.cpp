// The designed stacks that ship do what their pages say, on every sentence that these name; a number that a page quotes
// is one that is computed here, and every number that is computed for it stands on the page.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <regex>
#include <set>

#include "core/analysis/quantity.h"
#include "core/document/edit.h"
#include "core/document/evaluate.h"
#include "core/document/file.h"
#include "tests/support/data.h"

using namespace hydra;

namespace {

Document shipped(const std::string& name) {
  return read_document(test::data("../../assets/documents/" + name + ".json"));
}
const std::vector<std::string> kStacks = {"stack_induction",    "stack_king_weak",   "stack_king_heavy",
                                          "layer_animal_tired", "layer_animal_wide", "stack_animal_tired",
                                          "stack_animal_wide",  "stack_forgets",     "stack_remembers"};

// Where the word stands for the k-th time, from 1.
Index place_of(const Trace& trace, const std::string& word, int k = 1) {
  for (std::size_t i = 0; i < trace.tokens.size(); ++i)
    if (word_key(trace.tokens[i]) == word && --k == 0) return static_cast<Index>(i);
  FAIL("there is no " << word);
  return 0;
}

// Layers and heads from 1, as pages and screens count them.
struct HeadOf {
  int layer, head;
};
constexpr HeadOf kWriter{1, 1}, kReader{2, 1};

float attention(const Trace& trace, HeadOf at, Index query, Index key) {
  return values_of(trace, {Quantity::attention, at.layer - 1, at.head - 1})(query, key);
}
float attention(const Trace& trace, HeadOf at, const std::string& query, const std::string& key) {
  return attention(trace, at, place_of(trace, query), place_of(trace, key));
}

Document silenced(const Document& document, HeadOf at) {
  return apply(document, {SetGate{at.head - 1, 0}, at.layer - 1});
}
// Every layer with untrained weights that spread as the window's do.
Document untrained(Document document, std::uint64_t seed) {
  for (int k = 0; k < static_cast<int>(document.layers.size()); ++k)
    document =
        apply(document,
              {SetWeightSource{Init::xavier, seed + static_cast<std::uint64_t>(k), SetWeightSource::Gain::fitted}, k});
  return document;
}

Array<float> leaving(const Trace& trace, Index layer) {
  for (const Quantity q : {Quantity::stream, Quantity::stream_1})
    if (const Array<float>& stream = trace.block(layer).of(q)) return stream;
  return trace.layer(layer).output;
}

std::string two_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

// The decimal numbers of the page are these, no others, and all of them.
void check_quoted(const Document& document, const std::vector<double>& values) {
  std::set<std::string> computed, quoted;
  for (const double value : values) computed.insert(two_digits(value));
  const std::regex number("[0-9]+\\.[0-9]+");
  for (const std::string& paragraph : document.notes.paragraphs)
    for (std::sregex_iterator it(paragraph.begin(), paragraph.end(), number), end; it != end; ++it)
      quoted.insert(it->str());
  CHECK(quoted == computed);
}

bool says(const Document& document, const std::string& words) {
  return std::any_of(document.notes.paragraphs.begin(), document.notes.paragraphs.end(),
                     [&](const std::string& paragraph) { return paragraph.find(words) != std::string::npos; });
}

// Pages of documents that differ in the sentence alone are one and the same.
void check_twins(const Document& one, const Document& other) {
  Document changed = one;
  changed.sentence = other.sentence;
  CHECK(one.sentence != other.sentence);
  CHECK(same_document(changed, other));
}

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
  check_quoted(document,
               {attention(*trace, kWriter, last, last - 1), attention(*trace, kReader, last, place_of(*trace, "chair")),
                attention(*cut, kReader, last, place_of(*trace, "chair"))});
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

TEST_CASE("designed stacks: untrained stacks, and words that do not come again, have no induction",
          "[document][designed_stacks]") {
  const Document document = shipped("stack_induction");
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    CHECK(least_induction(*evaluate(untrained(document, 2 * seed))) < 0.5f);
  // Whatever words are repeated, with other identities: the head knows none of them.
  for (const char* sentence :
       {"Remember: dog lake soup table, dog lake soup", "Say: horse garden book, horse garden"}) {
    const auto trace = evaluate(apply(document, SetSentence{sentence}));
    const Index last = static_cast<Index>(trace->tokens.size()) - 1;
    const auto word = word_key(trace->tokens[static_cast<std::size_t>(last)]);
    CHECK(attention(*trace, kReader, last, place_of(*trace, word) + 1) > 0.9f);
  }
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    CHECK(least_induction(*evaluate(apply(document, SetEmbedding{Embedding::Kind::features, seed}))) > 0.7f);
  CHECK(most_induction(*evaluate(silenced(document, kWriter))) < 0.2f);
}

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
  }
  std::vector<double> quoted = {
      attention(*of_weak, kWriter, "he", "weak"),   attention(*of_weak, kReader, "he", "king"),
      attention(*of_weak, kReader, "he", "uncle"),  attention(*of_heavy, kReader, "he", "king"),
      attention(*of_heavy, kReader, "he", "uncle"), attention(*of_weak, {1, 2}, "uncle", "lift"),
  };
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
  for (const Document& document : {weak, heavy}) check_quoted(document, quoted);
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
  for (const Document& document : {tired, wide})
    check_quoted(document, {attention(*of_tired, kWriter, "it", "tired"), attention(*of_tired, kReader, "it", "animal"),
                            attention(*of_tired, kReader, "it", "street"), attention(*of_wide, kReader, "it", "animal"),
                            attention(*of_wide, kReader, "it", "street"), attention(*cut, kReader, "it", "animal")});
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
  for (const Document& document : {tired, wide})
    check_quoted(document, {attention(*of_tired, {1, 1}, "it", "tired"), attention(*of_tired, kSame, "it", "animal"),
                            attention(*of_tired, kSame, "it", "street"), attention(*of_wide, kSame, "it", "animal"),
                            attention(*of_wide, kSame, "it", "street")});
  // Both layers' recipes are here, and the first of the two is that of the stack.
  const auto recipe = [](const Document& d, HeadOf at) {
    return *d.layer(at.layer - 1).source.designs[static_cast<std::size_t>(at.head - 1)];
  };
  const Document stack = shipped("stack_animal_tired");
  CHECK(recipe(tired, {1, 1}) == recipe(stack, kWriter));
  CHECK(recipe(tired, {1, 2}).asks == recipe(stack, kReader).asks);
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
  const std::vector<double> quoted = {at(*without, 0), at(*without, 1), at(*without, 2), at(*with, 1), at(*with, 4)};
  check_quoted(forgets, quoted);
  check_quoted(remembers, quoted);
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
