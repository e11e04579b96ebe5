// `hydrascope analyze`: what each head does, as JSON.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/cli/document_options.h"
#include "core/analysis/roles/role_label.h"

namespace hydra {

struct AnalyzeOptions : DocumentOptions {
  std::vector<std::string> sentences;  // "all", files of marked sentences; empty: the document's own sentence
  std::string layer = "1";             // counted from 1, or "all"
  std::optional<int> token;            // whose direct effects are told, counted from 1; none: the last
  double threshold = kRoleThreshold;   // below this score a head is "mixed"
  std::string out = "-";               // "-": standard output
};

// Exit code 0. Throws InputError with the sentence for a bad document or file. Of the user's own marked sentences, a
// bad one is named on standard error and skipped.
int run_analyze(const AnalyzeOptions& options);

}  // namespace hydra
