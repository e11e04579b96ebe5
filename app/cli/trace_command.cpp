#include "app/cli/trace_command.h"

#include <cstdio>
#include <thread>

#include "app/cli/overflow_note.h"
#include "core/document/evaluate.h"
#include "core/document/file.h"

namespace hydra {

namespace {

// On standard error the tokens that have no row in the table that words are read in by.
void note_unknown_words(const Trace& trace) {
  if (!trace.model.lookups.words) return;
  const std::vector<std::string> missing = unknown_in(trace.model.words, trace.tokens);
  if (!missing.empty())
    std::fprintf(stderr, "not in the vocabulary: %s; a vector is drawn from the letters of each\n",
                 listed(missing).c_str());
}

}  // namespace

int run_trace(const TraceOptions& options) {
  const Document document = read_document(options.file, options.sets);
  ThreadPool pool(threads_of_the_machine());
  const auto trace = evaluate(document, nullptr, &pool);
  OverflowNote().look_at(*trace);
  note_unknown_words(*trace);
  write_whole(options.out, [&](const Sink& sink) { write_trace(*trace, sink); });
  return 0;
}

}  // namespace hydra
