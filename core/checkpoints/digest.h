// By what a model's file is known again.
#pragma once
#include <string>

#include "core/tensors/tensor.h"

namespace hydra {

// SHA-256, in 64 hexadecimal digits, over the names, types and shapes of all arrays, and over their numbers where they
// take no more than 64 MiB together; of more the first and the last 4 KiB of each, so that opening reads no more than
// what is looked at.
std::string digest_of(const TensorFile& file);

}  // namespace hydra
