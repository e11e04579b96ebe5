#include <bit>
#include <deque>

#include "core/error.h"
#include "core/files/utf8.h"
#include "core/tokenizers/files/readers.h"
#include "core/tokenizers/files/sentencepiece_parts.h"

namespace hydra {

namespace {

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t k = 4; k-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + k]);
  return value;
}

std::string byte_name(unsigned byte) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  return std::string("<0x") + kDigits[byte / 16] + kDigits[byte % 16] + '>';
}

}  // namespace

Tokenizer read_llama2c(std::string_view bytes, const std::string& name) {
  const auto fail = [&](std::size_t at, const std::string& what) {
    throw InputError(name + ": byte " + std::to_string(at) + " " + what + "; is it a tokenizer.bin of llama2.c?");
  };
  if (bytes.size() < 4) fail(bytes.size(), "is its end, and its first number has four");
  ScoredPieces pieces;
  std::deque<std::string> texts;  // what is spelled otherwise here
  const std::uint32_t longest = word_at(bytes, 0);
  for (std::size_t at = 4; at < bytes.size();) {
    if (bytes.size() - at < 8) fail(at, "begins a token without a score and a size");
    const float score = std::bit_cast<float>(word_at(bytes, at));
    const std::uint32_t size = word_at(bytes, at + 4);
    if (size > longest || size > bytes.size() - at - 8)
      fail(at + 4, "is the size of a token, " + std::to_string(size) + ", of which there is not as much");
    std::string_view text = bytes.substr(at + 8, size);
    at += 8 + size;
    const auto id = static_cast<std::uint32_t>(pieces.entries.size());
    TokenType type = TokenType::normal;
    // The first three are <unk>, <s> and </s>, then come all bytes; older files have the characters of these codes.
    if (id < 3) {
      type = id == 0 ? TokenType::unknown : TokenType::control;
      if (text.starts_with('\n') && text.ends_with('\n') && text.size() > 2) text = text.substr(1, text.size() - 2);
    } else if (id < 259) {
      type = TokenType::byte;
      const std::string& known = texts.emplace_back(byte_name(id - 3));
      if (text != known && text != encode(id - 3))
        fail(at, "ends token " + std::to_string(id) + ", which must be " + known);
      text = known;
    }
    if (text.empty() || !is_utf8(text)) fail(at, "ends token " + std::to_string(id) + ", which is no text");
    pieces.entries.push_back({id, text});
    pieces.scores.push_back(score);
    pieces.types.push_back(type);
  }
  if (pieces.entries.size() < 259) fail(bytes.size(), "is its end, and it has not all bytes as tokens");
  pieces.byte_fallback = true;
  pieces.normalizer.space = " ";
  pieces.normalizer.remove_extra_spaces = false;
  TokenizerParts parts;
  try {
    parts = parts_of(std::move(pieces));
  } catch (const InputError& fault) {
    throw InputError(name + ": " + fault.what());
  }
  parts.before = {1};
  parts.stamp = (Key("llama2.c tokenizer") << bytes).stamp();
  return Tokenizer(std::move(parts));
}

}  // namespace hydra
