// A whole model, one token after the other: the document's tokens at once, as a forward pass, and then each next word
// as a row that goes through all layers (attention/decoding.h). Its logits are those of a trace of all tokens so far,
// within rounding.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/attention/decoding.h"
#include "core/attention/trace.h"
#include "core/document/document.h"

namespace hydra {

class ModelDecoder {
 public:
  // Why nothing can be written with such a document, in one sentence; nothing: it can.
  static std::optional<std::string> why_not(const Document& document);
  // Takes the document's tokens. Throws InputError with why_not, or where there are more of them than limit().
  explicit ModelDecoder(const Document& document, ThreadPool* pool = nullptr);

  // Takes a word that the readout chose, by its column. There must be fewer tokens than limit().
  void step(Index word);
  // Of what follows the last token [1 x words of the readout]; until the next step.
  MatView<float> logits() const { return logits_; }

  Index tokens() const { return document_.pads.count + std::ssize(given_) + std::ssize(taken_); }
  const std::vector<Index>& taken() const { return taken_; }        // the words after them
  const std::vector<std::string>& given() const { return given_; }  // the document's, without pads
  // As many tokens as the program has, or the model has learned places for.
  Index limit() const { return limit_; }
  const NextWords& words() const { return model_.next_words; }

 private:
  void embed(Index word);
  void read_out(MatIn<float> stream);

  Document document_;
  ThreadPool* pool_;
  ModelTrace<float> model_;  // the weights of both ends
  std::vector<std::string> given_;
  std::vector<Index> taken_;  // the words after them
  Index limit_;
  IndexLists rows_;         // of E, of each word of the readout
  Array<float> positions_;  // [places x d_model]; null where words have none, or are made by seeded_rows
  std::vector<BlockDecoder<float>> layers_;
  Mat<float> x_, stream_;  // rows [1 x d_model]: what enters a layer, and what leaves it
  Mat<float> final_;       // rows, one for each node of the readout that makes one
  Mat<float> logits_;
};

}  // namespace hydra
