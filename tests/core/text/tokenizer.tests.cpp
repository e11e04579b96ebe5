#include "core/text/tokenizer.h"

#include <catch2/catch.hpp>

#include "core/error.h"
#include "core/files/utf8.h"
#include "core/linalg/random.h"

using namespace hydra;
using Tokens = std::vector<std::string>;

TEST_CASE("tokenizer: the default sentence", "[core][tokenizer]") {
  CHECK(tokenize("The animal didn't cross the street because it was too tired.") ==
        Tokens{"The", "animal", "didn't", "cross", "the", "street", "because", "it", "was", "too", "tired", "."});
}

TEST_CASE("tokenizer: contractions and inner hyphens stay whole, outer ones do not", "[core][tokenizer]") {
  CHECK(tokenize("don’t rock'n'roll a well-known mother-in-law") ==
        Tokens{"don’t", "rock'n'roll", "a", "well-known", "mother-in-law"});
  CHECK(tokenize("'tis the dogs' 'own' -x- a- -b") ==
        Tokens{"'", "tis", "the", "dogs", "'", "'", "own", "'", "-", "x", "-", "a", "-", "-", "b"});
  CHECK(tokenize("a''b c-'d") == Tokens{"a", "'", "'", "b", "c", "-", "'", "d"});
}

TEST_CASE("tokenizer: numbers keep their points and commas", "[core][tokenizer]") {
  CHECK(tokenize("3.5 and 1,000.25, not 7. or .5 or -2") ==
        Tokens{"3.5", "and", "1,000.25", ",", "not", "7", ".", "or", ".", "5", "or", "-", "2"});
  CHECK(tokenize("a.b x,y 10:30 50%") == Tokens{"a", ".", "b", "x", ",", "y", "10", ":", "30", "50", "%"});
  CHECK(tokenize("٣٫٥") == Tokens{"٣٫٥"});
}

TEST_CASE("tokenizer: marks are single tokens, dots and hyphens run together", "[core][tokenizer]") {
  CHECK(tokenize("Wait... what?! “Yes” — no… (a/b) [c] $5 +1") ==
        Tokens{"Wait", "...", "what", "?", "!", "“", "Yes", "”", "—", "no", "…", "(",
               "a",    "/",   "b",    ")", "[", "c", "]",   "$", "5", "+",  "1"});
  CHECK(tokenize("yes--no....") == Tokens{"yes", "--", "no", "...."});
  CHECK(tokenize("U.S. snake_case") == Tokens{"U", ".", "S", ".", "snake", "_", "case"});
  CHECK(tokenize("¿Qué? «Été» „so“ ½ 2² €") ==
        Tokens{"¿", "Qué", "?", "«", "Été", "»", "„", "so", "“", "½", "2²", "€"});
}

TEST_CASE("tokenizer: letters of every script", "[core][tokenizer]") {
  CHECK(tokenize("Животное не перешло, потому что устало.") ==
        Tokens{"Животное", "не", "перешло", ",", "потому", "что", "устало", "."});
  CHECK(tokenize("हिन्दी भाषा। مرحبا، كيف؟") == Tokens{"हिन्दी", "भाषा", "।", "مرحبا", "،", "كيف", "؟"});
  CHECK(tokenize("安静な猫。") == Tokens{"安", "静", "な", "猫", "。"});
  CHECK(tokenize("GPUで動く") == Tokens{"GPU", "で", "動", "く"});
  CHECK(tokenize("한국어 문장") == Tokens{"한국어", "문장"});
  CHECK(tokenize("か\u3099き") == Tokens{"か\u3099", "き"});
}

TEST_CASE("tokenizer: combining marks and emoji sequences stay together", "[core][tokenizer]") {
  CHECK(tokenize("cafe\u0301 na\u00efve") == Tokens{"cafe\u0301", "na\u00efve"});
  CHECK(tokenize("👍🏽👩‍👩‍👧❤️🇩🇪🇫🇷x") ==
        Tokens{"👍🏽", "👩‍👩‍👧", "❤️", "🇩🇪", "🇫🇷", "x"});
}

TEST_CASE("tokenizer: every kind of white space separates, controls go", "[core][tokenizer]") {
  CHECK(tokenize(" a\tb\nc\r\nd\u00a0e\u2009f\u3000g\u200bh ") == Tokens{"a", "b", "c", "d", "e", "f", "g", "h"});
  CHECK(tokenize(std::string_view("a\0b\x7f", 4)) == Tokens{"a", "b"});
  CHECK(tokenize("").empty());
  CHECK(tokenize(" \n ").empty());
  CHECK(tokenize("\ufeffHi") == Tokens{"Hi"});
}

TEST_CASE("tokenizer: bytes that are not UTF-8 are refused", "[core][tokenizer]") {
  for (const char* bytes : {"\xff", "\x80", "a\xc3", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                            "\xf8\x88\x80\x80\x80", "\xe2\x82", "x\xc3(y", "\xf0\x9f\x98"}) {
    CAPTURE(bytes);
    CHECK_FALSE(is_utf8(bytes));
    CHECK_THROWS_AS(tokenize(bytes), InputError);
  }
  CHECK(is_utf8("aé€😀\u007f\U0010ffff"));
}

TEST_CASE("tokenizer: the tokens are the sentence without its white space", "[core][tokenizer]") {
  const char* pieces[] = {"a",      "Z",  "é",      "9",  "0",  ".",      ",", "'",       "’", "-",    "--",     "...",
                          " ",      "\n", "\u3000", "漢", "か", "ン",     "é", "e\u0301", "👍", "🏽", "\u200d", "🇩",
                          "\ufe0f", "!",  "“",      "_",  "ʼ",  "\u05be", "ש", "٫",       "٣", "。"};
  Random random(20240601);
  for (int round = 0; round < 2000; ++round) {
    std::string sentence, expected;
    for (auto length = random.bits() % 12; length > 0; --length) {
      const std::string piece = pieces[random.bits() % std::size(pieces)];
      sentence += piece;
      if (piece != " " && piece != "\n" && piece != "\u3000") expected += piece;
    }
    CAPTURE(sentence);
    std::string joined;
    for (const std::string& token : tokenize(sentence)) {
      CHECK_FALSE(token.empty());
      CHECK(is_utf8(token));
      joined += token;
    }
    REQUIRE(joined == expected);
  }
}

TEST_CASE("tokenizer: what stands between white space is one token where it is said to be", "[core][text]") {
  const auto known = [](std::string_view word) { return word == "a+b" || word == "c."; };
  CHECK(tokenize("a+b, a+b\tc. c.. a+b", known) == Tokens{"a", "+", "b", ",", "a+b", "c.", "c", "..", "a+b"});
  CHECK(tokenize("  ", known).empty());
  CHECK(tokenize("(a+b", known) == Tokens{"(", "a", "+", "b"});
}
