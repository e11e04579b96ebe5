#include "app/cli/commands/play.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/input_note.h"
#include "app/cli/picture_size.h"
#include "app/cli/stage.h"
#include "app/offscreen_frame.h"
#include "app/play.h"
#include "core/error.h"
#include "core/io/file.h"

namespace hydra {

int run_play(const PlayOptions& options) {
  if (options.actions == "-" && options.file == "-")
    throw InputError("play: the document and the list cannot both be standard input");
  const auto [width, height] = picture_size(options.size);
  const std::string name = options.actions == "-" ? "standard input" : options.actions;
  const std::vector<ListedAction> list = parse_actions(read_whole(options.actions), name);
  Document document = read_document(options.file, options.sets);
  note_input(document);

  Stage stage(!options.picture.empty());
  App app(std::move(document), options.file == "-" || names_link(options.file) ? "" : options.file, stage.sink());
  app.set(app.view().still, true);
  play(app, list, {static_cast<float>(width), static_cast<float>(height)});
  const std::string text = document_text(app.history().current());
  const std::string scene = scene_text(app.view());
  if (!options.picture.empty()) write_whole(options.picture, png_bytes(render_frame(app, *stage.drawn, width, height)));
  if (!options.scene.empty()) write_whole(options.scene, scene + '\n');
  write_whole(options.out, text);
  return 0;
}

CliCommand add_play(CLI::App& app) {
  const auto kept = std::make_shared<PlayOptions>();
  PlayOptions& options = *kept;
  CLI::App& command = *app.add_subcommand(
      "play", "Performs a list of actions on a document, without a window, and writes the document");
  command.add_option("FILE", options.file, "The document (JSON), or a link to one; - reads standard input")
      ->type_name("")
      ->required();
  command.add_option("ACTIONS", options.actions, "The list, an action a line; - reads standard input")
      ->type_name("")
      ->required();
  command.add_option("--set", options.sets, "Overrides a value of the document before the list begins")
      ->type_name("POINTER=VALUE")
      ->allow_extra_args(false);
  add_out(command, options.out, "The document to write; - is standard output, the default");
  command.add_option("--scene", options.scene, "Writes where it looks at the end, and what is chosen there, as JSON")
      ->type_name("FILE");
  command.add_option("--picture", options.picture, "Draws the window at the end into a PNG")->type_name("PNG");
  command.add_option("--size", options.size, "Of that window, by default 1600x1000")->type_name("WxH");
  return {&command, [kept] { return run_play(*kept); }};
}

}  // namespace hydra
