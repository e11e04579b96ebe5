#include <catch2/catch.hpp>

#include "core/error.h"
#include "core/tokenizers/text/byte_letters.h"
#include "core/tokenizers/text/charsmap.h"
#include "core/tokenizers/text/cutting.h"
#include "core/tokenizers/text/normalizer.h"
#include "tests/core/tokenizers/tiny.h"

using namespace hydra;
using namespace hydra::test;

namespace {

AlignedText aligned(std::string_view text) {
  AlignedText made(16 * text.size() + 65536);
  made.append_first(text, 0);
  return made;
}

// The text, and behind it the span of each of its characters.
std::string normal(std::string_view text, const Normalizer& step) {
  const AlignedText made = normalized(aligned(text), {step});
  std::string all(made.text());
  for (std::size_t at = 0; at < made.size();) {
    std::size_t end = at + 1;
    while (end < made.size() && (static_cast<unsigned char>(made.text()[end]) & 0xC0) == 0x80) ++end;
    const Span span = made.span(at, end);
    all += " " + std::to_string(span.begin) + "-" + std::to_string(span.end);
    at = end;
  }
  return all;
}

// The parts, with | between them.
std::string cut_into(std::string_view text, const std::vector<CutStep>& steps) {
  CutText made{aligned(text), {{0, static_cast<std::uint32_t>(text.size()), Part::kNoToken}}};
  cut(made, steps);
  std::string all;
  for (const Part& part : made.parts)
    all += (all.empty() ? "" : "|") + std::string(made.text.text().substr(part.begin, part.end - part.begin));
  return all;
}

std::string split(std::string_view text, const char* pattern, Behavior behavior, bool invert = false) {
  return cut_into(text, {CutByExpression{Expression::of_pattern(pattern), behavior, invert}});
}

}  // namespace

TEST_CASE("normalizer: each changes what it should, and knows from where", "[tokenizers]") {
  using characters::Form;
  CHECK(normal("aÉ", NormalForm{Form::nfd}) == "aE\xCC\x81 0-1 1-3 1-3");
  CHECK(normal("e\xCC\x81x", NormalForm{Form::nfc}) == "éx 0-3 3-4");
  CHECK(normal("ﬁ½", NormalForm{Form::nfkc}) == "fi1⁄2 0-3 0-3 3-5 3-5 3-5");
  const std::string ga = "\xEA\xB0\x80", g_a = "\xE1\x84\x80\xE1\x85\xA1";  // 가, and its two letters
  CHECK(normal(ga, NormalForm{Form::nfd}) == g_a + " 0-3 0-3");
  CHECK(normal(g_a, NormalForm{Form::nfc}) == ga + " 0-6");
  CHECK(normal("e\xCC\x81\xCC\xA3", NormalForm{Form::nfd}) ==
        "e\xCC\xA3\xCC\x81 0-5 0-5 0-5");  // dot below comes first
  CHECK(normal("AÉİß", Lowercase{}) == "aéi\xCC\x87ß 0-1 1-3 3-5 3-5 5-7");
  CHECK(normal("e\xCC\x81x", StripAccents{}) == "ex 0-1 3-4");
  CHECK(normal("é", StripAccents{}) == "é 0-2");
  CHECK(normal("  a ", StripEnds{true, true}) == "a 2-3");
  CHECK(normal("  a ", StripEnds{false, true}) == "  a 0-1 1-2 2-3");
  CHECK(normal("a b", ReplaceBy{Expression::of_text(" "), "__"}) == "a__b 0-1 1-2 1-2 2-3");
  CHECK(normal("a  b", ReplaceBy{Expression::of_pattern("\\s+"), ""}) == "ab 0-1 3-4");
  CHECK(normal("a", Prepend{"▁"}) == "▁a 0-0 0-1");
  CHECK(normal("", Prepend{"▁"}).empty());
  CHECK(normal("a\xEF\xBB\xBF"
               "b\n",
               Nmt{}) == "a b  0-1 1-4 4-5 5-6");
  BertNormalizer cased;
  cased.lowercase = cased.strip_accents = false;
  CHECK(normal("É中", cased) == "É 中  0-2 2-2 2-5 5-5");
}

