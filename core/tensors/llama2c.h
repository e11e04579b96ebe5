// Checkpoints of llama2.c: numbers behind a few sizes, without names. They get those of the hub's Llama.
#pragma once
#include "core/tensors/tensor.h"

namespace hydra {

// Version 1 says what it is; the first version is known by its sizes, which must make up the file's to the byte.
bool is_llama2c(std::span<const std::byte> bytes);

// Metadata: the sizes as config.json names them, and rotary_pairs, which are "neighbours" here (the hub's are
// "halves").
TensorFile read_llama2c(const FileBytes& file);  // throws InputError
TensorFile open_llama2c(const std::string& path);

}  // namespace hydra
