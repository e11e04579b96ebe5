// Which words of a text a model knows, and which of its places: of the others it has learned nothing.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/attention/trace.h"
#include "core/document/document.h"

namespace hydra {

struct KnownWords {
  // What tells them: nothing does where X is given number by number, nor of hashed words, which are all drawn from
  // their letters; the vocabulary of learned words, of which a token has all its parts; of named features the lexicon,
  // or what the document says of a word.
  enum class By { nothing, vocabulary, lexicon } by = By::nothing;
  enum class Word : std::uint8_t {
    known,
    other_case,
    unknown
  };                            // other_case: known by its letters, with other capitals
  std::vector<Word> words;      // one for each token
  Index size = 0;               // how many words the vocabulary or the lexicon has
  std::optional<Index> places;  // of learned positions

  bool knows(Index token) const { return words[static_cast<std::size_t>(token)] != Word::unknown; }
  bool has_place(Index token) const { return token < places.value_or(token + 1); }
  Index tokens() const { return std::ssize(words); }
  Index known() const;   // tokens that it knows
  Index placed() const;  // tokens that have a place
  bool all() const { return known() == tokens() && placed() == tokens(); }
};

// Of the model in use, which may read other tokens than the document's; of a trace's own.
KnownWords known_words(const Document& document, const std::vector<std::string>& tokens);
KnownWords known_words(const Trace& trace);

// "11 of 14 words known"; with places ", 16 of 30 places". Empty where nothing tells them.
std::string counts_of(const KnownWords& known);
// What marks of them mean: "not among the 107 words that this model knows; its vector is drawn from its letters".
std::string unknown_meaning(const KnownWords& known);
std::string unplaced_meaning(const KnownWords& known);
// What stands in the place of what it does not know, a sentence for each kind; none where it knows everything as it is
// spelled. tokens: those that were asked for.
std::vector<std::string> unknown_sentences(const KnownWords& known, const std::vector<std::string>& tokens);

}  // namespace hydra
