// Arguments that several commands have.
#pragma once
#include <string>
#include <vector>

#include "core/linalg/types.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace hydra {

CLI::Option* add_out(CLI::App& command, std::string& file,
                     const char* help = "The file to write; - is standard output, the default");
void add_layer(CLI::App& command, int& layer);

// Whole numbers between commas, perhaps with spaces around them. Throws InputError with the option's name and an
// example of what it takes: "a list such as 1,2,4".
std::vector<Index> numbers_of(const std::string& option, const std::string& list, const char* example);

}  // namespace hydra
