#include "core/document/text/known_words.h"

#include <algorithm>

#include "core/document/model.h"
#include "core/text/lexicon.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

using Word = KnownWords::Word;

bool has_all_as_spelled(const Vocabulary& vocabulary, const std::string& token) {
  return std::ranges::all_of(vocabulary.words_of(token),
                             [&](std::string_view word) { return vocabulary.find(word) != Vocabulary::kNone; });
}

KnownWords by_vocabulary(const Vocabulary& vocabulary, const std::vector<std::string>& tokens) {
  KnownWords known{KnownWords::By::vocabulary, {}, vocabulary.size(), {}};
  for (const std::string& token : tokens)
    known.words.push_back(!vocabulary.knows(token)                ? Word::unknown
                          : has_all_as_spelled(vocabulary, token) ? Word::known
                                                                  : Word::other_case);
  return known;
}

KnownWords by_lexicon(const std::vector<WordFeatures>& words) {
  KnownWords known{KnownWords::By::lexicon, {}, static_cast<Index>(Lexicon::standard().size()), {}};
  for (const WordFeatures& word : words) known.words.push_back(word.guessed ? Word::unknown : Word::known);
  return known;
}

// Tokens of a kind, each once.
std::vector<std::string> of_kind(const KnownWords& known, const std::vector<std::string>& tokens, Word kind) {
  std::vector<std::string> some;
  for (std::size_t k = 0; k < tokens.size(); ++k)
    if (known.words[k] == kind) some.push_back(tokens[k]);
  return distinct(some);
}

}  // namespace

Index KnownWords::known() const { return tokens() - std::ranges::count(words, Word::unknown); }
Index KnownWords::placed() const { return std::min(tokens(), places.value_or(tokens())); }

KnownWords known_words(const Document& document, const std::vector<std::string>& tokens) {
  const Embedding& e = document.embedding;
  if (e.kind == Embedding::Kind::features) return by_lexicon(words_of(document, tokens));
  if (e.kind != Embedding::Kind::learned)
    return {KnownWords::By::nothing, std::vector(tokens.size(), Word::known), 0, {}};
  KnownWords known = by_vocabulary(e.vocabulary, tokens);
  if (document.weights.P) known.places = document.weights.P.rows();
  return known;
}

KnownWords known_words(const Trace& trace) {
  if (!trace.layout && !trace.model.lookups.words)
    return {KnownWords::By::nothing, std::vector(trace.tokens.size(), Word::known), 0, {}};
  KnownWords known = trace.layout ? by_lexicon(trace.words) : by_vocabulary(trace.model.words, trace.tokens);
  if (trace.model.weights.P) known.places = trace.model.weights.P.rows() + trace.model.first_place;
  std::fill_n(known.words.begin(), trace.pads, Word::known);  // as nothing
  return known;
}

std::string counts_of(const KnownWords& known) {
  if (known.by == KnownWords::By::nothing) return "";
  std::string text = wording("document:known.words", {{"known", known.known()}, {"words", known.tokens()}});
  if (known.placed() < known.tokens())
    text += ", " + wording("document:known.places", {{"placed", known.placed()}, {"places", known.tokens()}});
  return text;
}

std::string unknown_meaning(const KnownWords& known) {
  return known.by == KnownWords::By::lexicon ? wording("document:known.not_in_lexicon", {{"words", known.size}})
                                             : wording("document:known.not_in_model", {{"words", known.size}});
}

std::string unplaced_meaning(const KnownWords& known) {
  return wording("document:known.unplaced", {{"places", known.places.value_or(0)}});
}

std::vector<std::string> unknown_sentences(const KnownWords& known, const std::vector<std::string>& tokens) {
  std::vector<std::string> sentences;
  const std::vector<std::string> unknown = of_kind(known, tokens, Word::unknown);
  const std::vector<std::string> other = of_kind(known, tokens, Word::other_case);
  if (!unknown.empty())
    sentences.push_back(
        known.by == KnownWords::By::vocabulary
            ? wording("document:known.unknown.model", {{"words", known.size}, {"unknown", listed(unknown)}})
            : wording("document:known.unknown.lexicon", {{"words", known.size}, {"unknown", listed(unknown)}}));
  if (!other.empty()) sentences.push_back(wording("document:known.other_case", {{"words", listed(other)}}));
  if (const Index past = known.tokens() - known.placed(); past > 0)
    sentences.push_back(wording("document:known.past", {{"tokens", past}, {"places", *known.places}}));
  return sentences;
}

}  // namespace hydra
