#include "app/cli/trace_command.h"

#include <thread>

#include "app/cli/input_note.h"
#include "app/cli/overflow_note.h"
#include "core/document/evaluate.h"
#include "core/document/file.h"

namespace hydra {

int run_trace(const TraceOptions& options) {
  const Document document = read_document(options.file, options.sets);
  note_input(document);
  ThreadPool pool(threads_of_the_machine());
  const auto trace = evaluate(document, nullptr, &pool);
  OverflowNote().look_at(*trace);
  write_whole(options.out, [&](const Sink& sink) { write_trace(*trace, sink); });
  return 0;
}

}  // namespace hydra
