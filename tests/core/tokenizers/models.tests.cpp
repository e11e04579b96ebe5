#include <catch2/catch.hpp>

#include "core/error.h"
#include "core/linalg/random.h"
#include "core/tokenizers/token_table.h"
#include "tests/core/tokenizers/tiny.h"

using namespace hydra;
using namespace hydra::test;
using Ids = std::vector<Index>;

TEST_CASE("byte-level BPE: merges by rank, cut as GPT-2 does", "[tokenizers]") {
  // 256 lo, 257 low, 258 er, 259 Ġlow, 260 ow
  const Tokenizer t = tiny_byte_level({{"l", "o"}, {"lo", "w"}, {"e", "r"}, {"Ġ", "low"}, {"o", "w"}}).read();
  CHECK(t.size() == 261);
  CHECK(t.kind() == "byte-level BPE");
  CHECK(ids_of(t, "lower low") == Ids{257, 258, 259});
  CHECK(spans_of(t, "lower low") == "0-3 3-5 5-9");
  // "l o" comes before "o w": ow is made only where no l stands before.
  CHECK(ids_of(t, "row") == Ids{'r', 260});
  CHECK(ids_of(t, "low-er") == Ids{257, '-', 258});
  CHECK(ids_of(t, "").empty());
  // é is two bytes, C3 and A9, each with its own place.
  CHECK(ids_of(t, "é") == Ids{0xC3, 0xA9});
  CHECK(spans_of(t, "xé") == "0-1 1-2 2-3");
  CHECK(t.decode(Ids{0xC3, 0xA9, ' ', 257}) == "é low");
  CHECK(t.decode(Ids{0xC3, ' '}) == "\xEF\xBF\xBD ");
  CHECK(t.spelling(259) == "Ġlow");
  CHECK(t.shown(259) == "▁low");
  CHECK(t.shown(0xC3) == "<0xC3>");
  CHECK(t.shown('\n') == "\\n");
  CHECK(t.find("Ġlow") == 259);
  CHECK(t.find("nothing") == -1);
}

TEST_CASE("byte-level BPE: of merges of one rank the left one comes first", "[tokenizers]") {
  const Tokenizer t = tiny_byte_level({{"a", "a"}, {"aa", "a"}}).read();  // 256 aa, 257 aaa
  CHECK(ids_of(t, "aaaa") == Ids{256, 256});
  CHECK(ids_of(t, "aaaaa") == Ids{256, 257});
  CHECK(spans_of(t, "aaaaa") == "0-2 2-5");
}

TEST_CASE("byte-level BPE: a word of a million letters is not quadratic", "[tokenizers]") {
  const Tokenizer t = tiny_byte_level({{"A", "A"}, {"AA", "AA"}, {"AAAA", "AAAA"}}).read();
  const std::string text(1'000'000, 'A');
  const std::vector<TextPiece> pieces = t.encode(text);
  REQUIRE(pieces.size() == 125'000);
  CHECK(pieces.back() == TextPiece{258, 999'992, 1'000'000});
}

TEST_CASE("BPE: byte fallback, unknown characters fused, whole words before merges", "[tokenizers]") {
  std::vector<std::string> tokens = {"<unk>", "a", "b", "ab", "abb", "▁"};
  const auto model = [&](const std::string& more) {
    TinyJson json;
    json.model = R"({"type": "BPE", "unk_token": "<unk>", "vocab": )" + vocabulary(tokens) +
                 R"(, "merges": [["a", "b"]])" + more + "}";
    return json;
  };
  CHECK(ids_of(model("").read(), "abxyb") == Ids{3, 0, 0, 2});
  CHECK(ids_of(model(R"(, "fuse_unk": true)").read(), "abxyb") == Ids{3, 0, 2});
  CHECK(spans_of(model(R"(, "fuse_unk": true)").read(), "abxyb") == "0-2 2-4 4-5");
  CHECK(ids_of(model("").read(), "abb") == Ids{3, 2});
  CHECK(ids_of(model(R"(, "ignore_merges": true)").read(), "abb") == Ids{4});
  constexpr const char* kDigits = "0123456789ABCDEF";
  for (int byte = 0; byte < 256; ++byte)
    tokens.push_back(std::string("<0x") + kDigits[byte / 16] + kDigits[byte % 16] + ">");
  TinyJson llama = model(R"(, "byte_fallback": true)");
  llama.normalizer = R"({"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"},
    {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]})";
  llama.decoder = R"({"type": "Sequence", "decoders": [{"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
    {"type": "ByteFallback"}, {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}]})";
  const Tokenizer t = llama.read();
  CHECK(t.kind() == "BPE with byte fallback");
  // € is E2 82 AC.
  CHECK(ids_of(t, "ab €b") == Ids{5, 3, 5, 6 + 0xE2, 6 + 0x82, 6 + 0xAC, 2});
  CHECK(spans_of(t, "ab €b") == "0-0 0-2 2-3 3-4 4-5 5-6 6-7");
  CHECK(t.decode(ids_of(t, "ab €b")) == "ab €b");
  CHECK(t.decode(Ids{3, 6 + 0xE2, 1}) ==
        "ab\xEF\xBF\xBD"
        "a");
}

