#include "core/io/examples.h"

#include <map>
#include <mutex>
#include <nlohmann/json.hpp>

#include "embedded/core_assets.h"

namespace hydra {

namespace {

std::vector<ExampleGroup> parse_examples() {
  std::vector<ExampleGroup> groups;
  for (const auto& group : nlohmann::json::parse(core_assets::find("examples.json"))) {
    ExampleGroup& made = groups.emplace_back(ExampleGroup{group.at("group"), {}});
    for (const auto& example : group.at("documents"))
      made.examples.push_back({example.at("file"), example.at("title"), example.at("shows")});
  }
  return groups;
}

// Nothing is taken out of it, and no more is put in than there are examples.
struct Fetched {
  std::mutex mutex;
  std::map<std::string, std::string, std::less<>> texts;
};
Fetched& fetched() {
  static Fetched all;
  return all;
}

}  // namespace

const std::vector<ExampleGroup>& examples() {
  static const std::vector<ExampleGroup> all = parse_examples();
  return all;
}

const Example* find_example(std::string_view file) {
  for (const ExampleGroup& group : examples())
    for (const Example& example : group.examples)
      if (example.file == file) return &example;
  return nullptr;
}

std::string_view example_text(std::string_view file) {
  if (!find_example(file)) return {};
  if (const std::string_view text = core_assets::find(file); !text.empty()) return text;
  Fetched& all = fetched();
  const std::lock_guard lock(all.mutex);
  const auto found = all.texts.find(file);
  return found == all.texts.end() ? std::string_view() : found->second;
}

void keep_example(const std::string& file, std::string text) {
  if (!find_example(file) || !example_text(file).empty()) return;
  Fetched& all = fetched();
  const std::lock_guard lock(all.mutex);
  all.texts.emplace(file, std::move(text));
}

}  // namespace hydra
