#include "app/cli/arguments.h"

#include <CLI/CLI.hpp>

namespace hydra {

void add_document(CLI::App& command, std::string& file, std::vector<std::string>& sets) {
  command
      .add_option("FILE", file,
                  "The document (JSON), or a link to one; - reads standard input; without it the opening document, a "
                  "trained model")
      ->type_name("");
  command.add_option("--set", sets, "Overrides a value of the document, may be given again: --set /layers/0/heads=4")
      ->type_name("POINTER=VALUE")
      ->allow_extra_args(false);
}

CLI::Option* add_out(CLI::App& command, std::string& file, const char* help) {
  return command.add_option("--out", file, help)->type_name("FILE")->check([](const std::string& name) {
    return name.empty() ? "the file to write needs a name" : "";
  });
}

void add_layer(CLI::App& command, int& layer) {
  command.add_option("--layer", layer, "The layer it is about, counted from 1, by default the first")
      ->type_name("NUMBER");
}

}  // namespace hydra
