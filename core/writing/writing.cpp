#include "core/writing/writing.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/document/model.h"
#include "core/document/model_file.h"
#include "core/tokenizers/tokenizer.h"

namespace hydra {

namespace {

// As published tokenizers spell what ends a text, and what begins the next one.
constexpr std::array<std::string_view, 13> kEnds = {
    "</s>",  "<|endoftext|>", "<|end_of_text|>",  "<|eot_id|>", "<|im_end|>",
    "<eos>", "<end_of_turn>", "<|return|>",       "[EOS]",      "[SEP]",
    "<s>",   "<bos>",         "<|begin_of_text|>"};

bool ends_text(const Tokenizer* tokenizer, Index id) {
  if (!tokenizer || id >= tokenizer->size() || !tokenizer->has(id) || !tokenizer->is_special(id)) return false;
  return std::find(kEnds.begin(), kEnds.end(), tokenizer->spelling(id)) != kEnds.end();
}

}  // namespace

bool ends_text(const Document& document, Index word) {
  return ends_text(tokenizer_of(document), document.embedding.vocabulary.find(next_words_of(document).word(word)));
}

const char* name_of(WritingEnd end) {
  switch (end) {
    case WritingEnd::none:
      break;
    case WritingEnd::end_of_text:
      return "end_of_text";
    case WritingEnd::limit:
      return "limit";
    case WritingEnd::no_word:
      return "no_word";
  }
  return "none";
}

Writing::Writing(const Document& document, const Choosing& choosing, std::uint64_t seed, ThreadPool* pool)
    : decoder_(document, pool),
      read_(document.embedding.vocabulary),
      chooser_(choosing, seed, decoder_.words().size()) {
  if (tokenizer_of(document)) tokenizer_ = document.file->tokenizer;
  written_.reserve(static_cast<std::size_t>(decoder_.limit() - decoder_.tokens()));
  if (decoder_.tokens() == decoder_.limit()) end_ = WritingEnd::limit;
}

bool Writing::write() {
  if (end_ != WritingEnd::none) return false;
  ChosenWord token;
  if (!chooser_.choose(decoder_.logits(), token)) {
    end_ = WritingEnd::no_word;
    return false;
  }
  const std::string& word = words().words.word(token.chosen.word);
  if (ends_text(tokenizer_.get(), read_.find(word))) end_ = WritingEnd::end_of_text;
  if (end_ == WritingEnd::none) decoder_.step(token.chosen.word);
  if (end_ == WritingEnd::none && decoder_.tokens() == decoder_.limit()) end_ = WritingEnd::limit;
  written_.push_back(std::move(token));
  return true;
}

std::string Writing::text_of(std::size_t count) const {
  const std::vector<std::string>& given = decoder_.given();
  std::vector<Index> ids;
  std::string text;
  for (std::size_t k = 0; k < count; ++k) {
    const std::string& token = k < given.size() ? given[k] : words().words.word(written_[k - given.size()].chosen.word);
    const Index id = tokenizer_ ? read_.find(token) : Vocabulary::kNone;
    if (id != Vocabulary::kNone && id < tokenizer_->size() && tokenizer_->has(id))
      ids.push_back(id);
    else if (!tokenizer_)
      text += (k > 0 ? " " : "") + token;
  }
  return tokenizer_ ? tokenizer_->decode(ids, false) : text;
}

std::string Writing::text() const { return text_of(decoder_.given().size() + written_.size()); }

std::string Writing::continuation() const {
  const std::string all = text(), before = text_of(decoder_.given().size());
  return all.starts_with(before) ? all.substr(before.size()) : all;
}

std::vector<LikelyWord> likely_words(const Trace& trace, Index token, Index most) {
  std::vector<LikelyWord> words;
  if (!trace.model.probabilities) return words;
  const Array<float> probabilities = trace.model.of_question(trace.model.probabilities, 0);
  for (const Index word : likeliest(probabilities, token, most)) {
    const float probability = probabilities(token, word);
    words.push_back({word, probability, probability});
  }
  return words;
}

std::optional<Index> masked_token(const std::vector<std::string>& tokens) {
  for (std::size_t k = 0; k < tokens.size(); ++k)
    if (tokens[k] == "[MASK]" || tokens[k] == "<mask>") return static_cast<Index>(k);
  return std::nullopt;
}

}  // namespace hydra
