// `hydrascope trace`: everything computed from a document, as JSON.
#pragma once
#include <string>
#include <vector>

namespace hydra {

struct TraceOptions {
  std::string file;               // empty: the opening document; "-": standard input
  std::vector<std::string> sets;  // --set /layers/0/heads=4
  std::string out = "-";          // "-": standard output
};

// Exit code 0. Throws InputError with the sentence for a bad document or file.
int run_trace(const TraceOptions& options);

}  // namespace hydra
