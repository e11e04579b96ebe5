// `hydrascope write`: a model goes on with a text, word by word.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/document_options.h"
#include "app/cli/input_note.h"
#include "core/error.h"
#include "core/files/whole_file.h"
#include "core/json/writer.h"
#include "core/writing/writing.h"

namespace hydra {

namespace {

struct WriteOptions : DocumentOptions {
  Index count = 100;
  Choosing choosing;
  std::uint64_t seed = 1;
  bool json = false;
  std::string out = "-";
};

void add_likely(const LikelyWord& word, const NextWords& words, JsonWriter& json) {
  json.string("token", words.name(word.word));
  json.whole("id", word.word);
  json.number("probability", static_cast<double>(word.probability));
  json.number("drawn", static_cast<double>(word.drawn));
}

std::string written_as_json(const Writing& writing) {
  JsonWriter json;
  json.text = "{";
  json.string("text", writing.text());
  json.string("continuation", writing.continuation());
  json.string("ended", writing.end() == WritingEnd::none ? "count" : name_of(writing.end()));
  json.strings("given", writing.given());
  json.key("written").text += '[';
  for (const ChosenWord& token : writing.written()) {
    json.entry().text += "\n{";
    add_likely(token.chosen, writing.words(), json);
    json.key("strongest").text += '[';
    for (const LikelyWord& word : token.strongest) {
      json.entry().text += '{';
      add_likely(word, writing.words(), json);
      json.text += '}';
    }
    json.text += "]}";
  }
  json.text += "]}\n";
  return json.text;
}

int run_write(const WriteOptions& options) {
  if (options.count < 1) throw InputError("--count: at least 1 word must be written");
  check_choosing(options.choosing);
  const Document document = asked_document(options);
  ThreadPool pool(threads_of_the_machine());
  Writing writing(document, options.choosing, options.seed, &pool);
  note_input(document);
  while (std::ssize(writing.written()) < options.count && writing.write()) {
  }
  write_whole(options.out, options.json ? written_as_json(writing) : writing.text() + "\n");
  return 0;
}

}  // namespace

CliCommand add_write(CLI::App& app) {
  const auto kept = std::make_shared<WriteOptions>();
  WriteOptions& options = *kept;
  CLI::App& command = *app.add_subcommand("write", "Lets a model go on with a text, word by word, and prints it");
  add_document(command, options);
  command.add_option("--count", options.count, "So many tokens, by default 100; less where a text ends")
      ->type_name("NUMBER");
  command
      .add_option("--temperature", options.choosing.temperature,
                  "Logits are divided by it before a word is drawn, by default 1; 0 takes the likeliest word")
      ->type_name("NUMBER");
  command.add_option("--top-k", options.choosing.top_k, "Draws among so many of the likeliest words; 0 among all")
      ->type_name("NUMBER");
  command
      .add_option("--top-p", options.choosing.top_p,
                  "Draws among the fewest words that have this much of the probability, by default 1, all")
      ->type_name("NUMBER");
  command.add_option("--seed", options.seed, "The same seed draws the same words, by default 1")->type_name("NUMBER");
  command.add_flag("--json", options.json, "Writes each token with its probability and the strongest others, as JSON");
  add_out(command, options.out);
  return {&command, [kept] { return run_write(*kept); }};
}

}  // namespace hydra
