// The numbers of a tensor.
#pragma once
#include <cstring>

#include "core/tensors/tensor.h"

namespace hydra {

// The numbers first, first + 1, ... in row-major order, whatever the order in the file, rounded to the nearest float.
// first + out.size() is at most count_of(tensor).
void to_floats(const Tensor& tensor, Index first, std::span<float> out);

// The same as bytes, as they stand but little-endian; for types without blocks. out: a whole number of numbers.
void copy_numbers(const Tensor& tensor, Index first, std::span<std::byte> out);

float from_half(std::uint16_t bits);
float from_bfloat16(std::uint16_t bits);

// A little-endian number of a file, wherever it stands.
template <class T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

}  // namespace hydra
