// Words and punctuation of a sentence.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace hydra {

// Splits at white space; punctuation marks are tokens of their own; contractions and hyphenated words stay whole
// ("didn't", "don’t", "well-known"), as do numbers ("3.5", "1,000"). UTF-8: letters of any script belong to words.
// Throws InputError when the bytes are not UTF-8.
std::vector<std::string> tokenize(std::string_view sentence);

bool is_utf8(std::string_view bytes);

}  // namespace hydra
