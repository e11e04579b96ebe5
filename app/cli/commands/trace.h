// `hydrascope trace`: everything computed from a document, as JSON.
#pragma once
#include <string>
#include <vector>

#include "app/cli/document_options.h"

namespace hydra {

struct TraceOptions : DocumentOptions {
  std::string out = "-";  // "-": standard output
};

// Exit code 0. Throws InputError with the sentence for a bad document or file.
int run_trace(const TraceOptions& options);

}  // namespace hydra
