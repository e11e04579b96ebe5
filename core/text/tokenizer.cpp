#include "core/text/tokenizer.h"

#include "core/error.h"
#include "core/files/utf8.h"
#include "core/text/clusters.h"
#include "core/text/punctuation.h"

namespace hydra {

namespace {

// Separators, and control characters, which no token should carry.
bool is_space(char32_t c) {
  return c <= 0x20 || within(c, 0x7F, 0xA0) || c == 0x1680 || within(c, 0x2000, 0x200B) || c == 0x2028 || c == 0x2029 ||
         c == 0x202F || c == 0x205F || c == 0x3000 || c == 0xFEFF;
}

// Scripts written without spaces whose characters carry meaning alone: Han, Hiragana, Katakana.
bool is_ideograph(char32_t c) {
  return within(c, 0x3400, 0x4DBF) || within(c, 0x4E00, 0x9FFF) || within(c, 0xF900, 0xFAFF) ||
         within(c, 0x20000, 0x3FFFF) || within(c, 0x3041, 0x30FF) || within(c, 0x31F0, 0x31FF) || c == 0x3005 ||
         c == 0x3007;
}

// Characters that belong to whatever stands before them, also to a symbol or an ideograph: combining marks of any
// script, joiners, emoji modifiers.
bool extends(char32_t c) {
  return is_combining_mark(c) || within(c, 0x200C, 0x200D) || within(c, 0x1F3FB, 0x1F3FF) ||
         within(c, 0xE0020, 0xE01EF);
}

bool is_word(char32_t c) { return c != Character::kNone && !is_space(c) && !is_punctuation(c) && !is_ideograph(c); }

bool is_digit(char32_t c) { return within(c, '0', '9') || within(c, 0x660, 0x669) || within(c, 0x6F0, 0x6F9); }

// Marks that stay inside a word: apostrophes and hyphens between letters, decimal and thousands marks between digits.
bool joins(char32_t before, char32_t mark, char32_t after) {
  const bool apostrophe = mark == '\'' || mark == 0x2019 || mark == 0xFF07;
  const bool hyphen = mark == '-' || mark == 0x2010 || mark == 0x2011 || mark == 0x5BE;
  if (apostrophe || hyphen) return is_word(before) && is_word(after);
  const bool number_mark = mark == '.' || mark == ',' || mark == 0x66B || mark == 0x66C;
  return number_mark && is_digit(before) && is_digit(after);
}

// The sentence's characters, and one of code Character::kNone at the end.
std::vector<Character> characters(std::string_view sentence) {
  std::vector<Character> text;
  for (std::size_t at = 0; at < sentence.size(); at = text.back().end) {
    text.push_back(decode(sentence, at));
    if (text.back().code == Character::kNone)
      throw InputError("the sentence must be UTF-8 text, and byte " + std::to_string(at) + " of it is not");
  }
  text.push_back({Character::kNone, sentence.size(), sentence.size()});
  return text;
}

// The three kinds of token. Each takes where one begins and gives where it ends.

std::size_t end_of_word(const std::vector<Character>& text, std::size_t at) {
  for (++at; is_word(text[at].code) || extends(text[at].code) ||
             (text[at].code != Character::kNone && joins(text[at - 1].code, text[at].code, text[at + 1].code));)
    ++at;
  return at;
}

std::size_t end_of_ideograph(const std::vector<Character>& text, std::size_t at) {
  for (++at; extends(text[at].code);) ++at;
  return at;
}

// One mark or symbol with what modifies it; "..." and "--" are one mark typed in pieces, two regional letters a flag.
std::size_t end_of_mark(const std::vector<Character>& text, std::size_t at) {
  const char32_t first = text[at].code;
  for (++at; (first == '.' || first == '-') && text[at].code == first;) ++at;
  if (is_regional(first) && is_regional(text[at].code)) ++at;
  while (extends(text[at].code) || (text[at - 1].code == kJoiner && is_punctuation(text[at].code))) ++at;
  return at;
}

}  // namespace

bool is_punctuation(char32_t c) {
  if (c < 0x80) return within(c, 0x21, 0x2F) || within(c, 0x3A, 0x40) || within(c, 0x5B, 0x60) || within(c, 0x7B, 0x7E);
  return contains(kPunctuation, c);
}

std::vector<std::string> tokenize(std::string_view sentence) {
  return tokenize(sentence, [](std::string_view) { return false; });
}

std::vector<std::string> tokenize(std::string_view sentence, const std::function<bool(std::string_view)>& is_token) {
  const std::vector<Character> text = characters(sentence);
  const auto is_apart = [&](std::size_t at) { return text[at].code == Character::kNone || is_space(text[at].code); };
  std::vector<std::string> tokens;
  for (std::size_t at = 0; text[at].code != Character::kNone;) {
    const char32_t c = text[at].code;
    if (is_space(c)) {
      ++at;
      continue;
    }
    const std::size_t begin = text[at].begin;
    std::size_t whole = at;
    if (at == 0 || is_apart(at - 1))
      while (!is_apart(whole)) ++whole;
    at = whole > at && is_token(sentence.substr(begin, text[whole].begin - begin)) ? whole
         : is_punctuation(c)                                                       ? end_of_mark(text, at)
         : is_ideograph(c)                                                         ? end_of_ideograph(text, at)
                                                                                   : end_of_word(text, at);
    tokens.emplace_back(sentence.substr(begin, text[at].begin - begin));
  }
  return tokens;
}

bool is_mark(std::string_view token) {
  char32_t last = Character::kNone;
  for (std::size_t at = 0; at < token.size();) {
    const Character c = decode(token, at);
    if (c.code == Character::kNone) return false;
    const bool first = at == 0;
    at = c.end;
    if (!first && extends(c.code)) continue;
    if (first && !is_punctuation(c.code)) return false;
    last = c.code;
  }
  return last != Character::kNone && is_punctuation(last);
}

}  // namespace hydra
