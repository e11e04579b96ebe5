// The arrays of a file, those of all layers together.
#pragma once
#include <string>
#include <vector>

#include "core/tensors/tensor.h"

namespace hydra {

// Arrays of one name in all layers, or one that is in none.
struct ArrayGroup {
  std::string name;  // "blocks.*.qkv.weight"
  bool of_layers = false;
  const Tensor* first = nullptr;      // of the first layer
  std::vector<std::string> arrays{};  // of all
};
// In the order of names. The number that tells layers apart is the one that most arrays have behind the same beginning,
// from 0 on.
std::vector<ArrayGroup> array_groups(const TensorFile& file);

}  // namespace hydra
