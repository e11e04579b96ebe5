#include "core/files/utf8.h"

#include <algorithm>

namespace hydra {

Character decode(std::string_view bytes, std::size_t begin) {
  const auto byte = [&](std::size_t k) {
    return begin + k < bytes.size() ? static_cast<unsigned char>(bytes[begin + k]) : 0u;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, begin, begin + 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  char32_t code = lead & (0x7Fu >> length);
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xC0) != 0x80) return {Character::kNone, begin, begin + 1};
    code = code << 6 | (byte(k) & 0x3F);
  }
  const char32_t least = length == 4 ? 0x10000 : length == 3 ? 0x800 : 0x80;
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  const bool valid = lead >= 0xC2 && lead <= 0xF4 && code >= least && code <= 0x10FFFF && !surrogate;
  return {valid ? code : Character::kNone, begin, begin + (valid ? length : 1)};
}

std::string encode(char32_t code) {
  if (code < 0x80) return std::string(1, static_cast<char>(code));
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  const char32_t lead = more == 1 ? 0xC0 : more == 2 ? 0xE0 : 0xF0;
  std::string bytes(1, static_cast<char>(lead | code >> (6 * more)));
  for (int k = more - 1; k >= 0; --k) bytes += static_cast<char>(0x80 | (code >> (6 * k) & 0x3F));
  return bytes;
}

std::size_t first_broken(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    if (static_cast<unsigned char>(bytes[at]) < 0x80) {
      ++at;
      continue;
    }
    const Character c = decode(bytes, at);
    if (c.code == Character::kNone) return at;
    at = c.end;
  }
  return bytes.size();
}

bool is_utf8(std::string_view bytes) { return first_broken(bytes) == bytes.size(); }

bool is_plain_text(std::string_view bytes) {
  const auto control = [](char c) { return (c >= 0 && c < ' ') || c == 0x7F; };
  return is_utf8(bytes) && std::none_of(bytes.begin(), bytes.end(), control);
}

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  return std::string(text.substr(0, most)) + "…";
}

}  // namespace hydra
