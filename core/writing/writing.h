// A text that a model goes on with, word by word.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/writing/choosing.h"
#include "core/writing/model_decoder.h"

namespace hydra {

class Tokenizer;

enum class WritingEnd {
  none,         // it can go on
  end_of_text,  // the model gave a token that ends a text
  limit,        // there are as many tokens as the model has places for
  no_word,      // no logit is a number
};
// Whether a word that the readout chose is a token of the model's tokenizer that ends a text.
bool ends_text(const Document& document, Index word);
const char* name_of(WritingEnd end);  // in files: "end_of_text"

class Writing {
 public:
  // From the document's tokens on. Throws InputError (ModelDecoder).
  Writing(const Document& document, const Choosing& choosing, std::uint64_t seed, ThreadPool* pool = nullptr);

  // One token more; false, and nothing, where it has ended.
  bool write();
  WritingEnd end() const { return end_; }

  const std::vector<ChosenWord>& written() const { return written_; }
  const std::vector<std::string>& given() const { return decoder_.given(); }  // tokens that were there
  const NextWords& words() const { return decoder_.words(); }
  // All of it as it is read: by the model's tokenizer, without tokens that stand for no text; else words with spaces
  // between them.
  std::string text() const;
  // Of it what was written.
  std::string continuation() const;

 private:
  std::string text_of(std::size_t tokens) const;  // of so many first ones

  ModelDecoder decoder_;
  std::shared_ptr<const Tokenizer> tokenizer_;  // null: it has words of its own
  Vocabulary read_;                             // that ids of the tokenizer are places in
  Chooser chooser_;
  std::vector<ChosenWord> written_;
  WritingEnd end_ = WritingEnd::none;
};

// For a model that sees both sides and reads words out: the likeliest words at a token's place. Nothing of a document
// without a readout. Of several questions the first.
std::vector<LikelyWord> likely_words(const Trace& trace, Index token, Index most = kShownWords);
// The first token that stands for a word to be guessed: "[MASK]", "<mask>".
std::optional<Index> masked_token(const std::vector<std::string>& tokens);

}  // namespace hydra
