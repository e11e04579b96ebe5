// GGUF, versions 2 and 3: typed metadata, among it the tokenizer, and arrays behind it.
#pragma once
#include "core/tensors/tensor.h"

namespace hydra {

// Shapes are turned into outermost first. An array of a type that is not read here (the quantised ones but q8_0) is a
// fault of the file: half a model is none. Throws InputError.
TensorFile read_gguf(const FileBytes& file);
TensorFile open_gguf(const std::string& path);

}  // namespace hydra
