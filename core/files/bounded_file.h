// A whole file of a size that its reader knows (read_whole of whole_file.h has a size for all).
#pragma once
#include <cstdint>
#include <string>

namespace hydra {

// "-" is standard input.
std::string read_at_most(std::uint64_t bytes, const std::string& path);

}  // namespace hydra
