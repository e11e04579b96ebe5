#include "core/tensors/safetensors.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/files/printable.h"
#include "core/files/utf8.h"
#include "core/json/json.h"
#include "core/tensors/content.h"
#include "core/tensors/numbers.h"
#include "core/tensors/safetensors_types.h"

namespace hydra {

namespace {

struct Entry {
  std::uint64_t begin = 0, end = 0;  // within the arrays
  Tensor tensor;
};

class SafetensorsReader {
 public:
  explicit SafetensorsReader(const FileBytes& file) : file_(file) {}

  TensorFile read() {
    const std::size_t size = file_.bytes.size();
    if (size < 8 || content_of(file_.bytes) != Content::safetensors) check_beginning();
    const auto length = load<std::uint64_t>(file_.bytes.data());
    if (length > kMostSafetensorsHeader)
      fail("has a header of " + std::to_string(length) + " bytes, and readers of safetensors stop at " +
           std::to_string(kMostSafetensorsHeader) + "; save the model in several files");
    if (length > size - 8)
      fail("is cut off: its header alone needs a file of " + std::to_string(length + 8) + " bytes, and it has " +
           std::to_string(size) + "; download it again");
    const auto header = file_.bytes.subspan(8, static_cast<std::size_t>(length));
    arrays_ = file_.bytes.subspan(8 + header.size());
    read_header(text_of(header));
    take_arrays();
    TensorFile result{file_.name, file_.owner, {}, std::move(metadata_)};
    result.tensors.reserve(entries_.size());
    for (Entry& entry : entries_) result.tensors.push_back(std::move(entry.tensor));
    sort_tensors(result);
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { fail_in(file_.name, what); }
  [[noreturn]] void fail_at(std::string_view name, const std::string& what) const {
    fail("tensor " + in_quotes(name) + " " + what);
  }

  // Which says why it is none.
  void check_beginning() const {
    const Content content = content_of(file_.bytes);
    if (content != Content::unknown) fail_other_content(file_, "safetensors");
    if (file_.bytes.size() < 8)
      fail("has " + std::to_string(file_.bytes.size()) +
           " bytes, and a safetensors file has a length of 8 bytes first; download it again");
    if (load<std::uint64_t>(file_.bytes.data()) > kMostSafetensorsHeader) return;
    fail("is no safetensors file, whose header begins with {; give one that is");
  }

  void read_header(std::string_view header) {
    if (const std::size_t bad = first_broken(header); bad < header.size())
      fail("has a header that is no UTF-8 text at its byte " + std::to_string(bad) + "; save it again");
    // Nothing is smaller than a number and its comma.
    const JsonTree tree = parse_json(header, printable(file_.name, 200), header.size() / 2 + 1, JsonNumbers::doubles);
    const Json& root = tree.root();
    for (auto at = root.begin(); at != root.end(); ++at) {
      if (at.key() == "__metadata__")
        read_metadata(*at);
      else
        read_entry(at.key(), *at);
    }
  }

  void read_metadata(const Json& object) {
    if (!object.is_object()) fail("/__metadata__ must be an object, not " + in_words(object));
    for (auto at = object.begin(); at != object.end(); ++at) {
      if (!at->is_string())
        fail(pointer_to("/__metadata__", at.key()) + " must be a string, not " + in_words(*at) +
             "; write it in quotes");
      metadata_.emplace_back(std::string(at.key()), std::string(at->text()));
    }
  }

  void read_entry(std::string_view name, const Json& object) {
    if (!object.is_object()) fail_at(name, "must be an object, not " + in_words(object));
    for (auto at = object.begin(); at != object.end(); ++at)
      if (at.key() != "dtype" && at.key() != "shape" && at.key() != "data_offsets")
        fail_at(name, "has a key " + in_quotes(at.key()) + ", which safetensors do not have");
    Entry entry;
    entry.tensor.name = std::string(name);
    entry.tensor.type = type(name, object.find("dtype"));
    const auto dimensions = wholes(name, object, "shape");
    const auto offsets = wholes(name, object, "data_offsets");
    if (offsets.size() != 2 || offsets[1] < offsets[0])
      fail_at(name, "has data_offsets that are not two places in order; download it again");
    entry.begin = offsets[0];
    entry.end = offsets[1];
    const auto shape = shape_of(dimensions);
    const auto count = shape ? count_of_shape(*shape) : std::nullopt;
    const auto bytes = count ? bytes_for(entry.tensor.type, *count) : std::nullopt;
    if (!bytes) fail_at(name, "has a shape of more numbers than any file holds; save it again");
    entry.tensor.shape = *shape;
    if (*bytes != entry.end - entry.begin)
      fail_at(name, "has " + std::to_string(entry.end - entry.begin) + " bytes, and " + in_words(*shape) + " of " +
                        std::string(name_of(entry.tensor.type)) + " has " + std::to_string(*bytes) + "; save it again");
    entries_.push_back(std::move(entry));
  }

  NumberType type(std::string_view name, const Json* dtype) const {
    if (!dtype || !dtype->is_string()) fail_at(name, "must have a dtype, a string");
    for (const auto& [word, type] : kSafetensorsTypes)
      if (dtype->text() == word) return type;
    fail_at(name,
            "has the dtype " + in_quotes(dtype->text()) + ", which is not read here; save it as F32, F16 or BF16");
  }

  std::vector<std::uint64_t> wholes(std::string_view name, const Json& object, std::string_view key) const {
    const Json* const array = object.find(key);
    if (!array || !array->is_array()) fail_at(name, "must have " + std::string(key) + ", an array");
    if (array->size() > 64) fail_at(name, "has more than 64 numbers in " + std::string(key) + "; save it again");
    std::vector<std::uint64_t> values;
    for (const Json& value : *array) {
      if (!value.is_whole() || value.is_negative())
        fail_at(name, "must have whole numbers from 0 in " + std::string(key) + ", not " + in_words(value));
      values.push_back(value.as<std::uint64_t>());
    }
    return values;
  }

  // Each begins where the one before ends, the last ends with the file.
  void take_arrays() {
    std::sort(entries_.begin(), entries_.end(),
              [](const Entry& a, const Entry& b) { return a.begin != b.begin ? a.begin < b.begin : a.end < b.end; });
    std::uint64_t end = 0;
    for (const Entry& entry : entries_) {
      if (entry.begin != end)
        fail_at(entry.tensor.name, "begins at " + std::to_string(entry.begin) + ", and what is before it ends at " +
                                       std::to_string(end) + (entry.begin < end ? ": they overlap" : ": a gap") +
                                       "; save it again");
      end = entry.end;
    }
    if (end > arrays_.size()) {
      const std::uint64_t before = file_.bytes.size() - arrays_.size();
      fail("is cut off: its arrays need a file of " + std::to_string(before + end) + " bytes, and it has " +
           std::to_string(file_.bytes.size()) + "; download it again");
    }
    if (end < arrays_.size())
      fail("has " + std::to_string(arrays_.size()) + " bytes of numbers, and its header speaks of " +
           std::to_string(end) + "; download it again");
    for (Entry& entry : entries_)
      entry.tensor.bytes =
          arrays_.subspan(static_cast<std::size_t>(entry.begin), static_cast<std::size_t>(entry.end - entry.begin));
  }

  const FileBytes& file_;
  std::span<const std::byte> arrays_;
  std::vector<Entry> entries_;
  std::vector<std::pair<std::string, MetaValue>> metadata_;
};

}  // namespace

TensorFile read_safetensors(const FileBytes& file) { return SafetensorsReader(file).read(); }
TensorFile open_safetensors(const std::string& path) { return read_safetensors(map_file(path)); }

}  // namespace hydra
