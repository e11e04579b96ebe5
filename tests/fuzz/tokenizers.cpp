// Tokenizers: every file is refused with one sentence, or makes of every text tokens that it has, in order, that decode
// to UTF-8; byte-level ones give every text back.
#include "core/error.h"
#include "core/tokenizers/files/readers.h"
#include "core/tokenizers/text/byte_letters.h"
#include "core/tokenizers/token_table.h"
#include "tests/fuzz/json_changes.h"

using namespace hydra;
using fuzz::law;

namespace {

std::string byte_level_base() {
  fuzz::Value json = fuzz::Value::parse(R"({"version": "1.0", "added_tokens": [{"id": 262, "content": "<|end|>",
    "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true}], "normalizer": null,
    "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true},
    "post_processor": {"type": "ByteLevel"}, "decoder": {"type": "ByteLevel"}, "model": {"type": "BPE", "dropout": null,
    "unk_token": null, "vocab": {}, "merges": ["Ġ t", "h e", "Ġt he", ["a", "a"], ["aa", "aa"], "Ã ©"]}})");
  for (int byte = 0; byte < 256; ++byte)
    json["model"]["vocab"][std::string(byte_letter(static_cast<unsigned char>(byte)))] = byte;
  int id = 256;
  for (const char* const made : {"Ġt", "he", "Ġthe", "aa", "aaaa", "Ã©"}) json["model"]["vocab"][made] = id++;
  return json.dump();
}

// Together they have, but for the letters of bytes, every kind of step.
const char* const kBases[] = {
    R"({"added_tokens": [{"id": 2, "content": "[SEP]", "special": true}, {"id": 20, "content": "<b>", "lstrip": true,
  "rstrip": true, "single_word": true, "normalized": true}], "normalizer": {"type": "BertNormalizer", "clean_text": true,
  "handle_chinese_chars": true, "strip_accents": null, "lowercase": true}, "pre_tokenizer": {"type": "BertPreTokenizer"},
  "post_processor": {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}},
  {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "[SEP]", "type_id": 0}}], "pair": [],
  "special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [1], "tokens": ["[CLS]"]}, "[SEP]": {"id": "[SEP]", "ids": [2],
  "tokens": ["[SEP]"]}}}, "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true}, "model": {"type": "WordPiece",
  "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": {"[UNK]": 0, "[CLS]": 1,
  "[SEP]": 2, "the": 3, "a": 4, "##a": 5, "##he": 6, "t": 7, "cafe": 8, "中": 9, "'": 10, "##é": 11}}})",
    R"({"normalizer": {"type": "Sequence", "normalizers": [{"type": "NFKC"}, {"type": "Nmt"}, {"type": "Replace", "pattern":
  {"Regex": " {2,}"}, "content": " "}, {"type": "Strip", "strip_left": true, "strip_right": false}, {"type": "Precompiled",
  "precompiled_charsmap": "BAAAAAAAAABh"}]}, "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme":
  "first", "split": true}, "post_processor": {"type": "RobertaProcessing", "sep": ["</s>", 1], "cls": ["<unk>", 0],
  "trim_offsets": true, "add_prefix_space": true}, "decoder": {"type": "Metaspace", "replacement": "▁", "prepend_scheme":
  "always", "split": true}, "model": {"type": "Unigram", "unk_id": 0, "byte_fallback": false, "vocab": [["<unk>", 0],
  ["</s>", 0], ["▁", -2.5], ["▁the", -3], ["t", -4], ["he", -4], ["a", -3.5], ["aa", -5], ["é", -6], ["日", -7]]}})",
    R"({"added_tokens": [{"id": 0, "content": "<unk>", "special": true}], "normalizer": {"type": "Sequence", "normalizers":
  [{"type": "Prepend", "prepend": "▁"}, {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]}, "pre_tokenizer":
  null, "decoder": {"type": "Sequence", "decoders": [{"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
  {"type": "ByteFallback"}, {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}]}, "model": {"type":
  "BPE", "unk_token": "<unk>", "fuse_unk": true, "byte_fallback": true, "ignore_merges": false, "end_of_word_suffix": null,
  "continuing_subword_prefix": "", "vocab": {"<unk>": 0, "▁": 1, "t": 2, "h": 3, "e": 4, "▁t": 5, "he": 6, "▁the": 7,
  "<0xC3>": 8, "<0xA9>": 9, "a": 10, "aa": 11}, "merges": ["▁ t", "h e", "▁t he", "a a"]}})",
    R"({"normalizer": {"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "StripAccents"}, {"type":
  "Lowercase"}]}, "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "Split", "pattern": {"Regex":
  "\\s+(?!\\S)|\\s+|\\p{N}{1,3}"}, "behavior": "MergedWithPrevious", "invert": false}, {"type": "Punctuation", "behavior":
  "Contiguous"}, {"type": "Digits", "individual_digits": true}, {"type": "Whitespace"}, {"type": "WhitespaceSplit"}, {"type":
  "CharDelimiterSplit", "delimiter": "-"}]}, "post_processor": {"type": "Sequence", "processors": [{"type": "BertProcessing",
  "sep": ["?", 0], "cls": ["a", 1]}]}, "decoder": {"type": "BPEDecoder", "suffix": "</w>"}, "model": {"type": "WordLevel",
  "unk_token": "?", "vocab": {"?": 0, "a": 1, "the": 2, "1": 3, "cafe": 4}}})"};

