// A tensor's numbers as files have them. For .cpp files of this folder only.
#pragma once
#include <algorithm>

#include "core/files/whole_file.h"
#include "core/tensors/numbers.h"

namespace hydra {

// One after the other, little-endian, whatever their order was. Not for types with blocks.
inline void write_row_major(const Tensor& tensor, const Sink& sink) {
  if (tensor.strides.empty() && !tensor.big_endian) return sink(text_of(tensor.bytes));
  const auto size = static_cast<Index>(block_of(tensor.type).bytes), count = count_of(tensor);
  std::vector<std::byte> piece(static_cast<std::size_t>(std::min<Index>(count, 1 << 16) * size));
  for (Index first = 0; first < count;) {
    const Index numbers = std::min<Index>(count - first, 1 << 16);
    const auto part = std::span(piece).first(static_cast<std::size_t>(numbers * size));
    copy_numbers(tensor, first, part);
    sink(text_of(part));
    first += numbers;
  }
}

// In order of their names. Throws InputError where two have the same.
inline std::vector<const Tensor*> sorted_for_writing(const std::string& path, const std::vector<Tensor>& tensors) {
  std::vector<const Tensor*> sorted;
  for (const Tensor& tensor : tensors) sorted.push_back(&tensor);
  const auto less = [](const Tensor* a, const Tensor* b) { return a->name < b->name; };
  std::sort(sorted.begin(), sorted.end(), less);
  for (std::size_t k = 1; k < sorted.size(); ++k)
    if (sorted[k - 1]->name == sorted[k]->name)
      fail_in(path, "cannot hold two tensors of one name; rename one of them");
  return sorted;
}

}  // namespace hydra
