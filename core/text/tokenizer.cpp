#include "core/text/tokenizer.h"

#include <sstream>

namespace hydra {

// A first, ASCII version: replaced by the text slice.
std::vector<std::string> tokenize(std::string_view sentence) {
  std::vector<std::string> tokens;
  std::string word;
  const auto flush = [&] { if (!word.empty()) tokens.push_back(word); word.clear(); };
  for (const char c : sentence) {
    if (c == ' ' || c == '\n' || c == '\t') flush();
    else if (c == '.' || c == ',' || c == '!' || c == '?' || c == ';' || c == ':') { flush(); tokens.emplace_back(1, c); }
    else word += c;
  }
  flush();
  return tokens;
}

bool is_utf8(std::string_view) { return true; }

}  // namespace hydra
