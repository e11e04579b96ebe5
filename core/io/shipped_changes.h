// A document as what it changes of one that ships and is itself too large for a link: a JSON Patch (RFC 6902).
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/document/document.h"

namespace hydra {

// What is changed, as &of= of a link has it: the example's file and a checksum, "trained_king.json-1a2b3c4d", since
// another version of the program may have another one; of the opening document the checksum alone.
// Those that are at hand and have most of the document's numbers; text: its file.
std::vector<std::string> bases_like(const Document& document, std::string_view text);
std::string changes_of(std::string_view base, std::string_view document_text);
// The document's JSON again. Throws InputError with what is wrong, without its subject: "changes an example of another
// version ...".
std::string with_changes(std::string_view patch, std::string_view base);

// The example that it is of; empty: the opening document, or none.
std::string example_of(std::string_view base);

}  // namespace hydra
