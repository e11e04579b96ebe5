#include "core/checkpoints/layouts/array_groups.h"

#include <map>
#include <set>

namespace hydra {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Of a name: each beginning that is followed by a number.
std::vector<std::pair<std::string, Index>> numbered_beginnings(const std::string& name) {
  std::vector<std::pair<std::string, Index>> found;
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (!is_digit(name[at]) || (at > 0 && is_digit(name[at - 1]))) continue;
    std::size_t end = at;
    while (end < name.size() && is_digit(name[end])) ++end;
    if (end - at < 4) found.emplace_back(name.substr(0, at), std::stoll(name.substr(at, end - at)));
  }
  return found;
}

// What stands before the number of the layer; nothing: no layers are numbered.
std::string layers_beginning(const TensorFile& file) {
  struct Counted {
    std::size_t arrays = 0;
    std::set<Index> numbers;
  };
  std::map<std::string, Counted> counted;
  for (const Tensor& tensor : file.tensors)
    for (const auto& [before, number] : numbered_beginnings(tensor.name))
      ++counted[before].arrays, counted[before].numbers.insert(number);
  std::string best;
  std::size_t most = 0;
  for (const auto& [before, count] : counted) {
    const bool from_0 = *count.numbers.begin() == 0 && *count.numbers.rbegin() + 1 == std::ssize(count.numbers);
    if (from_0 && count.arrays > most) best = before, most = count.arrays;
  }
  return most > 1 ? best : "";
}

}  // namespace

std::vector<ArrayGroup> array_groups(const TensorFile& file) {
  const std::string before = layers_beginning(file);
  std::vector<ArrayGroup> groups;
  std::map<std::string, std::size_t> places;
  for (const Tensor& tensor : file.tensors) {
    std::string name = tensor.name;
    std::size_t end = before.size();
    while (end < name.size() && is_digit(name[end])) ++end;
    const bool of_layer =
        name.starts_with(before) && end > before.size() && !(before.empty() && groups.empty() && !is_digit(name[0]));
    if (of_layer) name.replace(before.size(), end - before.size(), "*");
    const auto [at, is_new] = places.emplace(name, groups.size());
    if (is_new) groups.push_back({name, of_layer, &tensor});
    ArrayGroup& group = groups[at->second];
    group.arrays.push_back(tensor.name);
    if (of_layer && tensor.name == before + "0" + name.substr(before.size() + 1)) group.first = &tensor;
  }
  return groups;
}

}  // namespace hydra
