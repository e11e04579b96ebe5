#include "core/tokenizers/tokenizer_files.h"

#include <filesystem>

#include "core/error.h"
#include "core/files/bounded_file.h"
#include "core/files/printable.h"
#include "core/tokenizers/files/readers.h"

namespace hydra {

namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

std::string read(const fs::path& path) { return read_at_most(kMostTokenizerBytes, path.string()); }

std::string name_of(const fs::path& path) { return printable(path.string(), 200); }

OlderFiles beside(const fs::path& vocabulary) {
  const fs::path config = vocabulary.parent_path() / "tokenizer_config.json";
  return is_there(config) ? OlderFiles{read(config), name_of(config)} : OlderFiles{};
}

// "gpt2-vocab.json" has "gpt2-merges.txt" beside it.
fs::path other_of(const fs::path& file, std::string_view from, std::string_view to, const char* extension) {
  std::string name = file.filename().string();
  const std::size_t at = name.rfind(from);
  if (at == std::string::npos)
    throw InputError(name_of(file) +
                     ": is a list of tokens or merges whose other half is not found by its name; call it " +
                     std::string(from) + ", or name the folder");
  name.replace(at, from.size(), to);
  return (file.parent_path() / name).replace_extension(extension);
}

Tokenizer read_pair(const fs::path& vocabulary, const fs::path& merges) {
  for (const fs::path& path : {vocabulary, merges})
    if (!is_there(path))
      throw InputError(name_of(path) + ": is missing, and " + name_of(path == merges ? vocabulary : merges) +
                       " needs it beside it");
  return read_vocabulary_and_merges(read(vocabulary), name_of(vocabulary), read(merges), name_of(merges),
                                    beside(vocabulary));
}

bool is_merges(std::string_view text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  return line.starts_with("#version") || line.find(' ') != std::string_view::npos;
}

Tokenizer read_file(const fs::path& path) {
  const std::string extension = path.extension().string();
  const std::string bytes = read(path);
  if (extension == ".json") {
    // A vocabulary alone has a number for each key.
    const std::size_t colon = bytes.find(':');
    const std::size_t value = colon == std::string::npos ? colon : bytes.find_first_not_of(" \t\r\n", colon + 1);
    const bool is_vocabulary = path.filename().string().find("vocab") != std::string::npos &&
                               value != std::string::npos && bytes[value] >= '0' && bytes[value] <= '9';
    return is_vocabulary ? read_pair(path, other_of(path, "vocab", "merges", ".txt"))
                         : read_tokenizer_json(bytes, name_of(path));
  }
  if (extension == ".txt" && is_merges(bytes)) return read_pair(other_of(path, "merges", "vocab", ".json"), path);
  if (extension == ".txt") return read_word_list(bytes, name_of(path), beside(path));
  if (extension == ".model") return read_sentencepiece(bytes, name_of(path));
  if (extension == ".bin") return read_llama2c(bytes, name_of(path));
  throw InputError(name_of(path) + ": is no tokenizer by its name; .json, .txt, .model and .bin are known");
}

}  // namespace

Tokenizer read_tokenizer(const std::string& folder_or_file) {
  const fs::path place(folder_or_file);
  std::error_code ignored;
  if (!fs::is_directory(place, ignored)) return read_file(place);
  const auto has = [&](const char* name) { return is_there(place / name); };
  if (has("tokenizer.json")) return read_file(place / "tokenizer.json");
  if (has("vocab.json") || has("merges.txt")) return read_pair(place / "vocab.json", place / "merges.txt");
  for (const char* const name :
       {"tokenizer.model", "spiece.model", "sentencepiece.bpe.model", "vocab.txt", "tokenizer.bin"})
    if (has(name)) return read_file(place / name);
  throw InputError(name_of(place) +
                   ": has no tokenizer; it needs tokenizer.json, or vocab.json and merges.txt, or tokenizer.model, or "
                   "vocab.txt, or tokenizer.bin");
}

}  // namespace hydra
