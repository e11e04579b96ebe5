#include "core/tokenizers/text/byte_letters.h"

#include <array>

#include "core/files/utf8.h"

namespace hydra {

namespace {

constexpr char32_t kLastLetter = 0x143;

struct ByteLetters {
  std::array<std::string, 256> letters;
  std::array<int, kLastLetter + 1> bytes{};
};

const ByteLetters& byte_letters() {
  static const ByteLetters table = [] {
    ByteLetters made;
    made.bytes.fill(-1);
    char32_t next = 0x100;
    for (char32_t byte = 0; byte < 256; ++byte) {
      const bool itself = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
      const char32_t letter = itself ? byte : next++;
      made.letters[byte] = encode(letter);
      made.bytes[letter] = static_cast<int>(byte);
    }
    return made;
  }();
  return table;
}

}  // namespace

std::string_view byte_letter(unsigned char byte) { return byte_letters().letters[byte]; }

std::optional<std::string> bytes_of_letters(std::string_view spelling) {
  std::string bytes;
  for (std::size_t at = 0; at < spelling.size();) {
    const Character c = decode(spelling, at);
    if (c.code > kLastLetter || byte_letters().bytes[c.code] < 0) return std::nullopt;
    bytes += static_cast<char>(byte_letters().bytes[c.code]);
    at = c.end;
  }
  return bytes;
}

}  // namespace hydra
