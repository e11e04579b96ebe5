// One reader for each form that a tokenizer is published in, from its bytes. name: how sentences call the file. For
// readers of tokenizers, and their tests.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/json/reader.h"
#include "core/tokenizers/tokenizer.h"
#include "core/tokenizers/tokenizer_parts.h"

namespace hydra {

// The files of a tokenizer are no larger.
inline constexpr std::size_t kMostTokenizerBytes = 64u << 20;

// A tokenizer.json. Its truncation and padding are left out: texts are taken whole.
Tokenizer read_tokenizer_json(std::string_view json, const std::string& name);

// What stands beside an older vocabulary (tokenizer_config.json); empty where there is none.
struct OlderFiles {
  std::string config, config_name;
};
// Byte-level BPE, as GPT-2 and RoBERTa have it: ids by spelling, and merges, one a line.
Tokenizer read_vocabulary_and_merges(std::string_view vocabulary, const std::string& vocabulary_name,
                                     std::string_view merges, const std::string& merges_name,
                                     const OlderFiles& older = {});
// WordPiece, as BERT has it: a token a line.
Tokenizer read_word_list(std::string_view lines, const std::string& name, const OlderFiles& older = {});

// A SentencePiece model: unigram or BPE.
Tokenizer read_sentencepiece(std::string_view bytes, const std::string& name);

// llama2.c's tokenizer.bin: a size, then score, size and bytes of each token.
Tokenizer read_llama2c(std::string_view bytes, const std::string& name);

// An object, the id of each token.
Spellings vocabulary_of(const JsonReader& reader, const Node& node);

// A list of merges as texts, "a b" each; the result must be a token. A merge that cannot be is an InputError that
// names it as place(k). joined: what is cut from the beginning of the right one when the two are joined.
Merges merges_of(const std::vector<std::pair<std::string_view, std::string_view>>& pairs, const Spellings& spellings,
                 std::string_view joined, const std::function<std::string(std::size_t)>& place);

// The id of a token that is needed.
std::uint32_t id_in(const Spellings& spellings, std::string_view text, const std::string& what);

}  // namespace hydra
