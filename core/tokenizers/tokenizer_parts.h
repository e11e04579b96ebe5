// What a tokenizer is put together of. For readers of tokenizers only.
#pragma once
#include <string>
#include <vector>

#include "core/linalg/stamp.h"
#include "core/tokenizers/decoder.h"
#include "core/tokenizers/models/model.h"
#include "core/tokenizers/text/cutting.h"
#include "core/tokenizers/text/normalizer.h"

namespace hydra {

// A token that is cut out of the text before anything else is done.
struct AddedToken {
  std::uint32_t id = 0;
  std::string content;
  bool special = false;
  bool single_word = false;             // only between what is no letter, digit or mark
  bool lstrip = false, rstrip = false;  // with the white space before it, after it
  bool normalized = false;              // is looked for in the normalised text
};

struct TokenizerParts {
  std::string kind;
  Spellings spellings;  // of the model
  std::vector<AddedToken> added;
  std::vector<Normalizer> normalizers;
  std::vector<CutStep> cuts;
  TokenModel model;
  std::vector<std::uint32_t> before, after;  // the template: ids around the text
  std::vector<Decoder> decoders;
  std::string between;  // tokens, where there is no decoder
  // SentencePiece: ids that decode to nothing, and the one that decodes to " ⁇ ".
  std::vector<std::uint32_t> silent;
  std::uint32_t unknown = kNoId;
  bool letters_are_bytes = false;
  char space = '\0';  // of spellings that write a space as it is (llama2.c)
  Stamp stamp;
};

}  // namespace hydra
