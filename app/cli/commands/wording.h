// `hydrascope wording`: the texts of the interface, to be put into another language.
#pragma once
#include <string>

namespace hydra {

struct WordingOptions {
  std::string file;  // a table in another language; empty: none yet
};

// Writes the whole English table, or, for a file, the texts that it does not have yet. Exit code 0. Throws InputError
// with the sentence.
int run_wording(const WordingOptions& options);

// From now on the interface speaks by the table in the file. Throws InputError with the sentence.
void speak_by(const std::string& file);

}  // namespace hydra
