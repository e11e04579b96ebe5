#include <catch2/catch.hpp>

#include <bit>
#include <filesystem>
#include <fstream>

#include "core/error.h"
#include "core/tokenizers/text/byte_letters.h"
#include "core/tokenizers/token_table.h"
#include "tests/core/tokenizers/tiny.h"
#include "tests/support/faults.h"
#include "tests/support/folder.h"

using namespace hydra;
using namespace hydra::test;
using Ids = std::vector<Index>;

namespace {

void put(const std::string& path, std::string_view bytes) { std::ofstream(path, std::ios::binary) << bytes; }

std::string little(std::uint32_t value) {
  std::string bytes;
  for (int k = 0; k < 4; ++k) bytes += static_cast<char>(value >> (8 * k) & 0xFF);
  return bytes;
}

// --- protocol buffers

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}
std::string bytes_field(std::uint64_t number, const std::string& bytes) {
  return varint(number << 3 | 2) + varint(bytes.size()) + bytes;
}
std::string whole_field(std::uint64_t number, std::uint64_t value) { return varint(number << 3) + varint(value); }
std::string real_field(std::uint64_t number, float value) {
  return varint(number << 3 | 5) + little(std::bit_cast<std::uint32_t>(value));
}
std::string piece(const std::string& text, float score, int type = 1) {
  return bytes_field(1, bytes_field(1, text) + real_field(2, score) + whole_field(3, static_cast<std::uint64_t>(type)));
}

std::string unigram_model() {
  return piece("<unk>", 0, 2) + piece("<s>", 0, 3) + piece("▁", -3) + piece("ab", -4) + piece("abc", -5) +
         piece("c", -4) + piece("cd", -1) + piece("!!", 0, 4) + bytes_field(2, whole_field(3, 1)) +
         bytes_field(3, bytes_field(1, "identity"));
}

// --- llama2.c

std::string llama2c_token(const std::string& text, float score) {
  return little(std::bit_cast<std::uint32_t>(score)) + little(static_cast<std::uint32_t>(text.size())) + text;
}
std::string llama2c_file() {
  std::string bytes =
      little(6) + llama2c_token("<unk>", 0) + llama2c_token("\n<s>\n", 0) + llama2c_token("\n</s>\n", 0);
  constexpr const char* kDigits = "0123456789ABCDEF";
  for (int byte = 0; byte < 256; ++byte)
    bytes += llama2c_token(std::string("<0x") + kDigits[byte / 16] + kDigits[byte % 16] + ">", 0);
  for (const auto& [text, score] :
       std::vector<std::pair<std::string, float>>{{" ", -4}, {"a", -4}, {"b", -4}, {" a", -2}, {"ab", -1}})
    bytes += llama2c_token(text, score);
  return bytes;
}

}  // namespace

TEST_CASE("SentencePiece: a model of a few pieces", "[tokenizers]") {
  const Tokenizer t = read_sentencepiece(unigram_model(), "m");
  CHECK(t.kind() == "Unigram");
  CHECK(ids_of(t, "abcd") == Ids{2, 3, 6});
  CHECK(ids_of(t, "  abc   ab ") == Ids{2, 4, 2, 3});
  CHECK(spans_of(t, "  abc   ab ") == "2-2 2-5 5-6 8-10");
  CHECK(ids_of(t, "ab!!xyab") == Ids{2, 3, 7, 0, 3});
  CHECK(t.decode(Ids{1, 2, 3, 2, 0, 6}) == "ab  ⁇ cd");
  CHECK(t.shown(2) == "▁");
  CHECK(t.is_special(1));
}

