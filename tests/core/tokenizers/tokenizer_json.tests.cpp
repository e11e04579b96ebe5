#include <catch2/catch.hpp>

#include "core/error.h"
#include "tests/core/tokenizers/tiny.h"
#include "tests/support/faults.h"

using namespace hydra;
using namespace hydra::test;
using Ids = std::vector<Index>;

namespace {

TinyJson words() { return tiny_word_piece({"a", "b", "hello", "<x>"}); }

std::string added(const std::string& more, const std::string& content = "<x>") {
  return R"([{"id": 6, "content": ")" + content + "\"" + more + "}]";
}

}  // namespace

TEST_CASE("tokenizer.json: added tokens are cut out first, with what is asked of their surroundings", "[tokenizers]") {
  TinyJson json = words();
  json.added = added(R"(, "special": true)");
  CHECK(ids_of(json.read(), "a<x>b", false) == Ids{3, 6, 4});
  CHECK(spans_of(json.read(), "a <x> b", false) == "0-1 2-5 6-7");
  json.added = added(R"(, "special": true, "lstrip": true, "rstrip": true)");
  CHECK(spans_of(json.read(), "a <x>  b", false) == "0-1 1-7 7-8");
  json.added = added(R"(, "special": true, "single_word": true)");
  CHECK(ids_of(json.read(), "a<x>", false) == Ids{3, 0, 0, 0});
  CHECK(ids_of(json.read(), "<x> a", false) == Ids{6, 3});
  // As it is written, or as it is normalised.
  json.added = added(R"(, "normalized": false)", "<x>");
  CHECK(ids_of(json.read(), "<X>", false) == Ids{0, 0, 0});
  json.added = added(R"(, "normalized": true)", "<x>");
  CHECK(ids_of(json.read(), "É<X>", false) == Ids{0, 6});
  CHECK(spans_of(json.read(), "É<X>", false) == "0-2 2-5");
  // The longest of those that begin at one place; ids beyond the vocabulary.
  json.added = R"([{"id": 90, "content": "<y>", "special": true}, {"id": 100, "content": "<y>>", "special": true}])";
  const Tokenizer t = json.read();
  CHECK(ids_of(t, "<y><y>>", false) == Ids{90, 100});
  CHECK(t.size() == 101);
  CHECK(t.has(90));
  CHECK_FALSE(t.has(91));
  CHECK(t.is_special(90));
  CHECK_FALSE(t.is_special(3));
  CHECK(t.spelling(91).empty());
  CHECK(t.find("<y>>") == 100);
  CHECK(t.decode(Ids{3, 90}, false) == "a");
  CHECK_THROWS_WITH(t.decode(Ids{91}), "no token of the tokenizer has the id 91; its ids are below 101");
  CHECK_THROWS_WITH(t.decode(Ids{-1}), Catch::Contains("has the id -1"));
}

TEST_CASE("tokenizer.json: templates in all their forms", "[tokenizers]") {
  TinyJson json = words();
  const std::string specials = R"("special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [1], "tokens": ["[CLS]"]},
    "[SEP]": {"id": "[SEP]", "ids": [2, 2], "tokens": ["[SEP]", "[SEP]"]}})";
  json.post_processor = R"({"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}},
    {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "[SEP]", "type_id": 0}}], "pair": [], )" +
                        specials + "}";
  CHECK(ids_of(json.read(), "a") == Ids{1, 3, 2, 2});
  CHECK(spans_of(json.read(), "a ") == "0-0 0-1 2-2 2-2");
  CHECK(ids_of(json.read(), "a", false) == Ids{3});
  CHECK(ids_of(json.read(), "") == Ids{1, 2, 2});
  json.post_processor = R"({"type": "Sequence", "processors": [{"type": "ByteLevel", "trim_offsets": false},
    {"type": "RobertaProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 1], "trim_offsets": true, "add_prefix_space": true}]})";
  CHECK(ids_of(json.read(), "a") == Ids{1, 3, 2});
  json.post_processor = "null";
  CHECK(ids_of(json.read(), "a") == Ids{3});
}

