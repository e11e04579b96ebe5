#include "tests/core/tokenizers/tiny.h"

#include <catch2/catch.hpp>

#include "core/json/json.h"
#include "core/tokenizers/text/byte_letters.h"

namespace hydra::test {

std::string vocabulary(const std::vector<std::string>& tokens) {
  std::string json = "{";
  for (std::size_t id = 0; id < tokens.size(); ++id) {
    json += id == 0 ? "" : ", ";
    append_string(json, tokens[id]);
    json += ": " + std::to_string(id);
  }
  return json + "}";
}

TinyJson tiny_byte_level(const std::vector<std::pair<std::string, std::string>>& merges) {
  std::vector<std::string> tokens;
  for (int byte = 0; byte < 256; ++byte) tokens.emplace_back(byte_letter(static_cast<unsigned char>(byte)));
  std::string list = "[";
  for (const auto& [left, right] : merges) {
    tokens.push_back(left + right);
    list += list.size() == 1 ? "" : ", ";
    append_string(list, left + " " + right);
  }
  TinyJson json;
  json.model = R"({"type": "BPE", "vocab": )" + vocabulary(tokens) + ", \"merges\": " + list + "]}";
  json.pre_tokenizer = R"({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true})";
  json.decoder = R"({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true})";
  return json;
}

TinyJson tiny_word_piece(const std::vector<std::string>& words) {
  std::vector<std::string> tokens = {"[UNK]", "[CLS]", "[SEP]"};
  tokens.insert(tokens.end(), words.begin(), words.end());
  TinyJson json;
  json.model = R"({"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
    "max_input_chars_per_word": 100, "vocab": )" +
               vocabulary(tokens) + "}";
  json.normalizer = R"({"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
    "strip_accents": null, "lowercase": true})";
  json.pre_tokenizer = R"({"type": "BertPreTokenizer"})";
  json.post_processor = R"({"type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 1]})";
  json.decoder = R"({"type": "WordPiece", "prefix": "##", "cleanup": true})";
  return json;
}

std::string models_folder() {
  const char* const folder = std::getenv("HYDRA_MODELS");
  if (folder == nullptr) WARN("HYDRA_MODELS does not name the folder of published models: not tried");
  return folder == nullptr ? "" : folder;
}

}  // namespace hydra::test
