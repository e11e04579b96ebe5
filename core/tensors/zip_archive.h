// What a zip archive holds, and where: entries that are stored are read where they stand.
#pragma once
#include <string>
#include <vector>

#include "core/files/mapped_file.h"

namespace hydra {

struct ZipEntry {
  std::string name;
  bool deflated = false;
  std::span<const std::byte> packed;  // within the file
  std::uint64_t size = 0;             // unpacked; of one that is stored that of packed
  std::uint32_t checksum = 0;
};

// In order of the directory. Throws InputError, also for two of one name, for ciphers and for other methods.
std::vector<ZipEntry> zip_entries(const FileBytes& file);

// The content of entries, unpacked where it must be: at most 64 MiB and 16 times the file in all, checked before. Only
// what is unpacked is held against its checksum, for that reads it.
class ZipContents {
 public:
  explicit ZipContents(const FileBytes& file)
      : file_(file), left_((std::uint64_t{64} << 20) + 16 * std::uint64_t{file.bytes.size()}) {}
  std::span<const std::byte> of(const ZipEntry& entry);  // throws InputError
  // What keeps all that was given out.
  std::shared_ptr<const void> owner();

 private:
  const FileBytes& file_;
  std::uint64_t left_;
  std::vector<std::shared_ptr<const std::string>> unpacked_;
};

}  // namespace hydra