TEST_CASE("BPE: marks of continued words and of their ends", "[tokenizers]") {
  TinyJson json;
  json.model = R"({"type": "BPE", "end_of_word_suffix": "</w>", "vocab": )" +
               vocabulary({"a", "b", "b</w>", "ab</w>", "a</w>"}) + R"(, "merges": ["a b</w>"]})";
  json.pre_tokenizer = R"({"type": "WhitespaceSplit"})";
  json.decoder = R"({"type": "BPEDecoder", "suffix": "</w>"})";
  const Tokenizer t = json.read();
  CHECK(ids_of(t, "ab aab a") == Ids{3, 0, 3, 4});
  CHECK(t.decode(Ids{3, 0, 3, 4}) == "ab aab a");
  TinyJson marked;
  marked.model = R"({"type": "BPE", "continuing_subword_prefix": "##", "vocab": )" +
                 vocabulary({"a", "##b", "ab", "##c", "abc"}) + R"(, "merges": ["a ##b", "ab ##c"]})";
  CHECK(ids_of(marked.read(), "abc") == Ids{4});
}

TEST_CASE("WordPiece: the longest beginning again and again", "[tokenizers]") {
  // 3 un, 4 ##aff, 5 ##able, 6 a, 7 ##a, 8 ",", 9 cafe
  const Tokenizer t = tiny_word_piece({"un", "##aff", "##able", "a", "##a", ",", "cafe"}).read();
  CHECK(ids_of(t, "Unaffable, a") == Ids{1, 3, 4, 5, 8, 6, 2});
  CHECK(spans_of(t, "Unaffable, a") == "0-0 0-2 2-5 5-9 9-10 11-12 12-12");
  CHECK(ids_of(t, "unafraid a", false) == Ids{0, 6});
  CHECK(spans_of(t, "unafraid a", false) == "0-8 9-10");
  CHECK(ids_of(t, std::string(101, 'a'), false) == Ids{0});
  CHECK(ids_of(t, std::string(100, 'a'), false).size() == 100);
  CHECK(t.decode(ids_of(t, "Unaffable, a")) == "[CLS] unaffable, a [SEP]");
}

TEST_CASE("WordPiece: spans are those of the text before accents, case and spaces were changed", "[tokenizers]") {
  const Tokenizer t = tiny_word_piece({"cafe", "中", "x", "##y", "i"}).read();
  // É is two bytes. A combining acute goes by itself, and no piece stands for it.
  CHECK(ids_of(t, "CAFÉ", false) == Ids{3});
  CHECK(spans_of(t, "CAFÉ x", false) == "0-5 6-7");
  CHECK(spans_of(t, "cafe\xCC\x81 x", false) == "0-4 7-8");
  CHECK(ids_of(t, "x中xy", false) == Ids{5, 4, 5, 6});
  CHECK(spans_of(t, "x中xy", false) == "0-1 1-4 4-5 5-6");
  CHECK(spans_of(t, "\xE2\x80\x8Bx\x01y", false) == "3-4 5-6");  // a space of no width and a control are not there
  CHECK(spans_of(t, "İ", false) == "0-2");
}

TEST_CASE("Unigram: the best way, not the longest pieces", "[tokenizers]") {
  TinyJson json;
  json.model =
      R"({"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0], ["▁", -3], ["ab", -4], ["abc", -5], ["c", -4],
    ["cd", -1], ["d", -9], ["a", -6], ["b", -6]]})";
  json.pre_tokenizer = R"({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true})";
  json.decoder = json.pre_tokenizer;
  const Tokenizer t = json.read();
  CHECK(t.kind() == "Unigram");
  CHECK(ids_of(t, "abcd") == Ids{1, 2, 5});       // ab cd: -5; abc d: -14
  CHECK(ids_of(t, "abc ab") == Ids{1, 3, 1, 2});  // abc: -5; ab c: -8
  CHECK(spans_of(t, "abc ab") == "0-0 0-3 3-4 4-6");
  CHECK(ids_of(t, "abxxc") == Ids{1, 2, 0, 4});  // what is unknown side by side is one
  CHECK(spans_of(t, "abxxc") == "0-0 0-2 2-4 4-5");
  CHECK(t.decode(ids_of(t, "abc ab")) == "abc ab");
}

