// Marked sentences by name: "shipped", "folder", "all" of both; or files of them, of which a document may be one.
#pragma once
#include <string>
#include <vector>

#include "core/measures/pooled.h"

namespace hydra {

// Throws InputError with the sentence for a bad file. A file of the user's folder that is no marked sentence is named
// on standard error and skipped.
MarkedSentences sentences_of(const std::vector<std::string>& names);

}  // namespace hydra
