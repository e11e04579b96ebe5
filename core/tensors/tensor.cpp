#include "core/tensors/tensor.h"

#include <algorithm>
#include <limits>

#include "core/error.h"
#include "core/files/printable.h"
#include "core/files/utf8.h"

namespace hydra {

Index count_of(const Tensor& tensor) {
  Index count = 1;
  for (const Index size : tensor.shape) count *= size;
  return count;
}

const Tensor* TensorFile::find(std::string_view tensor) const {
  const auto at = std::lower_bound(tensors.begin(), tensors.end(), tensor,
                                   [](const Tensor& a, std::string_view sought) { return a.name < sought; });
  return at != tensors.end() && at->name == tensor ? &*at : nullptr;
}

const MetaValue* TensorFile::meta(std::string_view key) const {
  for (const auto& [its_key, value] : metadata)
    if (its_key == key) return &value;
  return nullptr;
}

namespace {

template <class T>
const T* value_as(const MetaValue* value) {
  return value ? std::get_if<T>(value) : nullptr;
}

}  // namespace

std::optional<std::string_view> TensorFile::text(std::string_view key) const {
  const auto* const found = value_as<std::string>(meta(key));
  return found ? std::optional<std::string_view>(*found) : std::nullopt;
}

std::optional<bool> TensorFile::truth(std::string_view key) const {
  const auto* const found = value_as<bool>(meta(key));
  return found ? std::optional<bool>(*found) : std::nullopt;
}

std::optional<std::int64_t> TensorFile::whole(std::string_view key) const {
  const auto* const found = value_as<std::int64_t>(meta(key));
  return found ? std::optional<std::int64_t>(*found) : std::nullopt;
}

std::optional<double> TensorFile::number(std::string_view key) const {
  if (const auto found = whole(key)) return static_cast<double>(*found);
  const auto* const found = value_as<double>(meta(key));
  return found ? std::optional<double>(*found) : std::nullopt;
}

void fail_in(std::string_view file, const std::string& what) { throw InputError(printable(file, 200) + ": " + what); }

std::optional<std::uint64_t> count_of_shape(std::span<const Index> shape) {
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<Index>::max());
  std::uint64_t count = 1;
  for (const Index size : shape) {
    if (size < 0) return std::nullopt;
    const auto times = static_cast<std::uint64_t>(size);
    if (times != 0 && count > most / times) return std::nullopt;
    count *= times;
  }
  return count;
}

std::optional<std::vector<Index>> shape_of(std::span<const std::uint64_t> dimensions) {
  std::vector<Index> shape;
  shape.reserve(dimensions.size());
  for (const std::uint64_t size : dimensions) {
    if (size > static_cast<std::uint64_t>(std::numeric_limits<Index>::max())) return std::nullopt;
    shape.push_back(static_cast<Index>(size));
  }
  return shape;
}

std::string in_words(std::span<const Index> shape) {
  if (shape.empty()) return "a single number";
  std::string text;
  for (const Index size : shape.first(std::min<std::size_t>(shape.size(), 8)))
    text += (text.empty() ? "" : " x ") + std::to_string(size);
  return text + (shape.size() > 8 ? " x ..." : "");
}

void sort_tensors(TensorFile& file) {
  for (const Tensor& tensor : file.tensors)
    if (!is_utf8(tensor.name))
      fail_in(file.name, "the name " + in_quotes(tensor.name) + " of a tensor is no UTF-8 text; save it under another");
  std::sort(file.tensors.begin(), file.tensors.end(), [](const Tensor& a, const Tensor& b) { return a.name < b.name; });
  const auto twice = std::adjacent_find(file.tensors.begin(), file.tensors.end(),
                                        [](const Tensor& a, const Tensor& b) { return a.name == b.name; });
  if (twice != file.tensors.end())
    fail_in(file.name, "has two tensors named " + in_quotes(twice->name) + "; save one of them under another name");
}

}  // namespace hydra
