// The bytes of a file, mapped: the system reads what is looked at. What cannot be mapped, as a pipe, is read whole.
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hydra {

struct FileBytes {
  std::string name;                  // as sentences call it
  std::span<const std::byte> bytes;  // of a mapped file: 0 where another program cuts the file meanwhile
  std::shared_ptr<const void> owner;
};

// "-" is standard input. Throws InputError.
FileBytes map_file(const std::string& path);
FileBytes in_memory(std::string name, std::string content);

// How often bytes of a mapped file were looked at that another program had cut off: they were 0 from then on.
int times_cut();

// A copy of some bytes of a mapped file, or of such a copy, to be changed: the file stays as it is, and the copy shares
// with it all pages in which nothing is changed. Many bytes of memory are copied into a file without a name the first
// time, and shared from then on.
struct ChangedBytes {
  std::shared_ptr<const void> owner;
  std::byte* first = nullptr;
  std::size_t own = 0;  // bytes that are not shared
};
// changed: the stretches of bytes, from the first on, that may be written to. Nothing: the bytes are of no file, and
// too few for one.
struct ByteRange {
  std::size_t begin = 0, size = 0;
};
std::optional<ChangedBytes> copy_to_change(std::span<const std::byte> bytes, std::span<const ByteRange> changed);

inline std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
inline std::span<const std::byte> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

}  // namespace hydra
