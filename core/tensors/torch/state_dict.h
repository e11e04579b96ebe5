// What a pickle of PyTorch means: dictionaries of tensors, flattened into names with dots.
#pragma once
#include <functional>

#include "core/tensors/tensor.h"
#include "core/tensors/torch/pickle.h"

namespace hydra {

// All that a state dict or a checkpoint around one asks for.
std::span<const std::string_view> torch_names();

// What a pickle says of the numbers that tensors are views of.
struct Storage {
  std::string_view key;
  NumberType type = NumberType::f32;
  std::uint64_t numbers = 0;
};
// Throws InputError where the file does not have it.
using FindStorage = std::function<std::span<const std::byte>(const Storage&)>;

// persistent: the tuple by which a pickle names a storage. Throws InputError.
Storage storage_of(const Pickle& pickle, const Pickled& persistent, std::string_view file);

// Tensors by "model.blocks.0.attn.W_Q"; numbers, texts and truths beside them by names of the same kind as metadata,
// lists of numbers as such. Sets, None and functions are left out. What is more than a single tensor has no empty name;
// a file of one tensor calls it "tensor". Throws InputError, also where the pickle is folded so often that its names
// would be more than 16 times its bytes.
void flatten(const Pickle& pickle, std::size_t pickle_bytes, const FindStorage& find, TensorFile& result);

}  // namespace hydra
