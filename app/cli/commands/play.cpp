// `hydrascope play`: a list of actions, performed without a window, and what there is after it.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/document_options.h"
#include "app/cli/input_note.h"
#include "app/cli/picture_size.h"
#include "app/cli/stage.h"
#include "app/offscreen_frame.h"
#include "app/play.h"
#include "core/error.h"
#include "core/io/file.h"

namespace hydra {

namespace {

struct PlayOptions : DocumentOptions {
  std::string actions;    // the list; "-": standard input
  std::string out = "-";  // the document after it
  std::string scene;      // where it looks after it, as JSON; empty: not written
  std::string picture;    // a PNG of it; empty: none
  std::string size = "1600x1000";
};

// Exit code 0. Throws InputError with the sentence, and its line where one of the list is refused; then nothing is
// written. The same document and list give the same bytes.
int run_play(const PlayOptions& options) {
  if (options.actions == "-" && options.file == "-")
    throw InputError("play: the document and the list cannot both be standard input");
  const auto [width, height] = picture_size(options.size);
  const std::string name = options.actions == "-" ? "standard input" : options.actions;
  const std::vector<ListedAction> list = parse_actions(read_whole(options.actions), name);
  Document document = asked_document(options);
  note_input(document);

  Stage stage(!options.picture.empty());
  App app(std::move(document), file_to_save(options), stage.sink());
  app.set(app.view().still, true);
  play(app, list, {static_cast<float>(width), static_cast<float>(height)});
  const std::string text = document_text(app.history().current());
  const std::string scene = scene_text(app.view());
  if (!options.picture.empty()) write_whole(options.picture, png_bytes(render_frame(app, *stage.drawn, width, height)));
  if (!options.scene.empty()) write_whole(options.scene, scene + '\n');
  write_whole(options.out, text);
  return 0;
}

}  // namespace

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
