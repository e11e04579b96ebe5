#include "app/cli/place_options.h"

#include "core/error.h"

namespace hydra {

int layer_index(int number_from_one, const Document& document) {
  const auto layers = static_cast<int>(document.layers.size());
  if (number_from_one < 1 || number_from_one > layers)
    throw InputError("--layer: there is no layer " + std::to_string(number_from_one) + "; the document has " +
                     std::to_string(layers) + ", counted from 1");
  return number_from_one - 1;
}

int head_index(int number_from_one, const Layer& layer) {
  const auto heads = static_cast<int>(layer.heads);
  if (number_from_one < 1 || number_from_one > heads) {
    throw InputError("--head: there is no head " + std::to_string(number_from_one) + "; the document has " +
                     std::to_string(heads) + ", counted from 1");
  }
  return number_from_one - 1;
}

int token_index(std::optional<int> number_from_one, int tokens) {
  const int number = number_from_one.value_or(tokens);
  if (number < 1 || number > tokens)
    throw InputError("--token: there is no token " + std::to_string(number) + "; the sentence has " +
                     std::to_string(tokens) + ", counted from 1");
  return number - 1;
}

namespace {

void add_name(std::string& names, const std::string& name, const char* between = ", ") {
  names += (names.empty() ? "" : between) + name;
}

std::string page_names(ViewId view) {
  std::string names;
  for (const PageEntry& entry : all_pages())
    if (entry.view == view) add_name(names, entry.key);
  return names;
}

}  // namespace

std::string view_names() {
  std::string names;
  for (const ViewEntry& entry : all_views()) add_name(names, entry.key);
  return names;
}

std::string page_names() {
  std::string names;
  for (const ViewEntry& entry : all_views())
    if (const std::string pages = page_names(entry.id); !pages.empty())
      add_name(names, "of " + std::string(entry.key) + ": " + pages, "; ");
  return names;
}

ViewId view_of(const std::string& name) {
  for (const ViewEntry& entry : all_views())
    if (name == entry.key) return entry.id;
  throw InputError("--view: there is no view \"" + name + "\"; choose one of " + view_names());
}

const PageEntry* page_of(const std::string& name, ViewId view) {
  if (name.empty()) return nullptr;
  for (const PageEntry& entry : all_pages())
    if (entry.view == view && name == entry.key) return &entry;
  const std::string names = page_names(view);
  throw InputError("--page: there is no page \"" + name + "\" in this view; " +
                   (names.empty() ? "it has only one" : "choose one of " + names));
}

}  // namespace hydra
