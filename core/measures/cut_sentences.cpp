#include "core/measures/cut_sentences.h"

#include <algorithm>

#include "core/document/model_file.h"
#include "core/tokenizers/tokenizer.h"
#include "core/weights/config.h"

namespace hydra {

namespace {

// By word the last of the pieces that have a byte of it; -1: none has.
std::vector<int> last_pieces(const AnnotatedSentence& sentence, const std::vector<TextPiece>& pieces) {
  std::vector<int> last;
  std::size_t from = 0;
  for (const std::string& word : sentence.tokens) {
    const std::size_t begin = sentence.sentence.find(word, from), end = begin + word.size();
    last.push_back(-1);
    if (begin == std::string::npos) continue;
    from = end;
    for (std::size_t k = 0; k < pieces.size(); ++k)
      if (pieces[k].begin < end && pieces[k].end > begin && pieces[k].end > pieces[k].begin)
        last.back() = static_cast<int>(k);
  }
  return last;
}

void move(std::vector<GoldPair>& pairs, const std::vector<int>& to) {
  for (GoldPair& pair : pairs) pair = {to[static_cast<std::size_t>(pair.from)], to[static_cast<std::size_t>(pair.to)]};
  std::erase_if(pairs, [](const GoldPair& pair) { return pair.from < 0 || pair.to < 0 || pair.from == pair.to; });
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

AnnotatedSentence cut(AnnotatedSentence sentence, const Tokenizer& tokenizer, const Vocabulary& words) {
  const std::vector<TextPiece> pieces = tokenizer.encode(sentence.sentence);
  const std::vector<int> last = last_pieces(sentence, pieces);
  sentence.tokens.clear();
  for (const TextPiece& piece : pieces)
    sentence.tokens.push_back(piece.id < words.size() ? words.word(piece.id) : "<" + std::to_string(piece.id) + ">");
  for (std::vector<GoldPair>& pairs : sentence.gold) move(pairs, last);
  for (MarkedRelation& relation : sentence.own) move(relation.pairs, last);
  return sentence;
}

}  // namespace

Stamp cut_stamp(const Model& model) {
  const Tokenizer* const tokenizer = tokenizer_of(model);
  return tokenizer ? (Key("cut") << tokenizer->stamp() << model.embedding.vocabulary.stamp()).stamp() : Stamp{};
}

MarkedSentences as_cut_by(const Model& model, const MarkedSentences& marked) {
  const Tokenizer* const tokenizer = tokenizer_of(model);
  if (!tokenizer || !marked) return marked;
  auto all = std::make_shared<std::vector<AnnotatedSentence>>();
  for (const AnnotatedSentence& sentence : *marked) {
    AnnotatedSentence one = cut(sentence, *tokenizer, model.embedding.vocabulary);
    if (!one.tokens.empty() && std::ssize(one.tokens) <= kMaxTokens) all->push_back(std::move(one));
  }
  return all;
}

}  // namespace hydra