TEST_CASE("SentencePiece: what is no model is refused", "[tokenizers]") {
  const auto fault = [](const std::string& bytes) { return [bytes] { read_sentencepiece(bytes, "m"); }; };
  CHECK_THROWS_WITH(fault("")(), fault_at("m", "has no pieces"));
  CHECK_THROWS_WITH(fault(unigram_model() + "\x0A")(), fault_at("m", "is the last, where 1 more are needed"));
  CHECK_THROWS_WITH(fault("\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01")(), fault_at("m", "more are needed"));
  CHECK_THROWS_WITH(fault(std::string(11, '\xFF'))(), fault_at("m", "more than 64 bits"));
  CHECK_THROWS_WITH(fault("\x0B")(), fault_at("m", "of a kind that SentencePiece does not write"));
  CHECK_THROWS_WITH(fault(piece("a", 0, 9))(), fault_at("m", "whose type is 9, not 1 to 6"));
  CHECK_THROWS_WITH(fault(piece("", 0))(), fault_at("m", "piece 0, which has no text"));
  CHECK_THROWS_WITH(fault(piece("\xFF", 0))(), fault_at("m", "ends a text that is none"));
  CHECK_THROWS_WITH(fault(piece("a", 0, 2) + piece("b", 0, 2))(), fault_at("m", "are both the unknown one"));
  CHECK_THROWS_WITH(fault(piece("a", std::bit_cast<float>(0x7FC00000u)))(), fault_at("m", "is no number"));
  CHECK_THROWS_WITH(fault(piece("a", 0) + bytes_field(2, whole_field(3, 3)))(), fault_at("m", "model type WORD"));
  CHECK_THROWS_WITH(fault(piece("a", 0) + bytes_field(3, bytes_field(2, "abc")))(),
                    fault_at("m", "the table of characters"));
}

TEST_CASE("llama2.c: tokenizer.bin", "[tokenizers]") {
  const Tokenizer t = read_llama2c(llama2c_file(), "t.bin");
  CHECK(t.size() == 264);
  CHECK(ids_of(t, "ab a") == Ids{1, 259, 263, 262});  // "ab" before " a"
  CHECK(ids_of(t, "é", false) == Ids{259, 3 + 0xC3, 3 + 0xA9});
  CHECK(spans_of(t, "é", false) == "0-0 0-1 1-2");
  CHECK(t.decode(ids_of(t, "ab aé")) == "ab aé");
  CHECK(t.spelling(1) == "<s>");
  CHECK(t.shown(262) == "▁a");
  const auto fault = [](const std::string& bytes) { return [bytes] { read_llama2c(bytes, "t.bin"); }; };
  CHECK_THROWS_WITH(fault("ab")(), fault_at("t.bin", "byte 2 is its end"));
  CHECK_THROWS_WITH(fault(llama2c_file() + "abc")(), fault_at("t.bin", "begins a token without a score and a size"));
  CHECK_THROWS_WITH(fault(little(9) + little(0) + little(0xFFFFFFFF))(),
                    fault_at("t.bin", "the size of a token, 4294967295"));
  CHECK_THROWS_WITH(fault(llama2c_file().substr(0, 100))(), fault_at("t.bin", "byte"));
  CHECK_THROWS_WITH(fault(little(9) + llama2c_token("<unk>", 0))(), fault_at("t.bin", "has not all bytes as tokens"));
  CHECK_THROWS_WITH(fault(llama2c_file() + llama2c_token("\xFF", 0))(),
                    fault_at("t.bin", "token 264, which is no text"));
}

TEST_CASE("token table: what cannot be is refused", "[tokenizers]") {
  TokenTable table;
  table.model = "gpt2";
  table.pre = "gpt-2";
  for (int byte = 0; byte < 256; ++byte) table.tokens.emplace_back(byte_letter(static_cast<unsigned char>(byte)));
  table.tokens.insert(table.tokens.end(), {"ab", "<|end|>"});
  table.merges = {"a b"};
  table.types.assign(258, 1);
  table.types[257] = 3;
  table.eos = 257;
  table.add_eos = true;
  const Tokenizer t = tokenizer_of(table, "g");
  CHECK(ids_of(t, "ab<|end|> a") == Ids{256, 257, ' ', 'a', 257});
  const auto fault = [&](const auto& change) {
    TokenTable changed = table;
    change(changed);
    return [changed] { tokenizer_of(changed, "g"); };
  };
  CHECK_THROWS_WITH(fault([](TokenTable& c) { c.tokens.clear(); })(), fault_at("g", "has no tokens"));
  CHECK_THROWS_WITH(fault([](TokenTable& c) { c.model = "rwkv"; })(),
                    fault_at("g", "llama, gpt2, bert and t5 are known"));
  CHECK_THROWS_WITH(fault([](TokenTable& c) { c.pre = "other"; })(),
                    fault_at("g", "\"other\" does, which is not known here"));
  CHECK_THROWS_WITH(fault([](TokenTable& c) { c.merges = {"ab"}; })(),
                    fault_at("g", "merge 0", "a space between them"));
  CHECK_THROWS_WITH(fault([](TokenTable& c) { c.merges = {"b a"}; })(),
                    fault_at("g", "merge 0", "not in the vocabulary"));
  CHECK_THROWS_WITH(fault([](TokenTable& c) { c.types.pop_back(); })(), fault_at("g", "258 tokens and 257 types"));
  CHECK_THROWS_WITH(fault([](TokenTable& c) { c.types[0] = 7; })(), fault_at("g", "the types are 1 to 6"));
  CHECK_THROWS_WITH(fault([](TokenTable& c) { c.eos = 258; })(), fault_at("g", "the last one is 257"));
  CHECK_THROWS_WITH(fault([](TokenTable& c) { c.tokens[0] = "\xFF"; })(), fault_at("g", "token 0 is no UTF-8 text"));
  CHECK_THROWS_WITH(fault([](TokenTable& c) { c.model = "llama"; })(), fault_at("g", "has no scores"));
}

