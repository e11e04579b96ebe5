// The documents that ship with the program, as a menu has them (assets/examples.json), and their texts. A page has the
// large ones beside it: what it has fetched is kept.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace hydra {

struct Example {
  std::string file;   // its name in assets/documents
  std::string title;  // in the menu
  std::string shows;  // in a few words
};
struct ExampleGroup {
  std::string name;  // empty: its examples stand in the menu itself
  std::vector<Example> examples;
};

const std::vector<ExampleGroup>& examples();
const Example* find_example(std::string_view file);  // null: none of that name

// From any thread. Empty: there is no such example, or it is not at hand. It stays where it is.
std::string_view example_text(std::string_view file);
// What a page has fetched from beside itself: unless there is no such example, or it is at hand.
void keep_example(const std::string& file, std::string text);

}  // namespace hydra
