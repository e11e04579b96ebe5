// Files are read whole, and written whole or not at all. Every fault is one InputError sentence with the file's name.
#pragma once
#include <functional>
#include <string>
#include <string_view>

namespace hydra {

// Read when no other limit is given (bounded_file.h); what a document may have is in core/document/limits.h.
inline constexpr std::size_t kMaxFileBytes = 96u << 20;

// Takes a text piece by piece.
using Sink = std::function<void(std::string_view)>;

// A whole file; "-" is standard input. At most kMaxFileBytes.
std::string read_whole(const std::string& path);
// Whole or not at all: written beside, flushed, renamed, so that a fault leaves the old file. "-" is standard output,
// and what is no regular file (a pipe, a device) is written in place.
void write_whole(const std::string& path, const std::function<void(const Sink&)>& write);
void write_whole(const std::string& path, std::string_view bytes);

}  // namespace hydra
