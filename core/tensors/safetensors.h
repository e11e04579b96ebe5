// Files of safetensors: the length of a header, the header as JSON, and all arrays behind it without a gap.
#pragma once
#include "core/tensors/tensor.h"

namespace hydra {

// The most that the reference implementation reads; a longer header exists, and nobody else opens it.
inline constexpr std::uint64_t kMostSafetensorsHeader = 100'000'000;

TensorFile read_safetensors(const FileBytes& file);    // throws InputError
TensorFile open_safetensors(const std::string& path);  // the same, mapped

// Whole or not at all. Sorted by alignment of the type, widest first, then by name; common loaders want the format
// "pt" as metadata, which is written. Throws InputError where the format lacks the type, or the disk fails.
void write_safetensors(const std::string& path, const std::vector<Tensor>& tensors);

}  // namespace hydra
