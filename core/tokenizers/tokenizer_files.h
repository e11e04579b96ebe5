// Tokenizers read from where they are published.
#pragma once
#include <string>

#include "core/tokenizers/tokenizer.h"

namespace hydra {

// From a file, or from a folder, of whose files the first is taken: tokenizer.json; vocab.json with merges.txt;
// tokenizer.model, spiece.model or sentencepiece.bpe.model; vocab.txt; tokenizer.bin. For older vocabularies a
// tokenizer_config.json beside them is read, too. Throws InputError: one sentence that names the file.
Tokenizer read_tokenizer(const std::string& folder_or_file);

}  // namespace hydra