const std::vector<std::string> kWords = {"type",      "the",
                                         "a",         "aa",
                                         "é",         "e\xCC\x81",
                                         "▁",         "Ġ",
                                         " ",         "##a",
                                         "[UNK]",     "<unk>",
                                         "NFC",       "NFKD",
                                         "Sequence",  "ByteLevel",
                                         "Regex",     "String",
                                         "(a+)+$",    "a*b",
                                         "\\p{L}",    "(?=a)",
                                         "",          "Removed",
                                         "Isolated",  "invert",
                                         "content",   "MergedWithNext",
                                         "BPE",       "Unigram",
                                         "WordPiece", "vocab",
                                         "merges",    "a a",
                                         "<0xE9>",    "normalized",
                                         "id",        "日本",
                                         "ﬁ½",        "\xE1\x84\x80\xE1\x85\xA1",
                                         "İ",         "<b>",
                                         "<|end|>",   "[SEP]",
                                         "\n",        "'s",
                                         "123",       "\\",
                                         "$^",        "x\xF0\x9F\x98\x80"};

std::string text_from(fuzz::Bytes& bytes) {
  std::string text;
  for (int k = bytes.byte() % 24; k > 0; --k) {
    const std::uint8_t choice = bytes.byte();
    if (choice % 8 == 0)
      text += encode(bytes.word() % 0xD800);
    else
      text += kWords[bytes.below(kWords.size())];
    if (choice % 3 == 0) text += ' ';
    if (choice == 255) text = text + text + text + text;
  }
  return text;
}

void check(const Tokenizer& tokenizer, const std::string& text, bool gives_back) {
  std::vector<Index> ids;
  std::size_t begin = 0, end = 0;
  const std::vector<TextPiece> pieces = tokenizer.encode(text);
  for (const TextPiece& piece : pieces) {
    law(tokenizer.has(piece.id), "a piece is a token", text);
    law(piece.begin <= piece.end && piece.end <= text.size(), "a piece stands for bytes of the text", text);
    law(piece.begin >= begin && piece.end >= end, "pieces are in order", text);
    begin = piece.begin;
    end = piece.end;
    law(is_utf8(tokenizer.shown(piece.id)), "what is shown is text", text);
    ids.push_back(piece.id);
  }
  law(tokenizer.encode(text) == pieces, "a text has the same pieces again", text);
  const std::string back = tokenizer.decode(ids);
  law(is_utf8(back), "what is decoded is text", text);
  if (gives_back) law(back == text, "byte-level tokens give the text back", text);
}

Tokenizer tokenizer_from(fuzz::Bytes& bytes, bool& is_byte_level) {
  static const std::string byte_level = byte_level_base();
  const std::size_t kind = bytes.byte() % 16;
  if (kind == 15) {
    return bytes.byte() % 2 == 0 ? read_sentencepiece(bytes.rest(), "f") : read_llama2c(bytes.rest(), "f");
  }
  if (kind == 14) {
    TokenTable table;
    table.model = std::vector<std::string>{"llama", "t5", "bert", "gpt2"}[bytes.below(4)];
    table.pre = "llama-bpe";
    for (int k = bytes.byte() % 32; k > 0; --k) {
      table.tokens.push_back(kWords[bytes.below(kWords.size())]);
      table.scores.push_back(static_cast<float>(bytes.byte() % 16) * -0.5f);
      table.types.push_back(1 + bytes.byte() % 6);
    }
    table.unknown = static_cast<Index>(bytes.byte() % 8) - 1;
    table.add_space_prefix = bytes.byte() % 2 == 0;
    table.remove_extra_spaces = bytes.byte() % 2 == 0;
    return tokenizer_of(table, "f");
  }
  is_byte_level = kind < 2;
  fuzz::Value json = fuzz::Value::parse(kind < 4 ? byte_level.c_str() : kBases[kind % 4]);
  if (!is_byte_level)
    for (int k = bytes.byte() % 6; k > 0; --k) fuzz::change_one(json, bytes, kWords);
  std::string text = json.dump(-1, ' ', false, fuzz::Value::error_handler_t::replace);
  if (!is_byte_level && bytes.byte() % 16 == 0) fuzz::change_bytes(text, bytes);
  return read_tokenizer_json(text, "f");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  std::string text;
  try {
    bool gives_back = false;
    const Tokenizer tokenizer = tokenizer_from(bytes, gives_back);
    for (int k = 0; k < 3; ++k) {
      text = text_from(bytes);
      check(tokenizer, text, gives_back);
    }
    text = bytes.rest();
    check(tokenizer, text, gives_back);
  } catch (const InputError& fault) {
    fuzz::check_refusal(fault.what(), text);
  }
  return 0;
}
