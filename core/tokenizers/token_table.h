// A tokenizer as a table of tokens, as GGUF's metadata has it (tokenizer.ggml.*).
#pragma once
#include <string>
#include <vector>

#include "core/tokenizers/tokenizer.h"

namespace hydra {

// What a token is; the numbers are SentencePiece's and GGUF's.
enum class TokenType : std::uint8_t { normal = 1, unknown = 2, control = 3, user_defined = 4, unused = 5, byte = 6 };

struct TokenTable {
  std::string model;  // "llama": BPE by scores; "gpt2": byte-level BPE by merges; "bert": WordPiece; "t5": unigram
  std::string pre;    // of gpt2, how a text is cut first: "gpt-2", "llama-bpe", "qwen2", "falcon", ...
  std::vector<std::string> tokens;                            // by id
  std::vector<float> scores;                                  // of llama and t5, as many as tokens
  std::vector<std::int32_t> types;                            // as many as tokens, or none
  std::vector<std::string> merges;                            // of gpt2, "a b"
  std::string charsmap;                                       // of t5, SentencePiece's
  Index bos = -1, eos = -1, unknown = -1, separator = -1;     // -1: none
  bool add_bos = false, add_eos = false;                      // of bert: [CLS] and [SEP]
  bool add_space_prefix = true, remove_extra_spaces = false;  // of llama and t5
};

// name: how sentences call what the table is of. Throws InputError for what is not known or cannot be.
Tokenizer tokenizer_of(const TokenTable& table, const std::string& name);

}  // namespace hydra
