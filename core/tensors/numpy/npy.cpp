#include "core/tensors/numpy/npy.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/error.h"
#include "core/files/printable.h"
#include "core/tensors/content.h"
#include "core/tensors/numbers.h"
#include "core/tensors/numpy/npy_types.h"
#include "core/tensors/zip_archive.h"

namespace hydra {

namespace {

// A header: a dictionary as Python writes it, of three keys.
class NpyHeader {
 public:
  explicit NpyHeader(std::string_view text) : rest_(text) {}

  std::string type;  // "<f4"; a list for records, of which only the bracket is kept
  bool fortran = false;
  std::vector<std::uint64_t> shape;

  // Whether it could be read; every key once.
  bool read() {
    bool had_type = false, had_order = false, had_shape = false;
    if (!take('{')) return false;
    while (!take('}')) {
      const auto key = quoted();
      if (!key || !take(':')) return false;
      bool* const had = *key == "descr" ? &had_type : *key == "fortran_order" ? &had_order : &had_shape;
      if ((had == &had_shape && *key != "shape") || std::exchange(*had, true)) return false;
      if (!(had == &had_type ? read_type() : had == &had_order ? read_order() : read_shape())) return false;
      if (type == "[") return true;
      if (!take(',')) {
        if (!take('}')) return false;
        break;
      }
    }
    skip_blanks();
    return had_type && had_order && had_shape && rest_.empty();
  }

 private:
  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }
  bool take(char c) {
    skip_blanks();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::optional<std::string_view> quoted() {
    const char quote = take('\'') ? '\'' : take('"') ? '"' : '\0';
    const std::size_t end = quote == '\0' ? rest_.npos : rest_.find(quote);
    if (end == rest_.npos) return std::nullopt;
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return text;
  }
  bool read_type() {
    if (take('[')) return type = "[", true;
    const auto text = quoted();
    if (text) type = *text;
    return text.has_value();
  }
  bool read_order() {
    skip_blanks();
    fortran = rest_.starts_with("True");
    if (!fortran && !rest_.starts_with("False")) return false;
    rest_.remove_prefix(fortran ? 4 : 5);
    return true;
  }
  bool read_shape() {
    if (!take('(')) return false;
    while (!take(')')) {
      skip_blanks();
      std::uint64_t size = 0;
      const auto [end, fault] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
      if (fault != std::errc()) return false;
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      if (!rest_.empty() && rest_.front() == 'L') rest_.remove_prefix(1);  // Python 2
      shape.push_back(size);
      if (!take(',')) return take(')');
    }
    return true;
  }

  std::string_view rest_;
};

// As "<f4" says it; the first character is the order of the bytes.
std::optional<NumberType> npy_type(std::string_view text) {
  if (text.size() < 2) return std::nullopt;
  for (const auto& [word, type] : kNpyTypes)
    if (text.substr(1) == word) return type;
  return std::nullopt;
}

// Column-major: what stands together is the first dimension.
std::vector<Index> fortran_strides(std::span<const Index> shape) {
  std::vector<Index> strides;
  Index step = 1;
  for (const Index size : shape) {
    strides.push_back(step);
    step *= size;
  }
  return strides;
}

}  // namespace

Tensor parse_npy(std::span<const std::byte> content, std::string_view file, std::string name) {
  const auto fail = [&](const std::string& what) { fail_in(file, "array " + in_quotes(name) + " " + what); };
  const std::string_view text = text_of(content);
  if (!text.starts_with("\x93NUMPY") || text.size() < 10) fail("is no .npy file; save it by numpy.save");
  const auto version = static_cast<unsigned char>(text[6]);
  if (version < 1 || version > 3)
    fail("is of version " + std::to_string(version) + " of the format, and 1 to 3 are read; save it by numpy.save");
  const std::size_t begin = version == 1 ? 10 : 12;
  if (content.size() < begin) fail("ends within its header; download it again");
  const std::size_t length =
      version == 1 ? load<std::uint16_t>(content.data() + 8) : std::size_t{load<std::uint32_t>(content.data() + 8)};
  if (length > content.size() - begin) fail("ends within its header; download it again");
  NpyHeader header(text.substr(begin, length));
  if (!header.read()) fail("has a header that is none of NumPy's; save it by numpy.save");
  if (header.type == "[") fail("holds records; save each of their fields as an array of its own");
  if (header.type.ends_with("O") || header.type.starts_with("O"))
    fail("holds Python objects, which only running them could read; save it as numbers");
  const auto type = npy_type(header.type);
  const char order = header.type.empty() ? '?' : header.type.front();
  const bool single = type && block_of(*type).bytes == 1;
  if (!type || (order != '<' && order != '>' && order != '=' && !(order == '|' && single)))
    fail("is of the type " + in_quotes(header.type) + ", which is not read here; save it as float32");
  Tensor tensor;
  tensor.type = *type;
  tensor.big_endian = order == '>' && !single;
  const auto shape = shape_of(header.shape);
  const auto count = shape ? count_of_shape(*shape) : std::nullopt;
  const auto bytes = count ? bytes_for(*type, *count) : std::nullopt;
  if (!bytes) fail("has a shape of more numbers than any file holds; save it again");
  tensor.shape = *shape;
  tensor.bytes = content.subspan(begin + length);
  if (*bytes != tensor.bytes.size())
    fail("has " + std::to_string(tensor.bytes.size()) + " bytes of numbers, and " + in_words(tensor.shape) + " of " +
         std::string(name_of(*type)) + " has " + std::to_string(*bytes) + "; download it again");
  if (header.fortran && tensor.shape.size() > 1 && *count > 0) tensor.strides = fortran_strides(tensor.shape);
  tensor.name = std::move(name);
  return tensor;
}

TensorFile read_npy(const FileBytes& file) {
  if (content_of(file.bytes) != Content::npy) fail_other_content(file, "a NumPy array (.npy)");
  return {file.name, file.owner, {parse_npy(file.bytes, file.name, "array")}, {}};
}

TensorFile read_npz(const FileBytes& file) {
  if (content_of(file.bytes) != Content::zip) fail_other_content(file, "an archive of NumPy arrays (.npz)");
  const std::vector<ZipEntry> entries = zip_entries(file);
  ZipContents contents(file);
  TensorFile result{file.name, {}, {}, {}};
  for (const ZipEntry& entry : entries) {
    if (entry.name.ends_with('/')) continue;
    if (!entry.name.ends_with(".npy"))
      fail_in(file.name, "holds " + in_quotes(entry.name) +
                             ", which is no .npy, so it is no archive of NumPy arrays; open a .pt file as that");
    result.tensors.push_back(parse_npy(contents.of(entry), file.name, entry.name.substr(0, entry.name.size() - 4)));
  }
  result.owner = contents.owner();
  sort_tensors(result);
  return result;
}

TensorFile open_npy(const std::string& path) { return read_npy(map_file(path)); }
TensorFile open_npz(const std::string& path) { return read_npz(map_file(path)); }

}  // namespace hydra
