// Text as bytes: well-formed UTF-8, character by character.
#pragma once
#include <string>
#include <string_view>

namespace hydra {

struct Character {
  static constexpr char32_t kNone = 0xFFFFFFFF;  // no character: the end of the text, or broken bytes
  char32_t code = kNone;
  std::size_t begin = 0, end = 0;  // bytes
};

// The character at bytes[begin], by Unicode's table 3-7 of well-formed sequences; kNone when the bytes are none.
Character decode(std::string_view bytes, std::size_t begin);

std::string encode(char32_t code);  // a code point, no surrogate

std::size_t first_broken(std::string_view bytes);  // where they are no UTF-8; their size when they are
bool is_utf8(std::string_view bytes);              // without surrogates and overlong forms
bool is_plain_text(std::string_view bytes);        // UTF-8 without control characters

// The text, or what of it has at most so many bytes, cut between characters; then an ellipsis, beyond the bytes.
std::string shortened(std::string_view text, std::size_t most);

}  // namespace hydra
