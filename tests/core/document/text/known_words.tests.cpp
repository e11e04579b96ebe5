#include "core/document/text/known_words.h"

#include <catch2/catch.hpp>

#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/explain/explain.h"
#include "core/explain/links.h"
#include "core/io/file.h"
#include "core/measures/pooled.h"
#include "tests/support/examples.h"
#include "tests/support/faults.h"

using namespace hydra;
using Catch::Contains;
using test::fault_at;

namespace {

using Tokens = std::vector<std::string>;
using Word = KnownWords::Word;

Document reading(Document document, const std::string& sentence) {
  return hydra::apply(document, SetSentence{sentence});
}
std::string words(int count) {
  std::string sentence;
  for (int k = 0; k < count; ++k) sentence += k % 2 == 0 ? "the " : "king ";
  return sentence;
}

}  // namespace

TEST_CASE("known words: learned ones, by the vocabulary, in either case unless it is exact", "[core][known]") {
  const Document document = test::example("trained_grammar");
  const Tokens tokens{"The", "king", "KINGS", "quokka", "king+queen", "king+quokka", "."};
  const KnownWords known = known_words(document, tokens);
  CHECK(known.by == KnownWords::By::vocabulary);
  CHECK(known.size == 107);
  CHECK(known.places == 16);
  CHECK(known.words == std::vector{Word::other_case, Word::known, Word::other_case, Word::unknown, Word::known,
                                   Word::unknown, Word::known});
  CHECK(counts_of(known) == "5 of 7 words known");
  CHECK(
      unknown_sentences(known, tokens) ==
      Tokens{"not among the 107 words that this model knows: “quokka”, “king+quokka”; a vector is drawn from the "
             "letters of each",
             "known with other capitals: “The”, “KINGS”; read so while the \"case\" of the vocabulary is \"folded\""});
  const Document exact = hydra::apply(document, SetCase{Vocabulary::Case::exact});
  CHECK(known_words(exact, tokens).known() == 3);
  CHECK(unknown_sentences(known_words(exact, {"the"}), {"the"}).empty());

  // "The" reads the row of "the", or is drawn from its letters.
  const auto X = [](const Document& read) { return evaluate(read)->embedding; };
  CHECK(X(reading(document, "The king"))->row(0) == X(reading(document, "the king"))->row(0));
  CHECK_FALSE(X(reading(exact, "The king"))->row(0) == X(reading(exact, "the king"))->row(0));
  CHECK(same_document(parse_document(document_text(exact), "f"), exact));
  CHECK_THAT(document_text(exact), Contains("\"case\": \"exact\""));
  CHECK(parse_document(document_text(document), "f", {"/embedding/case=exact"}).embedding.vocabulary.letter_case() ==
        Vocabulary::Case::exact);
  CHECK_THROWS_WITH(parse_document(document_text(document), "f", {"/embedding/case=no"}),
                    fault_at("--set /embedding/case=no: /embedding/case", "\"no\""));
}

TEST_CASE("known words: of named features the lexicon tells, of others nothing", "[core][known]") {
  const Document hashed = default_document();
  const Tokens tokens{"quokka", "Animal", "."};
  CHECK(known_words(hashed, tokens).by == KnownWords::By::nothing);
  CHECK(known_words(hashed, tokens).all());
  CHECK(counts_of(known_words(hashed, tokens)).empty());
  CHECK(unknown_sentences(known_words(hashed, tokens), tokens).empty());
  Document features = hydra::apply(hashed, SetEmbedding{Embedding::Kind::features, 1});
  const KnownWords known = known_words(features, tokens);
  CHECK(known.words == std::vector{Word::unknown, Word::known, Word::known});
  CHECK(known.size == 365);
  CHECK(unknown_sentences(known, tokens) == Tokens{"not among the 365 words of the lexicon: “quokka”; the features of "
                                                   "each are guessed from its shape"});
  features = hydra::apply(features, SetWordFeatures{"quokka", feature_bit(0)});
  CHECK(known_words(features, tokens).all());
}

TEST_CASE("known words: of a trained model no table grows with the sentence, and it says what has no place",
          "[core][known]") {
  const Document document = test::example("trained_grammar");
  REQUIRE(document.weights.P.rows() == 16);
  const Document longer = reading(document, words(30));
  CHECK(longer.weights.P == document.weights.P);
  CHECK(longer.weights.E == document.weights.E);
  CHECK(same_document(parse_document(document_text(longer), "f"), longer));
  const auto trace = evaluate(longer);
  const KnownWords known = known_words(*trace);
  CHECK(known.placed() == 16);
  CHECK(known.has_place(15));
  CHECK_FALSE(known.has_place(16));
  CHECK(counts_of(known) == "30 of 30 words known, 16 of 30 places learned");
  CHECK(unknown_sentences(known, trace->tokens) ==
        Tokens{"14 tokens stand past the 16 learned positions and have none"});
  CHECK(trace->positions->topRows(16) == *document.weights.P);
  CHECK(trace->positions->bottomRows(14).isZero(0));
  CHECK(trace->X->row(20) == trace->embedding->row(20));
  CHECK(explain(*trace, {{Quantity::positions}, 16, 0}).steps.front().text ==
        "“the” stands past the 16 learned positions and has none");

  // The first sixteen are what they are without the others, under a mask that hides those.
  const auto causal = [](const Document& read) {
    return evaluate(hydra::apply(read, SetMask{{Mask::Kind::causal, nullptr}}));
  };
  CHECK(*causal(longer)->layer(0).heads[0].Q.row_block(0, 16) ==
        *causal(reading(document, words(16)))->layer(0).heads[0].Q);

  // Measured on other sentences it is the same.
  CHECK(with_tokens(document, trace->tokens).weights.P == document.weights.P);

  SECTION("rows are added when they are asked for, and change no number") {
    const Document added = hydra::apply(longer, AddPlaces{});
    CHECK(added.weights.P.rows() == 30);
    CHECK(added.weights.P->topRows(16) == *document.weights.P);
    CHECK(*evaluate(added)->X == *trace->X);
    CHECK(known_words(*evaluate(added)).placed() == 30);
    CHECK(same_document(parse_document(document_text(added), "f"), added));
    CHECK(same_document(parse_document(document_text(longer), "f", {"/embedding/places=30"}), added));
    CHECK(reading(added, words(40)).weights.P == added.weights.P);
    CHECK_THROWS_WITH(parse_document(document_text(added), "f", {"/embedding/places=29"}),
                      fault_at("--set /embedding/places=29: /embedding/places", "from 30 to 4096"));
    CHECK_THROWS_WITH(hydra::apply(default_document(), AddPlaces{}), fault_at("P", "does not have"));
  }
  SECTION("links end where there is no row") {
    CHECK(linked(*trace, {{Quantity::positions}, 20, 3}, {Quantity::P}).empty());
    CHECK_FALSE(linked(*trace, {{Quantity::positions}, 15, 3}, {Quantity::P}).empty());
    for (const Region& region : linked(*trace, {{Quantity::P}, 15, 3}, {Quantity::positions})) CHECK(region.row1 <= 16);
  }
}
