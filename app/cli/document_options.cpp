#include "app/cli/document_options.h"

#include <CLI/CLI.hpp>

#include "app/cli/arguments.h"
#include "core/checkpoints/open_model.h"
#include "core/error.h"
#include "core/io/file.h"

namespace hydra {

namespace {

// Words of the model by their ids.
std::vector<std::string> words_by_ids(const Document& document, const std::string& list) {
  const Vocabulary& words = document.embedding.vocabulary;
  if (words.size() == 0)
    throw InputError("--token-ids: the document has no table of words, whose rows ids would be; give a --text");
  std::vector<std::string> tokens;
  for (const Index id : numbers_of("--token-ids", list, "a list such as 1,2,4")) {
    if (id < 0 || id >= words.size())
      throw InputError("--token-ids: there is no token " + std::to_string(id) + "; the model has 0 to " +
                       std::to_string(words.size() - 1));
    tokens.push_back(words.word(id));
  }
  return tokens;
}

}  // namespace

void add_document(CLI::App& command, DocumentOptions& options, bool with_text) {
  command
      .add_option("FILE", options.file,
                  "The document (JSON), a link to one, or a model: its folder or its file (safetensors, GGUF, npz, "
                  "PyTorch, llama2.c); - reads standard input; without it the opening document, a trained model")
      ->type_name("");
  command
      .add_option("--set", options.sets,
                  "Overrides a value of the document, may be given again: --set /layers/0/heads=4")
      ->type_name("POINTER=VALUE")
      ->allow_extra_args(false);
  CLI::Option* text = nullptr;
  if (with_text)
    text = command.add_option("--text", options.text, "What it reads, in the place of its sentence")->type_name("TEXT");
  CLI::Option* ids =
      command.add_option("--token-ids", options.token_ids, "The same as the model's ids: --token-ids 1,2,4")
          ->type_name("LIST");
  if (text) ids->excludes(text);
}

Document asked_document(const DocumentOptions& options) {
  Document document = read_document(options.file, options.sets);
  if (options.text) {
    document.sentence = *options.text;
    document.tokens.reset();
  }
  if (options.token_ids) {
    document.tokens = words_by_ids(document, *options.token_ids);
    document.sentence.clear();
    for (const std::string& token : *document.tokens)
      document.sentence += (document.sentence.empty() ? "" : " ") + token;
  }
  if (options.text || options.token_ids) check_document(document);
  return document;
}

std::string file_to_save(const DocumentOptions& options) {
  const bool has_none = options.file == "-" || names_link(options.file) || names_model(options.file);
  return has_none ? "" : options.file;
}

}  // namespace hydra