TEST_CASE("BPE by scores: what two pieces spell decides", "[tokenizers]") {
  TokenTable table;
  table.model = "llama";
  table.tokens = {"<unk>", "<s>", "</s>", "▁", "a", "b", "ab", "▁a", "bb"};
  table.scores = {0, 0, 0, -9, -9, -9, -1, -2, -3};
  table.types = {2, 3, 3, 1, 1, 1, 1, 1, 1};
  table.unknown = 0;
  table.bos = 1;
  table.add_bos = true;
  const Tokenizer t = tokenizer_of(table, "g");
  CHECK(ids_of(t, "ab") == Ids{1, 3, 6});  // ab before ▁a
  CHECK(ids_of(t, "abb b") == Ids{1, 3, 6, 5, 3, 5});
  CHECK(spans_of(t, "abb b") == "0-0 0-0 0-2 2-3 3-4 4-5");
  CHECK(ids_of(t, "xyz") == Ids{1, 3, 0});
  CHECK(t.decode(ids_of(t, "abb b")) == "abb b");
  table.scores[7] = -0.5f;
  CHECK(ids_of(tokenizer_of(table, "g"), "ab", false) == Ids{7, 5});
  table.types[6] = 5;  // made on the way, and taken apart
  table.tokens.push_back("abb");
  table.scores = {0, 0, 0, -9, -9, -9, -1, -2, -3, -4};
  table.types.push_back(1);
  CHECK(ids_of(tokenizer_of(table, "g"), "abb", false) == Ids{3, 9});
  CHECK(ids_of(tokenizer_of(table, "g"), "ab", false) == Ids{3, 4, 5});
}

// One token that no text has, with a space in its middle, keeps a text from being cut at spaces before it is merged.
TEST_CASE("BPE by scores: a long text has the same tokens whether it is cut at spaces first or not", "[tokenizers]") {
  Random random(11);
  const auto below = [&](int end) { return static_cast<int>(random.uniform(0, end)); };
  for (int k = 0; k < 200; ++k) {
    TokenTable table;
    table.model = "llama";
    table.tokens = {"<unk>", "<s>", "</s>", "▁", "a", "b", "c"};
    const auto letter = [&] { return std::string(1, static_cast<char>('a' + below(3))); };
    for (int token = 0; token < 24; ++token) {
      std::string made = below(3) == 0 ? "▁" : "";
      for (int length = 1 + below(4); length > 0; --length) made += letter();
      if (below(12) == 0) made = "▁▁";
      if (std::find(table.tokens.begin(), table.tokens.end(), made) == table.tokens.end()) table.tokens.push_back(made);
    }
    table.unknown = 0, table.bos = 1, table.add_bos = true;
    for (std::size_t id = 0; id < table.tokens.size(); ++id) {
      table.scores.push_back(-static_cast<float>(below(8)));
      table.types.push_back(id == 0 ? 2 : id < 3 ? 3 : 1);
    }
    const Tokenizer apart = tokenizer_of(table, "g");
    table.tokens.push_back("q▁q"), table.scores.push_back(-99), table.types.push_back(1);
    const Tokenizer whole = tokenizer_of(table, "g");
    std::string text;
    for (int word = 0; word < 60; ++word) text += below(3) == 0 ? " " : below(20) == 0 ? "x" : letter();
    for (int word = 0; word < 40; ++word) text += letter() + " " + letter() + letter();
    CAPTURE(text);
    CHECK(ids_of(apart, text) == ids_of(whole, text));
    CHECK(spans_of(apart, text) == spans_of(whole, text));
  }
}

TEST_CASE("WordLevel: a part is a token", "[tokenizers]") {
  TinyJson json;
  json.model = R"({"type": "WordLevel", "unk_token": "?", "vocab": )" + vocabulary({"?", "a", "b"}) + "}";
  json.pre_tokenizer = R"({"type": "Split", "pattern": {"String": ""}, "behavior": "Isolated", "invert": true})";
  CHECK(ids_of(json.read(), "abé") == Ids{1, 2, 0});
  CHECK(spans_of(json.read(), "abé") == "0-1 1-2 2-4");
}

TEST_CASE("tokenizer: an equal one has the same stamp, another one has another", "[tokenizers]") {
  const Tokenizer a = tiny_word_piece({"a", "b"}).read(), same = tiny_word_piece({"a", "b"}).read();
  const Tokenizer other = tiny_word_piece({"a", "c"}).read(), copy = a;
  CHECK(a == same);
  CHECK(copy.stamp() == a.stamp());
  CHECK(a.stamp());
  CHECK_FALSE(a == other);
}
