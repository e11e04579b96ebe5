// Arguments that several commands have.
#pragma once
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace hydra {

void add_document(CLI::App& command, std::string& file, std::vector<std::string>& sets);  // FILE and --set
CLI::Option* add_out(CLI::App& command, std::string& file,
                     const char* help = "The file to write; - is standard output, the default");
void add_layer(CLI::App& command, int& layer);

}  // namespace hydra