TEST_CASE("read_tokenizer: which files a folder has is found, and what is missing is named", "[tokenizers]") {
  const Folder folder;
  const std::string place = folder.path.string();
  CHECK_THROWS_WITH(read_tokenizer(place), Catch::Contains("has no tokenizer; it needs tokenizer.json, or vocab.json"));
  put(folder.file("tokenizer.bin"), llama2c_file());
  CHECK(read_tokenizer(place).size() == 264);
  put(folder.file("vocab.txt"), "[UNK]\r\n[CLS]\r\n[SEP]\r\nab\r\n##c\r\n");
  CHECK(ids_of(read_tokenizer(place), "ABC") == Ids{1, 3, 4, 2});
  put(folder.file("tokenizer_config.json"), R"({"do_lower_case": false, "other": [1]})");
  CHECK(ids_of(read_tokenizer(place), "ABC abc") == Ids{1, 0, 3, 4, 2});
  put(folder.file("tokenizer.model"), unigram_model());
  CHECK(read_tokenizer(place).kind() == "Unigram");
  put(folder.file("merges.txt"), "#version: 0.2\na b\n");
  CHECK_THROWS_WITH(read_tokenizer(place), Catch::Contains("vocab.json: is missing"));
  put(folder.file("vocab.json"), vocabulary({"a", "b", "ab", "<s>", "</s>"}));
  CHECK(ids_of(read_tokenizer(place), "ab<s>") == Ids{2, 3});
  put(folder.file("tokenizer_config.json"), R"({"tokenizer_class": "RobertaTokenizer"})");
  CHECK(ids_of(read_tokenizer(place), "ab") == Ids{3, 2, 4});
  CHECK(read_tokenizer(folder.file("merges.txt")) == read_tokenizer(folder.file("vocab.json")));
  put(folder.file("merges.txt"), "#version: 0.2\na b\nab\n");
  CHECK_THROWS_WITH(read_tokenizer(place), Catch::Contains("merges.txt: line 3 is \"ab\""));
  put(folder.file("merges.txt"), "#version: 0.2\na b\n\nb c\n");
  CHECK_THROWS_WITH(read_tokenizer(place), Catch::Contains("merges.txt: line 4 joins"));
  put(folder.file("tokenizer.json"), tiny_word_piece({"a"}).text());
  CHECK(ids_of(read_tokenizer(place), "a") == Ids{1, 3, 2});
  CHECK_THROWS_WITH(read_tokenizer(folder.file("gone.json")), Catch::Contains("gone.json: cannot be read"));
  put(folder.file("tokenizer.dat"), "");
  CHECK_THROWS_WITH(read_tokenizer(folder.file("tokenizer.dat")),
                    Catch::Contains(".json, .txt, .model and .bin are known"));
  put(folder.file("words.txt"), "a\nb\n");
  CHECK_THROWS_WITH(read_tokenizer(folder.file("words.txt")),
                    Catch::Contains("words.txt: the unknown token is \"[UNK]\""));
}
