// How the spellings of tokens become text again.
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "core/tokenizers/text/expression.h"

namespace hydra {

struct LettersToBytes {};  // of byte-level vocabularies
struct JoinWordPieces {
  std::string mark = "##";
  bool cleanup = true;  // no space before marks, "do n't" together
};
struct MarksToSpaces {
  std::string mark = "▁";
  bool without_first = true;  // what begins the text has no space
};
// <0xE2><0x82><0xAC> is €. Where one of the bytes side by side is part of no character all of them are �, or, by
// character, that one.
struct JoinBytes {
  bool by_character = false;
};
struct Fuse {};  // all become one
struct StripSides {
  std::string content;
  std::size_t start = 0, stop = 0;  // so many at the most
};
struct ReplaceIn {
  Expression expression;
  std::string content;
};
struct SuffixToSpace {
  std::string suffix;
};
struct StripFirstMark {
  std::string mark = "▁";
  bool all = false;  // also those of the tokens behind it, as long as nothing else has come
};

using Decoder = std::variant<LettersToBytes, JoinWordPieces, MarksToSpaces, JoinBytes, Fuse, StripSides, ReplaceIn,
                             SuffixToSpace, StripFirstMark>;

// Step after step, then one after the other.
std::string decoded(std::vector<std::string> tokens, const std::vector<Decoder>& steps);

// With � for bytes that are no UTF-8, one for the bytes of a character that breaks off.
std::string with_replacements(std::string_view bytes);

}  // namespace hydra
