#include "core/files/printable.h"

#include "core/files/utf8.h"

namespace hydra {

namespace {

constexpr char kHex[] = "0123456789abcdef";

}  // namespace

std::string printable(std::string_view text, std::size_t most) {
  std::string quoted;
  for (std::size_t at = 0; at < text.size();) {
    const Character c = decode(text, at);
    if (c.end > most) return quoted + "…";
    if (c.code == Character::kNone) {  // a byte that belongs to no character, as file names may have them
      const auto byte = static_cast<unsigned char>(text[at]);
      ((quoted += "\\x") += kHex[byte >> 4]) += kHex[byte & 15];
    } else if (c.code == '"') {
      quoted += '"';
    } else {
      append_escaped(quoted, text.substr(at, c.end - at));
    }
    at = c.end;
  }
  return quoted;
}

void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (byte < 0x20 || byte == 0x7F)
      ((out += "\\u00") += kHex[byte >> 4]) += kHex[byte & 15];
    else
      out += c;
  }
}

}  // namespace hydra
