#include "core/writing/continued.h"

#include <algorithm>

#include "core/document/model.h"
#include "core/document/model_file.h"
#include "core/text/wording.h"
#include "core/tokenizers/tokenizer.h"
#include "core/weights/config.h"

namespace hydra {

namespace {

// As it is read behind those tokens, or alone.
std::string read_behind(const Document& document, const Tokenizer& tokenizer, const std::vector<std::string>& tokens,
                        const std::string& word) {
  const Vocabulary& words = document.embedding.vocabulary;
  std::vector<Index> ids;
  const auto add = [&](const std::string& token) {
    const Index id = words.find(token);
    if (id != Vocabulary::kNone && id < tokenizer.size() && tokenizer.has(id)) ids.push_back(id);
  };
  for (const std::string& token : tokens) add(token);
  const std::string before = tokenizer.decode(ids, false);
  add(word);
  const std::string after = tokenizer.decode(ids, false);
  return after.starts_with(before) ? after.substr(before.size()) : word;
}

}  // namespace

SetSentence continued(const Document& document, std::vector<std::string> tokens, Index word) {
  tokens.erase(tokens.begin(), tokens.begin() + document.pads.count);
  const std::string& token = next_words_of(document).word(word);
  const Tokenizer* const tokenizer = tokenizer_of(document);
  std::string sentence = document.sentence;
  if (tokenizer)
    sentence += read_behind(document, *tokenizer, tokens, token);
  else
    sentence += (sentence.empty() ? "" : " ") + token;
  tokens.push_back(token);
  return {std::move(sentence), std::move(tokens)};
}

SetSentence filled(const Document& document, std::vector<std::string> tokens, Index place, Index word) {
  const std::string& token = next_words_of(document).word(word);
  std::string& old = tokens[static_cast<std::size_t>(place)];
  const Tokenizer* const tokenizer = tokenizer_of(document);
  std::string read = tokenizer ? read_behind(document, *tokenizer, {}, token) : token;
  std::string sentence = document.sentence;
  if (const std::size_t at = sentence.find(old); at != std::string::npos) {
    if (read.starts_with(' ') && (at == 0 || sentence[at - 1] == ' ')) read.erase(0, 1);
    sentence.replace(at, old.size(), read);
  }
  old = token;
  tokens.erase(tokens.begin(), tokens.begin() + document.pads.count);
  return {std::move(sentence), std::move(tokens)};
}

std::string why_not_continued(const Document& document, Index tokens) {
  const Array<float>& places = document.weights.P;
  const Index most = places ? std::min(kMaxTokens, places.rows() + document.pads.without_place()) : kMaxTokens;
  return tokens < most ? "" : wording("core:writing.full", {{"n", most}});
}

}  // namespace hydra
