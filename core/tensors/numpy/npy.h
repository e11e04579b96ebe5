// NumPy's files: .npy holds an array, .npz a zip archive of such.
#pragma once
#include "core/tensors/tensor.h"

namespace hydra {

// content: of a .npy file. Throws InputError: "file: name ...".
Tensor parse_npy(std::span<const std::byte> content, std::string_view file, std::string name);

TensorFile read_npy(const FileBytes& file);  // the one tensor is called "array"
TensorFile read_npz(const FileBytes& file);
TensorFile open_npy(const std::string& path);
TensorFile open_npz(const std::string& path);

// Whole or not at all, as NumPy reads it; bf16, which it does not have, as f32, like q8_0. Throws InputError.
void write_npy(const std::string& path, const Tensor& tensor);
void write_npz(const std::string& path, const std::vector<Tensor>& tensors);  // stored, not deflated

}  // namespace hydra
