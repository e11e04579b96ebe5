// A file of arrays: what is in it, without its numbers being touched. They stay where they are, mapped.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/files/mapped_file.h"
#include "core/linalg/types.h"
#include "core/tensors/number_type.h"

namespace hydra {

struct Tensor {
  std::string name;
  NumberType type = NumberType::f32;
  std::vector<Index> shape;  // outermost first; none: a single number
  std::span<const std::byte> bytes;
  std::vector<Index> strides;  // in numbers; none: row-major, one number after the other
  bool big_endian = false;     // npy can be
};
Index count_of(const Tensor& tensor);  // numbers

// What a file says beside its arrays. A whole number beyond 64 bits with a sign is a double; true within a list is 1.
// Texts of a list are the file's own bytes, as long as the file is kept, and need not be UTF-8.
using MetaValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>,
                               std::vector<std::string_view>>;

struct TensorFile {
  std::string name;                   // its path
  std::shared_ptr<const void> owner;  // of all bytes and texts
  std::vector<Tensor> tensors;        // sorted by name, no name twice
  std::vector<std::pair<std::string, MetaValue>> metadata;
  bool is_large = false;  // for this machine's memory, with all numbers as floats: whoever opens it says so

  const Tensor* find(std::string_view tensor) const;
  const MetaValue* meta(std::string_view key) const;
  // Nothing: there is none of that kind.
  std::optional<std::string_view> text(std::string_view key) const;
  std::optional<bool> truth(std::string_view key) const;
  std::optional<std::int64_t> whole(std::string_view key) const;
  std::optional<double> number(std::string_view key) const;  // a whole one as well
};

// --- for those who read files ----------------------------------------------------------------------------------------

[[noreturn]] void fail_in(std::string_view file, const std::string& what);  // "model.pt: what"

// None: more numbers than an Index counts.
std::optional<std::uint64_t> count_of_shape(std::span<const Index> shape);
// None: a dimension that no Index holds.
std::optional<std::vector<Index>> shape_of(std::span<const std::uint64_t> dimensions);
std::string in_words(std::span<const Index> shape);  // "3 x 4", "a single number"

// Sorts them. Throws InputError where two have one name, or a name is no UTF-8.
void sort_tensors(TensorFile& file);

}  // namespace hydra
