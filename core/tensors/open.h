// Opens a file of arrays as what it is, whatever its name says.
#pragma once
#include "core/tensors/tensor.h"

namespace hydra {

// By the content, with one exception: what torch.save writes is a program, though it is not run here, so such a file is
// opened only where its name says that it is one (.pt, .pth, .bin, .ckpt). Throws InputError.
TensorFile read_tensors(const FileBytes& file);
TensorFile open_tensors(const std::string& path);  // a folder, or an index: open_sharded

// A model in several files: the folder, or its model.safetensors.index.json (or pytorch_model.bin.index.json). A folder
// without an index holds one file, model.safetensors or pytorch_model.bin. Throws InputError: a file that is missing is
// named, and tensors that the index names and no file has.
TensorFile open_sharded(const std::string& path);

}  // namespace hydra
