// The words of a model by their ids, as they are read on the screen.
#pragma once
#include <string>
#include <vector>

#include "core/tensors/tensor.h"
#include "core/tokenizers/tokenizer.h"

namespace hydra {

// As the tokenizer shows them, each once; where it has none that can be shown, and without a tokenizer, their ids.
std::vector<std::string> words_by_id(const Tokenizer* tokenizer, Index count);
// That stands in the metadata of a file (GGUF). Throws InputError.
Tokenizer tokenizer_in(const TensorFile& file);

}  // namespace hydra
