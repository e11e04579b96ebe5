// What torch.save writes: a zip archive with a pickle and the numbers (since 1.6), or pickles with the numbers behind
// them. Nothing is run.
#pragma once
#include "core/tensors/tensor.h"

namespace hydra {

// Names are joined by dots; what stands beside the tensors is metadata (state_dict.h). Throws InputError.
TensorFile read_pt(const FileBytes& file);
TensorFile open_pt(const std::string& path);

}  // namespace hydra
