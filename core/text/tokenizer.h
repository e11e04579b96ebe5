// Words and punctuation of a sentence.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra {

// UTF-8 in, tokens in their order; together they are the sentence without its white space and control characters.
// - A word is a run of letters, digits and marks of any script, with the apostrophes and hyphens between them
// ("didn't",
//   "don’t", "well-known") and the points and commas between digits ("3.5", "1,000").
// - Every other mark or symbol is a token of its own; a run of full stops or of hyphens is one ("...", "--"). So "U.S."
//   is four tokens and "dogs'" two.
// - Han, Hiragana and Katakana are one token a character; other scripts without spaces (Thai, Khmer) stay whole.
// - Combining marks, variation selectors and joined emoji stay with what they modify.
// Spellings are not normalised: é and e + combining accent are two words. Throws InputError when the bytes are not
// UTF-8.
std::vector<std::string> tokenize(std::string_view sentence);
// The same, but that what stands between white space is one token where is_token says so.
std::vector<std::string> tokenize(std::string_view sentence, const std::function<bool(std::string_view)>& is_token);

// Whether the token is a punctuation mark, a symbol or a delimiter, and no word: its first and its last character are
// marks (",", "...", "[SEP]"; not "'s").
bool is_mark(std::string_view token);

// Punctuation marks and symbols: what begins a token that is no word.
bool is_punctuation(char32_t code);

}  // namespace hydra
