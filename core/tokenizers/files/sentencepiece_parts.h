// Tokenizers that know their pieces by scores and types, put together. For readers of tokenizers only.
#pragma once
#include <string>
#include <vector>

#include "core/tokenizers/token_table.h"
#include "core/tokenizers/tokenizer_parts.h"

namespace hydra {

struct ScoredPieces {
  std::vector<Spellings::Entry> entries;  // by id
  std::vector<float> scores;
  std::vector<TokenType> types;
  bool unigram = false, byte_fallback = false;
  SentencePieceNormalizer normalizer;
};

// Everything but template and stamp. Throws InputError, without the name of a file.
TokenizerParts parts_of(ScoredPieces pieces);

}  // namespace hydra
