#include "app/cli/arguments.h"

#include <CLI/CLI.hpp>
#include <charconv>

#include "core/error.h"

namespace hydra {

CLI::Option* add_out(CLI::App& command, std::string& file, const char* help) {
  return command.add_option("--out", file, help)->type_name("FILE")->check([](const std::string& name) {
    return name.empty() ? "the file to write needs a name" : "";
  });
}

void add_layer(CLI::App& command, int& layer) {
  command.add_option("--layer", layer, "The layer it is about, counted from 1, by default the first")
      ->type_name("NUMBER");
}

std::vector<Index> numbers_of(const std::string& option, const std::string& list, const char* example) {
  std::vector<Index> numbers;
  for (std::size_t from = 0, comma = 0; comma != std::string::npos; from = comma + 1) {
    comma = list.find(',', from);
    std::string text = list.substr(from, comma - from);
    text.erase(text.find_last_not_of(' ') + 1);
    text.erase(0, text.find_first_not_of(' '));
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), numbers.emplace_back());
    if (fault != std::errc() || end != text.data() + text.size())
      throw InputError(option + ": \"" + text + "\" is not a whole number; give " + example);
  }
  return numbers;
}

}  // namespace hydra