TEST_CASE("tokenizer.json: decoders", "[tokenizers]") {
  TinyJson json = words();
  json.decoder = "";
  CHECK(json.read().decode(Ids{3, 4}) == "a b");
  json.decoder = R"({"type": "Fuse"})";
  CHECK(json.read().decode(Ids{3, 4}) == "ab");
  json.decoder = R"({"type": "Sequence", "decoders": [{"type": "Replace", "pattern": {"Regex": "l+"}, "content": "L"},
    {"type": "Strip", "content": "h", "start": 1, "stop": 1}]})";
  CHECK(json.read().decode(Ids{5, 3}) == "eLoa");
  json.decoder = R"({"type": "WordPiece", "prefix": "##", "cleanup": false})";
  CHECK(json.read().decode(Ids{3, 5}) == "a hello");
}

TEST_CASE("tokenizer.json: what is not known is refused by its name", "[tokenizers]") {
  const auto fault = [](TinyJson json) { return [json] { json.read(); }; };
  TinyJson json = words();
  json.normalizer = R"({"type": "Sequence", "normalizers": [{"type": "Rot13"}]})";
  CHECK_THROWS_WITH(fault(json)(), fault_at("t.json: /normalizer/normalizers/0", "\"Rot13\", which is not known here"));
  json = words();
  json.normalizer = R"({"type": "Lowercase", "locale": "tr"})";
  CHECK_THROWS_WITH(fault(json)(), fault_at("t.json: /normalizer/locale", "is not known"));
  json = words();
  json.pre_tokenizer = R"({"type": "UnicodeScripts"})";
  CHECK_THROWS_WITH(fault(json)(), fault_at("t.json: /pre_tokenizer", "\"UnicodeScripts\", which is not known here"));
  json.pre_tokenizer = R"({"type": "Split", "pattern": {"Regex": "a("}, "behavior": "Isolated", "invert": false})";
  CHECK_THROWS_WITH(fault(json)(), fault_at("t.json: /pre_tokenizer/pattern/Regex", "is not understood at its byte 2"));
  json.pre_tokenizer = R"({"type": "Split", "pattern": {"Regex": "a"}, "behavior": "Isolate", "invert": false})";
  CHECK_THROWS_WITH(fault(json)(), fault_at("t.json: /pre_tokenizer/behavior", "\"Removed\" or \"Isolated\""));
  json = words();
  json.post_processor = R"({"type": "Other"})";
  CHECK_THROWS_WITH(fault(json)(), fault_at("t.json: /post_processor", "\"Other\", which is not known here"));
  json.post_processor = R"({"type": "BertProcessing", "sep": ["[SEP]", 77], "cls": ["[CLS]", 1]})";
  CHECK_THROWS_WITH(fault(json)(), fault_at("t.json: /post_processor", "the id 77, which no token has"));
  json = words();
  json.decoder = R"({"type": "CTC"})";
  CHECK_THROWS_WITH(fault(json)(), fault_at("t.json: /decoder", "\"CTC\", which is not known here"));
  json.model = R"({"type": "Words", "vocab": {}})";
  json.decoder = "null";
  CHECK_THROWS_WITH(fault(json)(), fault_at("t.json: /model", "BPE, WordPiece, Unigram and WordLevel are known"));
  json.model = "";
  CHECK_THROWS_WITH(fault(json)(), fault_at("t.json: the tokenizer", "has no \"model\""));
  CHECK_THROWS_WITH(read_tokenizer_json(" ", "t.json"), fault_at("t.json", "empty; a tokenizer.json is needed"));
  CHECK_THROWS_WITH(read_tokenizer_json("{\"model\": 3, \"more\": 1}", "t.json"),
                    fault_at("t.json: /more", "is not known"));
}

TEST_CASE("tokenizer.json: vocabularies that cannot be", "[tokenizers]") {
  const auto bpe = [](const std::string& vocab, const std::string& merges, const std::string& more = "") {
    TinyJson json;
    json.model = R"({"type": "BPE", "vocab": )" + vocab + ", \"merges\": " + merges + more + "}";
    return json;
  };
  const std::string abc = vocabulary({"a", "b", "ab"});
  CHECK_THROWS_WITH(bpe(R"({"a": 0, "b": 0})", "[]").read(), fault_at("t.json: /model/vocab", "the same id, 0"));
  CHECK_THROWS_WITH(bpe(R"({"a": 16777216})", "[]").read(), fault_at("t.json: /model/vocab/a", "from 0 to 16777215"));
  CHECK_THROWS_WITH(bpe(R"({"a": -1})", "[]").read(), fault_at("t.json: /model/vocab/a", "not the number -1"));
  CHECK_THROWS_WITH(bpe(R"({"a": 0, "a": 1})", "[]").read(), fault_at("t.json: /model/vocab/a", "given twice"));
  CHECK_THROWS_WITH(bpe("{\"" + std::string(1025, 'a') + "\": 0}", "[]").read(),
                    fault_at("t.json: /model/vocab", "has 1025 bytes; the longest has 1024"));
  CHECK_THROWS_WITH(bpe(abc, R"(["a b", "a c"])").read(),
                    fault_at("t.json: /model/merges", "merge 1", "\"c\" is not in the vocabulary"));
  CHECK_THROWS_WITH(bpe(abc, R"(["b a"])").read(),
                    fault_at("t.json: /model/merges", "merge 0", "\"ba\" is not in the vocabulary"));
  CHECK_THROWS_WITH(bpe(abc, R"(["a b c"])").read(), fault_at("t.json: /model/merges/0", "two tokens"));
  CHECK_THROWS_WITH(bpe(abc, R"([["a"]])").read(), fault_at("t.json: /model/merges/0", "two tokens"));
  CHECK_THROWS_WITH(bpe(abc, "[]", R"(, "unk_token": "?")").read(),
                    fault_at("t.json: /model/unk_token", "not in the vocabulary"));
  CHECK_THROWS_WITH(bpe(abc, "[]", R"(, "dropout": 0.1)").read(), fault_at("t.json: /model/dropout", "by chance"));
  TinyJson json = bpe(abc, "[]");
  json.added = R"([{"id": 1, "content": "c"}])";
  CHECK_THROWS_WITH(json.read(), fault_at("t.json: /added_tokens/0", "the id 1, which is that of \"b\""));
  json.added = R"([{"id": 7, "content": "c"}, {"id": 7, "content": "d"}])";
  CHECK_THROWS_WITH(json.read(), fault_at("t.json: /added_tokens/1", "the id 7, as another"));
  json.model = R"({"type": "Unigram", "unk_id": 5, "vocab": [["a", 0]]})";
  CHECK_THROWS_WITH(json.read(), fault_at("t.json: /model/unk_id", "an id of the vocabulary"));
  json.model = R"({"type": "Unigram", "vocab": [["a"]]})";
  CHECK_THROWS_WITH(json.read(), fault_at("t.json: /model/vocab/0", "[token, score]"));
}

TEST_CASE("tokenizer.json: gaps in ids take no memory, merges in a circle end", "[tokenizers]") {
  TinyJson json;
  json.model = R"({"type": "BPE", "vocab": {"a": 16777215, "b": 5, "ab": 9, "ba": 10, "aba": 11, "bab": 12},
    "merges": ["a b", "b a", "ab a", "b ab", "a b"]})";
  json.decoder = R"({"type": "Fuse"})";
  const Tokenizer t = json.read();
  CHECK(t.size() == 16777216);
  // Of a merge that is there twice the last counts, so that "b a" comes first.
  CHECK(ids_of(t, "abab") == Ids{16777215, 10, 5});
  CHECK(ids_of(t, "baba") == Ids{10, 10});
  CHECK(t.decode(Ids{5, 16777215}) == "ba");
  CHECK(t.has(16777215));
  CHECK_FALSE(t.has(6));
  CHECK(t.spelling(10) == "ba");
}

