// The document that a command is about: a file, a link, a model's folder or file; with other values and another text.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/document/document.h"

namespace CLI {
class App;
}  // namespace CLI

namespace hydra {

struct DocumentOptions {
  std::string file;               // empty: the opening document; "-": standard input
  std::vector<std::string> sets;  // --set /layers/0/heads=4
  std::optional<std::string> text, token_ids;
};

// FILE, --set, --token-ids and, unless the command calls something else so, --text.
void add_document(CLI::App& command, DocumentOptions& options, bool with_text = true);
Document asked_document(const DocumentOptions& options);   // throws InputError
std::string file_to_save(const DocumentOptions& options);  // that it was read from; empty: it has none

}  // namespace hydra
