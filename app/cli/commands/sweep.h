// `hydrascope sweep`: a document cut into several head counts, measured, as JSON.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/cli/document_options.h"

namespace hydra {

struct SweepOptions : DocumentOptions {
  std::optional<std::string> heads;  // "1,2,4"; none: 1, 2, 4, ... and d_model
  int layer = 1;                     // that is swept, counted from 1
  int head = 1;                      // whose singular values are written, counted from 1
  std::optional<int> seeds;          // over how many the numbers are spread; none: as many as suit (sweep_seeds.h)
  std::string out = "-";             // "-": standard output
};

// Exit code 0. Throws InputError with the sentence for a bad document, head count or file. Shows its progress on
// standard error when that is a terminal.
int run_sweep(const SweepOptions& options);

}  // namespace hydra