TEST_CASE("tokenizer.json: a vocabulary of 300,000 is read", "[tokenizers]") {
  std::vector<std::string> tokens;
  for (int k = 0; k < 300'000; ++k) tokens.push_back("t" + std::to_string(k));
  TinyJson json;
  json.model = R"({"type": "WordLevel", "unk_token": "t0", "vocab": )" + vocabulary(tokens) + "}";
  json.pre_tokenizer = R"({"type": "WhitespaceSplit"})";
  CHECK(ids_of(json.read(), "t299999 t17 t300000") == Ids{299'999, 17, 0});
}

TEST_CASE("tokenizer: texts that cannot be are refused", "[tokenizers]") {
  const Tokenizer t = words().read();
  CHECK_THROWS_WITH(t.encode("ab\xFF"), "the text must be UTF-8, and byte 2 of it is not");
  CHECK_THROWS_WITH(t.encode("\xED\xA0\x80"), Catch::Contains("byte 0"));
  CHECK_THROWS_WITH(t.encode(std::string((16u << 20) + 1, 'a')), Catch::Contains("at most 16777216"));
  TinyJson none;
  none.model = R"({"type": "WordLevel", "vocab": {"a": 0}})";
  CHECK_THROWS_WITH(none.read().encode("b"), Catch::Contains("for which the tokenizer has no token"));
}
