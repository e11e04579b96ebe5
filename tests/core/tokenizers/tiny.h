// Tokenizers that are small enough to work their ids out by hand.
#pragma once
#include <cstdlib>
#include <string>
#include <vector>

#include "core/tokenizers/files/readers.h"
#include "core/tokenizers/tokenizer_files.h"

namespace hydra::test {

inline std::vector<Index> ids_of(const Tokenizer& tokenizer, std::string_view text, bool with_template = true) {
  std::vector<Index> ids;
  for (const TextPiece& piece : tokenizer.encode(text, with_template)) ids.push_back(piece.id);
  return ids;
}

// "0-5 5-6": which bytes the pieces stand for.
inline std::string spans_of(const Tokenizer& tokenizer, std::string_view text, bool with_template = true) {
  std::string spans;
  for (const TextPiece& piece : tokenizer.encode(text, with_template))
    spans += (spans.empty() ? "" : " ") + std::to_string(piece.begin) + "-" + std::to_string(piece.end);
  return spans;
}

// A tokenizer.json of four parts of JSON, each left out where it is empty.
struct TinyJson {
  std::string model, normalizer, pre_tokenizer, post_processor, decoder, added;
  std::string text() const {
    std::string json = "{\"version\": \"1.0\"";
    const auto add = [&](const char* key, const std::string& part) {
      if (!part.empty()) json += std::string(", \"") + key + "\": " + part;
    };
    add("added_tokens", added);
    add("normalizer", normalizer);
    add("pre_tokenizer", pre_tokenizer);
    add("post_processor", post_processor);
    add("decoder", decoder);
    add("model", model);
    return json + "}";
  }
  Tokenizer read() const { return read_tokenizer_json(text(), "t.json"); }
};

// All bytes have ids 0 to 255, by their letters; then each merge has the next id.
TinyJson tiny_byte_level(const std::vector<std::pair<std::string, std::string>>& merges);
// With [UNK] 0, [CLS] 1, [SEP] 2, then these.
TinyJson tiny_word_piece(const std::vector<std::string>& words);
// A whole vocabulary, ids in this order.
std::string vocabulary(const std::vector<std::string>& tokens);

// Where the shared models are; empty, and a word is said, where HYDRA_MODELS does not name it.
std::string models_folder();

}  // namespace hydra::test
