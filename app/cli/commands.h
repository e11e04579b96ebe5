// The commands of the command line, each a file of app/cli/commands, with a header where others ask for it as well.
#pragma once
#include <functional>

namespace CLI {
class App;
}  // namespace CLI

namespace hydra {

struct CliCommand {
  CLI::App* of;  // by which it is known that it was asked for
  std::function<int()>
      run;  // when its arguments have been read. Exit code 0. Throws InputError, and writes nothing then
};

CliCommand add_info(CLI::App& app);
CliCommand add_trace(CLI::App& app);
CliCommand add_analyze(CLI::App& app);
CliCommand add_answer(CLI::App& app);
CliCommand add_write(CLI::App& app);
CliCommand add_export(CLI::App& app);
CliCommand add_sweep(CLI::App& app);
CliCommand add_render(CLI::App& app);
CliCommand add_play(CLI::App& app);
CliCommand add_train(CLI::App& app);
CliCommand add_gradients(CLI::App& app);
CliCommand add_fit(CLI::App& app);
CliCommand add_link(CLI::App& app);
CliCommand add_measure(CLI::App& app);
CliCommand add_wording(CLI::App& app);

inline constexpr CliCommand (*kCliCommands[])(CLI::App&) = {  // in the order of the help
    add_info, add_trace, add_analyze,   add_answer, add_write, add_export,  add_sweep,  add_render,
    add_play, add_train, add_gradients, add_fit,    add_link,  add_measure, add_wording};

}  // namespace hydra
