// A document as what it changes of the opening one, which is too large for a link: a JSON Patch (RFC 6902).
#pragma once
#include <string>
#include <string_view>

namespace hydra {

// Which opening document a patch is of: another version of the program may have another one.
const std::string& opening_stamp();
std::string opening_changes(std::string_view document_text);
// The document's JSON again. Throws InputError with what is wrong with a patch of this stamp, without its subject: "is
// of another version ...".
std::string with_opening_changes(std::string_view patch, std::string_view stamp);

}  // namespace hydra
