#include "app/cli/commands/trace.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <thread>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/document_options.h"
#include "app/cli/input_note.h"
#include "app/cli/overflow_note.h"
#include "core/document/evaluate.h"
#include "core/io/file.h"

namespace hydra {

int run_trace(const TraceOptions& options) {
  const Document document = asked_document(options);
  note_input(document);
  ThreadPool pool(threads_of_the_machine());
  const auto trace = evaluate(document, nullptr, &pool);
  OverflowNote().look_at(*trace);
  write_whole(options.out, [&](const Sink& sink) { write_trace(*trace, sink); });
  return 0;
}

CliCommand add_trace(CLI::App& app) {
  const auto kept = std::make_shared<TraceOptions>();
  TraceOptions& options = *kept;
  CLI::App& command = *app.add_subcommand("trace", "Writes everything computed from a document, as JSON");
  add_document(command, options);
  add_out(command, options.out);
  return {&command, [kept] { return run_trace(*kept); }};
}

}  // namespace hydra
