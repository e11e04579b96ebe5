// Reading and writing documents (JSON) and traces. Every fault of an input is one InputError sentence with the file and
// the JSON pointer.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/attention/trace.h"
#include "core/document/document.h"

namespace hydra {

// Every document of the largest size fits: five matrices of 1024 x 1024 at up to 17 characters a number, and a mask.
inline constexpr std::size_t kMaxFileBytes = 96u << 20;

// sets are overrides such as "/layers/0/heads=4", applied to the JSON before it is checked. name stands in the sentences.
Document parse_document(std::string_view text, const std::string& name, const std::vector<std::string>& sets = {});
// "-" is standard input, "" the default document.
Document read_document(const std::string& path, const std::vector<std::string>& sets = {});

std::string document_text(const Document& document);
void write_document(const Document& document, const std::string& path);

// Takes a text piece by piece.
using Sink = std::function<void(std::string_view)>;

// The trace command's JSON (docs/document.md): 9 significant digits, null for masked scores and numbers that are not finite.
void write_trace(const Trace& trace, const Sink& sink);
std::string trace_text(const Trace& trace);

// A whole file; "-" is standard input. At most kMaxFileBytes.
std::string read_whole(const std::string& path);
// Whole or not at all: written beside, flushed, renamed, so that a fault leaves the old file. "-" is standard output, and
// what is no regular file (a pipe, a device) is written in place.
void write_whole(const std::string& path, const std::function<void(const Sink&)>& write);
void write_whole(const std::string& path, std::string_view bytes);

}  // namespace hydra
