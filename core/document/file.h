// Reading and writing documents (JSON) and traces. Every fault of an input is one InputError sentence with the file and
// the JSON pointer.
#pragma once
#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "core/attention/trace.h"
#include "core/document/document.h"

namespace hydra {

inline constexpr std::size_t kMaxFileBytes = 64u << 20;

Document parse_document(std::string_view text, const std::string& name);  // name stands in the sentences
// "-" is standard input. sets are "/layers/0/heads=4" overrides, applied to the JSON before it is checked.
Document read_document(const std::string& path, const std::vector<std::string>& sets = {});

std::string document_text(const Document& document);
// Whole or not at all: written beside, flushed, renamed. "-" is standard output.
void write_document(const Document& document, const std::string& path);
void write_whole(const std::string& path, std::string_view bytes);

// The trace command's JSON: see the README. 9 significant digits, null for masked scores and non-finite numbers.
std::string trace_text(const Trace& trace);

}  // namespace hydra
