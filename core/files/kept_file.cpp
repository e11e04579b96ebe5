#include "core/files/kept_file.h"

#include <filesystem>

#include "core/error.h"
#include "core/files/bounded_file.h"

namespace hydra {

namespace {
namespace fs = std::filesystem;

// Absolute, without links as far as the path exists.
fs::path place_of(const std::string& path) {
  std::error_code fault;
  const fs::path place = fs::weakly_canonical(fs::absolute(path), fault);
  return fault ? fs::path(path).lexically_normal() : place;
}
}  // namespace

// FNV-1a (Fowler, Noll, Vo): bytes are mixed in one after the other.
Fingerprint fingerprint_of(std::string_view content) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : content) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return {content.size(), hash};
}

bool same_file(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return a == b;
  if (a == b) return true;
  std::error_code fault;
  return fs::equivalent(a, b, fault) || place_of(a) == place_of(b);
}

bool changed_since(const KeptFile& file) {
  std::error_code fault;
  const fs::file_status status = fs::status(file.path, fault);
  if (status.type() == fs::file_type::not_found) return false;
  if (!fs::is_regular_file(status)) return true;
  if (fs::file_size(file.path, fault) != file.content.bytes || fault) return true;
  try {
    return fingerprint_of(read_at_most(file.content.bytes, file.path)) != file.content;
  } catch (const InputError&) {
    return true;  // what cannot be read cannot be vouched for
  }
}

}  // namespace hydra
