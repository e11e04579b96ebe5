// Which file something is kept in, and whether that file still has what was last read or written there.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace hydra {

// What a file's content is known by: another content has the same one only by a chance of 2^-64.
struct Fingerprint {
  std::uint64_t bytes = 0, hash = 0;
  bool operator==(const Fingerprint&) const = default;
};
Fingerprint fingerprint_of(std::string_view content);

struct KeptFile {
  std::string path;     // empty: untitled
  Fingerprint content;  // as it was last read or written by us
};

// Whether both paths lead to one file, whatever they are called; files that do not exist are known by their place.
bool same_file(const std::string& a, const std::string& b);
// Whether something else has written the file since. One that is gone has nothing that could be lost.
bool changed_since(const KeptFile& file);

}  // namespace hydra
