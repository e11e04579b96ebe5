#include "app/cli/commands/gradients.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/document_options.h"
#include "app/cli/input_note.h"
#include "core/error.h"
#include "core/files/whole_file.h"
#include "core/io/file.h"
#include "core/learn/opened/gradients.h"

namespace hydra {

int run_gradients(const GradientsOptions& options) {
  if (options.loss != "mse") throw InputError("--loss: \"" + options.loss + "\" is none; there is mse");
  const Document document = asked_document(options);
  note_input(document);
  const auto tokens = static_cast<Index>(tokens_of(document).size());
  const Mat<double> target = learn::parse_target(read_whole(options.target), options.target, tokens, document.d_model);
  write_whole(options.out, learn::gradients_text(learn::square_gradients(document, target)) + "\n");
  return 0;
}

CliCommand add_gradients(CLI::App& app) {
  const auto kept = std::make_shared<GradientsOptions>();
  GradientsOptions& options = *kept;
  CLI::App& command =
      *app.add_subcommand("gradients", "Writes the derivatives of a loss by every weight of a document, as JSON");
  add_document(command, options);
  command.add_option("--loss", options.loss, "mse, the default: mean((Y - T)^2) over the last layer's result")
      ->type_name("LOSS");
  command.add_option("--target", options.target, "T: a JSON file of rows of numbers, one for each token")
      ->type_name("FILE")
      ->required();
  add_out(command, options.out);
  return {&command, [kept] { return run_gradients(*kept); }};
}

}  // namespace hydra
