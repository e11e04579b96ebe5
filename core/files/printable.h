// Texts of others within our sentences: names of files, words of a document.
#pragma once
#include <string>
#include <string_view>

namespace hydra {

// Cut, and escaped as JSON does, so that it fits into a sentence.
std::string printable(std::string_view text, std::size_t most = 60);
// The same between quotes, as a sentence names it.
inline std::string in_quotes(std::string_view text) { return "\"" + printable(text) + "\""; }

// As it stands within a string of JSON, quotes escaped as well.
void append_escaped(std::string& out, std::string_view text);

}  // namespace hydra
