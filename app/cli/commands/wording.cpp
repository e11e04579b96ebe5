#include "app/cli/commands/wording.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/commands.h"
#include "core/files/whole_file.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

Wording read_wording(const std::string& file) { return parse_wording(read_whole(file), file, &shipped_wording()); }

}  // namespace

int run_wording(const WordingOptions& options) {
  write_whole("-", options.file.empty() ? std::string(shipped_wording_file())
                                        : text_of(lacking(read_wording(options.file), shipped_wording())));
  return 0;
}

void speak_by(const std::string& file) { use_wording(read_wording(file)); }

CliCommand add_wording(CLI::App& app) {
  const auto kept = std::make_shared<WordingOptions>();
  CLI::App& command = *app.add_subcommand(
      "wording", "Writes the texts of the interface by their keys, to be put into another language");
  command
      .add_option("FILE", kept->file,
                  "A table in another language: writes the texts that it does not have yet; - is standard input")
      ->type_name("");
  return {&command, [kept] { return run_wording(*kept); }};
}

}  // namespace hydra