TEST_CASE("normalizer: SentencePiece's takes spaces together, and keeps what is the user's", "[tokenizers]") {
  SentencePieceNormalizer step;
  CHECK(normal("  a  b ", step) == "▁a▁b 2-2 2-3 3-4 5-6");
  step.remove_extra_spaces = false;
  CHECK(normal(" a", step) == "▁▁a 0-0 0-1 1-2");
  step.remove_extra_spaces = true;
  step.prefix_at_end = true;
  CHECK(normal("a ", step) == "a▁ 0-1 2-2");
  step.add_prefix = false;
  step.kept = std::make_shared<Trie>(std::vector<Trie::Entry>{{" x", 0}});
  CHECK(normal("a x", step) == "a▁x 0-1 1-2 2-3");
}

TEST_CASE("normalizer: a hostile replacement is refused before it takes memory", "[tokenizers]") {
  const ReplaceBy step{Expression::of_text(""), std::string(1000, 'x')};
  CHECK_THROWS_WITH(normal(std::string(10'000, 'a'), step), Catch::Contains("which is too much"));
}

TEST_CASE("normalizer: a million marks on one letter are not quadratic", "[tokenizers]") {
  std::string text = "a";
  for (int k = 0; k < 300'000; ++k) text += k % 2 == 0 ? "\xCC\x81" : "\xCC\xA3";
  CHECK(normalized(aligned(text), {NormalForm{characters::Form::nfd}}).size() == text.size());
}

TEST_CASE("cutting: what becomes of the places that a cut is made at", "[tokenizers]") {
  // The examples of the reference implementation.
  CHECK(split("the-final--countdown", "-", Behavior::removed) == "the|final|countdown");
  CHECK(split("the-final--countdown", "-", Behavior::isolated) == "the|-|final|-|-|countdown");
  CHECK(split("the-final--countdown", "-", Behavior::merged_with_previous) == "the-|final-|-|countdown");
  CHECK(split("the-final--countdown", "-", Behavior::merged_with_next) == "the|-final|-|-countdown");
  CHECK(split("the-final--countdown", "-", Behavior::contiguous) == "the|-|final|--|countdown");
  CHECK(split("a1b22", "[a-z]+", Behavior::removed, true) == "a|b");
  CHECK(split("a1b22", "[0-9]+", Behavior::isolated, true) == "a|1|b|22");
  CHECK(split("abc", "", Behavior::isolated) == "a|b|c");
  CHECK(split("", "a", Behavior::isolated).empty());
  CHECK(cut_into("a.b.c", {CutByExpression{Expression::of_text("."), Behavior::removed, false}}) == "a|b|c");
}

TEST_CASE("cutting: words, marks, digits, spaces", "[tokenizers]") {
  using Kind = CutByKind::Kind;
  CHECK(cut_into("Hey, you_1! e\xCC\x81½", {CutWords{}}) == "Hey|,|you_1|!|e\xCC\x81|½");
  CHECK(cut_into(" a\tb\xE3\x80\x80"
                 "c",
                 {CutByKind{Kind::white, Behavior::removed}}) == "a|b|c");
  CHECK(cut_into("a+b!?«c", {CutByKind{Kind::punctuation, Behavior::isolated}}) == "a|+|b|!|?|«|c");
  CHECK(cut_into("a12½", {CutByKind{Kind::number, Behavior::contiguous}}) == "a|12½");
  CHECK(cut_into("a12", {CutByKind{Kind::number, Behavior::isolated}}) == "a|1|2");
  CHECK(cut_into("It's  so\n\nfine 12", {ByteLevel{false, true}}) == "It|'s|Ġ|Ġso|Ċ|Ċ|fine|Ġ12");
  CHECK(cut_into("a b", {ByteLevel{true, true}}) == "Ġa|Ġb");
  CHECK(cut_into("a b", {ByteLevel{false, false}}) == "aĠb");
  CHECK(cut_into("a b  c", {Metaspace{}}) == "▁a|▁b|▁|▁c");
  CHECK(cut_into(" a", {Metaspace{}}) == "▁a");
  CHECK(cut_into("a b", {Metaspace{Metaspace::Prefix::never, "▁", true}}) == "a|▁b");
  CHECK(cut_into("a b", {Metaspace{Metaspace::Prefix::first, "_", false}}) == "_a_b");
}

TEST_CASE("cutting: expressions that could take for ever end", "[tokenizers]") {
  const std::string text(100'000, 'A');
  for (const char* const pattern :
       {"(A+)+$x", "(A|AA)+$x", "(A*)*B", "A*[BC]", "A*+[BC]", "(?=(A+)+B)", "(.*)*x", "(A?){50}A{50}B"}) {
    CAPTURE(pattern);
    CHECK_THROWS_WITH(split(text, pattern, Behavior::isolated), Catch::Contains("takes too long on this text"));
  }
  // What looks far ahead once does not.
  CHECK(split(text + "B", "A+B", Behavior::isolated) == text + "B");
  CHECK(split(text, "\\p{L}+", Behavior::isolated) == text);
  CHECK(split(text, kGpt2Expression, Behavior::isolated) == text);
  CHECK(split("  " + text, "\\s+(?!\\S)|\\s+", Behavior::removed) == text);
}

TEST_CASE("expression: what is not understood is refused", "[tokenizers]") {
  CHECK_THROWS_WITH(Expression::of_pattern("a("), Catch::Contains("\"a(\" is not understood at its byte 2"));
  CHECK_THROWS_WITH(Expression::of_pattern("[a&&b]"), Catch::Contains("has &&, which is not known here"));
  CHECK_THROWS_WITH(Expression::of_pattern("\\C"), Catch::Contains("is not understood"));
  CHECK_THROWS_WITH(Expression::of_pattern(std::string(10'001, 'a')), Catch::Contains("at most 10000"));
}

TEST_CASE("byte letters: each byte has its own, and comes back", "[tokenizers]") {
  std::string letters, bytes;
  for (int byte = 0; byte < 256; ++byte) {
    letters += byte_letter(static_cast<unsigned char>(byte));
    bytes += static_cast<char>(byte);
  }
  CHECK(bytes_of_letters(letters) == bytes);
  CHECK(byte_letter(' ') == "Ġ");
  CHECK(byte_letter('\n') == "Ċ");
  CHECK(byte_letter(0xAD) == "Ń");
  CHECK_FALSE(bytes_of_letters("a b").has_value());
}

TEST_CASE("charsmap: broken ones are refused, or find nothing", "[tokenizers]") {
  const auto word = [](std::uint32_t value) {
    std::string bytes;
    for (int k = 0; k < 4; ++k) bytes += static_cast<char>(value >> (8 * k) & 0xFF);
    return bytes;
  };
  CHECK(Charsmap().longest("a").first == 0);
  for (const std::string& bytes : {std::string("a"), word(0), word(3), word(8) + word(0), word(0xFFFFFFFC)})
    CHECK_THROWS_WITH(Charsmap(bytes), Catch::Contains("the table of characters"));
  CHECK_THROWS_WITH(Charsmap(word(4) + word(0) + "\xFF"), Catch::Contains("no UTF-8"));
  // The root leads to 1 + 'a'; there a text ends, whose place is 0.
  std::string units(4 * 256, '\0');
  const auto put = [&](std::size_t at, std::uint32_t value) { units.replace(4 * at, 4, word(value)); };
  put(0, 1u << 10);                          // children at 1
  put(1 ^ 'a', 200u << 10 | 1u << 8 | 'a');  // a text ends; what it is stands at (1 ^ 'a') ^ 200
  const std::size_t value = (1 ^ 'a') ^ 200;
  put(value, 1u << 31 | 0);
  const Charsmap map(word(4 * 256) + units + std::string("bc\0", 3));
  CHECK(map.longest("ax") == std::pair<std::size_t, std::string_view>(1, "bc"));
  CHECK(map.longest("x").first == 0);
  put(value, 1u << 31 | 1000);
  CHECK(Charsmap(word(4 * 256) + units + std::string("bc\0", 3)).longest("ax").first == 0);
}
