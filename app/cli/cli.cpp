#include "app/cli/cli.h"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "app/cli/commands.h"
#include "app/cli/commands/wording.h"
#include "app/window_main.h"
#include "core/error.h"
#include "core/files/printable.h"
#include "core/io/file.h"
#include "core/linalg/kernels/kernels.h"

namespace hydra {

namespace {

constexpr int kDone = 0, kOurFault = 1, kWrongInput = 2;

struct Options {
  std::string file, wording;
  bool list_commands = false;
  std::vector<CliCommand> commands;
};

// The first line has the name and the version alone.
std::string version_text(const About& about) {
  return std::string("hydrascope ") + about.version + "\ncommit " + about.commit + "\nbuild " + about.build +
         "\nlibraries " + about.libraries + "\nkernels " + kernels::chosen().name;
}

void describe(CLI::App& app, Options& options, const About& about) {
  app.name("hydrascope");
  app.description("A laboratory for multi-head attention. Without a command it opens its window.");
  app.footer("Exit codes: 0 done, 2 the input was wrong (one sentence says where), 1 a fault of the program.");
  app.set_version_flag("--version", [&about] { return version_text(about); });
  app.require_subcommand(0, 1);
  app.add_option("FILE", options.file,
                 "The document (JSON) to open, or a link to one; without it the opening document, a trained model")
      ->type_name("");
  app.add_option("--wording", options.wording,
                 "A table of the interface's texts in another language (hydrascope wording writes the English one)")
      ->type_name("FILE")
      ->envname("HYDRASCOPE_WORDING");
  app.add_flag("--commands", options.list_commands, "The names of the commands, for scripts/run")->group("");
  for (const auto add : kCliCommands) options.commands.push_back(add(app));
}

// All that opens no window, one a line.
int list_commands(const CLI::App& app) {
  errno = 0;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    std::cout << command->get_name() << '\n';
  return kDone;
}

// What was printed since errno was 0 has arrived: a full disk shows when the buffer is written.
void check_printed() {
  if (!std::cout.flush())
    throw InputError(std::string("standard output: cannot be written") + (errno != 0 ? ": " : "") +
                     (errno != 0 ? std::strerror(errno) : ""));
}

// A file that a command writes has a folder, and is none that it reads, or writes next to: said before an hour goes by.
void check_output(const CLI::App& command, const std::string& name) {
  const CLI::Option* out = command.get_option_no_throw(name);
  if (out == nullptr || out->empty()) return;
  const std::string& path = out->results().back();
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored))
    throw InputError(name + ": there is no folder " + printable(folder.string(), 200) + " to write " +
                     printable(std::filesystem::path(path).filename().string(), 200) + " into");
  const bool is_there = std::filesystem::is_regular_file(path, ignored);
  for (const CLI::Option* option : command.get_options())
    for (const std::string& other : option->results())
      if (option != out && (is_there ? std::filesystem::equivalent(path, other, ignored)
                                     : option->check_name("--out") && other == path && path != "-"))
        throw InputError(name + ": " + printable(path, 200) +
                         " is another file of this command as well; give it another name");
}

void check_outputs(const CLI::App* command) {
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  for (const char* name : {"--out", "--save", "--scene", "--picture"}) check_output(*command, name);
}

int run(CLI::App& app, const Options& options) {
  if (!app.get_subcommands().empty() && !options.file.empty())
    throw InputError(options.file + ": the document stands after the command, as in hydrascope trace FILE");
  if (options.list_commands) return list_commands(app);
  check_outputs(&app);
  if (!options.wording.empty()) speak_by(options.wording);
  for (const CliCommand& command : options.commands)
    if (command.of->parsed()) return command.run();
  return run_window(options.file);
}

int say(int code, const std::string& sentence) {
  std::fprintf(stderr, "%s\n", sentence.c_str());
  return code;
}

}  // namespace

int run_cli(int argc, char** argv, const About& about) {
  CLI::App app;
  Options options;
  try {
    describe(app, options, about);
    int code = kDone;
    try {
      app.parse(argc, argv);
      code = run(app, options);
    } catch (const CLI::Success& asked) {  // --help, --version
      errno = 0;
      app.exit(asked);
    }
    check_printed();
    return code;
  } catch (const CLI::ParseError& fault) {
    return say(kWrongInput, std::string(fault.what()) + "; hydrascope --help shows what is possible");
  } catch (const MissingModel& fault) {
    return say(kWrongInput, std::string(fault.what()) + ": --set /model/folder=PATH");
  } catch (const InputError& fault) {
    return say(kWrongInput, fault.what());
  } catch (const std::exception& fault) {
    return say(kOurFault, std::string("hydrascope failed: ") + fault.what());
  }
}

}  // namespace hydra
