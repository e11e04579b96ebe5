// Bytes written as letters, as byte-level vocabularies spell them: 0x20 is Ġ, 0x0A is Ċ, what is printed stays itself.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace hydra {

std::string_view byte_letter(unsigned char byte);  // in UTF-8
// The bytes of a spelling; none where a character of it is no byte's letter.
std::optional<std::string> bytes_of_letters(std::string_view spelling);

}  // namespace hydra
