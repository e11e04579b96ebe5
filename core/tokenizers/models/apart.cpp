#include "core/tokenizers/models/apart.h"

#include <algorithm>

namespace hydra {

namespace {

constexpr std::string_view kSpaces[] = {" ", "\u2581"};

bool merges_alone(const TokenModel& model) {
  if (const auto* bpe = std::get_if<Bpe>(&model))
    return !bpe->ignore_merges && bpe->prefix.empty() && bpe->suffix.empty();
  return std::holds_alternative<ScoredBpe>(model);
}

// Whether one stands in the text behind something else than another of its kind.
bool goes_on_with(std::string_view text, std::string_view space) {
  for (std::size_t at = text.find(space, 1); at != std::string_view::npos; at = text.find(space, at + 1))
    if (!text.substr(0, at).ends_with(space)) return true;
  return false;
}

}  // namespace

SpacesApart::SpacesApart(const TokenModel& model, const Spellings& spellings) {
  if (!merges_alone(model)) return;
  for (const std::string_view space : kSpaces)
    if (spellings.find(space) != kNoId && std::none_of(spellings.ids().begin(), spellings.ids().end(),
                                                       [&](auto id) { return goes_on_with(spellings[id], space); }))
      spaces_.push_back(space);
}

std::vector<std::size_t> SpacesApart::ends(std::string_view part) const {
  std::vector<std::size_t> found;
  for (const std::string_view space : spaces_)
    for (std::size_t at = part.find(space); at != std::string_view::npos; at = part.find(space, at + space.size()))
      if (at > 0 && !part.substr(0, at).ends_with(space)) found.push_back(at);
  if (spaces_.size() > 1) std::sort(found.begin(), found.end());
  found.push_back(part.size());
  return found;
}

}  // namespace hydra
