// Which arrays of a file may stand for a place, by their shapes and names.
#include <algorithm>

#include "core/checkpoints/layouts/name_hints.h"
#include "core/checkpoints/layouts/suggested_layout.h"

namespace hydra {

namespace {

bool fits(Quantity parameter, const Tensor& tensor, const ArrayPart& part, const PartShape& wants) {
  if (tensor.shape.size() > 3 || (wants.rows == 0 && wants.cols == 0)) return false;
  const PartShape has = shape_of(parameter, tensor, part);
  const bool row = is_bias(parameter), is_row = tensor.shape.size() < 2;
  return row == is_row && (wants.rows == 0 || has.rows == wants.rows) && (wants.cols == 0 || has.cols == wants.cols);
}

// Of rows a gain is called otherwise than a bias; a name that says neither may be both.
bool is_called_otherwise(Quantity parameter, const std::string& words) {
  if (!is_bias(parameter)) return false;
  return entry_of(parameter).start == QuantityRow::Start::ones ? is_shift(words) : is_gain(words);
}

// How well the words fit the place, or the weight that a bias belongs to.
int score_for(const LayoutPlace& place, const std::string& words) {
  const auto of = std::ranges::find_if(kBiasesOf, [&](const auto& pair) { return pair.second == place.quantity; });
  const Quantity named = of == std::end(kBiasesOf) ? place.quantity : of->first;
  const auto hint = std::ranges::find(name_hints(), named, &NameHint::place);
  return hint == name_hints().end() ? 0 : score(*hint, words);
}

}  // namespace

std::vector<std::string> suggested_parts(const LayoutPlace& place, const LayoutCheck& now,
                                         const std::vector<ArrayGroup>& groups, const ModelLayout& suggested,
                                         std::size_t most) {
  std::vector<std::string> parts;
  const auto add = [&](const std::string& part) {
    if (parts.size() < most && std::ranges::find(parts, part) == parts.end()) parts.push_back(part);
  };
  if (const auto at = suggested.arrays.find(place.key()); at != suggested.arrays.end()) add(at->second);
  const auto wants = now.wants.find(place.key());
  if (wants == now.wants.end()) return parts;
  std::vector<std::pair<int, std::string>> others;
  for (const ArrayGroup& group : groups) {
    const bool one_layer = place.of_layer && now.layers <= 1;  // whose arrays need no number
    if ((group.of_layers != place.of_layer && !one_layer) || now.used.contains(group.first->name)) continue;
    const std::string words = name_words(group.name);
    if (is_called_otherwise(place.quantity, words)) continue;
    for (const Stored stored : {Stored::as_is, Stored::transposed}) {
      const ArrayPart part{group.name, stored, {}, {}};
      if (fits(place.quantity, *group.first, part, wants->second))
        others.emplace_back(score_for(place, words), spelled(part, is_bias(place.quantity)));
      if (is_bias(place.quantity) || group.first->shape.size() != 2) break;
    }
  }
  std::ranges::stable_sort(others, std::greater(), &std::pair<int, std::string>::first);
  for (const auto& [points, part] : others) add(part);
  return parts;
}

}  // namespace hydra
