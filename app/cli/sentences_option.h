// Marked sentences by name: "all", those that ship and the user's own; or files of them.
#pragma once
#include <string>
#include <vector>

#include "core/measures/pooled.h"

namespace hydra {

// A file of the user's folder that is no marked sentence is named on standard error and skipped.
MarkedSentences all_sentences_noted();
// Throws InputError with the sentence for a bad file.
MarkedSentences sentences_of(const std::vector<std::string>& names);

}  // namespace hydra
