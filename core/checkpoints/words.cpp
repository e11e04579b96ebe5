#include "core/checkpoints/words.h"

#include <unordered_set>

#include "core/files/utf8.h"
#include "core/tokenizers/token_table.h"

namespace hydra {

namespace {

std::vector<std::string> texts_of(const TensorFile& file, const char* key) {
  std::vector<std::string> texts;
  if (const MetaValue* value = file.meta(key))
    if (const auto* list = std::get_if<std::vector<std::string_view>>(value)) texts.assign(list->begin(), list->end());
  return texts;
}

Index id_of(const TensorFile& file, const char* key) { return file.whole(key).value_or(-1); }

bool is_set(const TensorFile& file, const char* key, bool otherwise) {
  const MetaValue* value = file.meta(key);
  const bool* flag = value ? std::get_if<bool>(value) : nullptr;
  return flag ? *flag : otherwise;
}

}  // namespace

std::vector<std::string> words_by_id(const Tokenizer* tokenizer, Index count) {
  std::vector<std::string> words;
  std::unordered_set<std::string> taken;
  for (Index id = 0; id < count; ++id) {
    std::string word = tokenizer && id < tokenizer->size() && tokenizer->has(id) ? tokenizer->shown(id) : "";
    if (word.empty() || !is_plain_text(word) || taken.contains(word))
      word = tokenizer ? "<" + std::to_string(id) + ">" : std::to_string(id);
    while (taken.contains(word)) word += "'";
    taken.insert(word);
    words.push_back(std::move(word));
  }
  return words;
}

Tokenizer tokenizer_in(const TensorFile& file) {
  TokenTable table;
  const auto text = [&](const char* key) { return std::string(file.text(key).value_or("")); };
  table.model = text("tokenizer.ggml.model"), table.pre = text("tokenizer.ggml.pre");
  table.tokens = texts_of(file, "tokenizer.ggml.tokens"), table.merges = texts_of(file, "tokenizer.ggml.merges");
  if (const MetaValue* scores = file.meta("tokenizer.ggml.scores"))
    if (const auto* numbers = std::get_if<std::vector<double>>(scores))
      for (const double score : *numbers) table.scores.push_back(static_cast<float>(score));
  if (const MetaValue* types = file.meta("tokenizer.ggml.token_type"))
    if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(types))
      for (const std::int64_t type : *numbers) table.types.push_back(static_cast<std::int32_t>(type));
  table.bos = id_of(file, "tokenizer.ggml.bos_token_id"), table.eos = id_of(file, "tokenizer.ggml.eos_token_id");
  table.unknown = id_of(file, "tokenizer.ggml.unknown_token_id");
  table.separator = id_of(file, "tokenizer.ggml.seperator_token_id");  // as the format spells it
  const bool scored = table.model == "llama" || table.model == "t5";
  table.add_bos = is_set(file, "tokenizer.ggml.add_bos_token", table.model == "llama" || table.model == "bert");
  table.add_eos = is_set(file, "tokenizer.ggml.add_eos_token", table.model == "bert" || table.model == "t5");
  table.add_space_prefix = is_set(file, "tokenizer.ggml.add_space_prefix", scored);
  table.remove_extra_spaces = is_set(file, "tokenizer.ggml.remove_extra_whitespaces", false);
  return tokenizer_of(table, file.name);
}

}  // namespace hydra
