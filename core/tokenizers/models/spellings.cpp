#include "core/tokenizers/models/spellings.h"

#include <algorithm>
#include <bit>
#include <functional>

#include "core/error.h"
#include "core/files/printable.h"

namespace hydra {

Spellings::Spellings(std::vector<Entry> entries) {
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.id < b.id; });
  std::size_t bytes = 0;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const auto& [id, text] = entries[k];
    if (id >= kMostIds)
      throw InputError("the token " + in_quotes(text) + " has the id " + std::to_string(id) + "; the largest is " +
                       std::to_string(kMostIds - 1));
    if (k > 0 && entries[k - 1].id == id)
      throw InputError("the tokens " + in_quotes(entries[k - 1].text) + " and " + in_quotes(text) +
                       " have the same id, " + std::to_string(id) + "; each needs its own");
    if (text.size() > kMostSpellingBytes)
      throw InputError("the token of id " + std::to_string(id) + " has " + std::to_string(text.size()) +
                       " bytes; the longest has " + std::to_string(kMostSpellingBytes));
    bytes += text.size();
  }
  text_.reserve(bytes);
  ids_.reserve(entries.size());
  ends_.reserve(entries.size());
  found_.assign(std::bit_ceil(2 * entries.size() + 1), kNoId);
  for (const auto& [id, text] : entries) {
    text_ += text;
    ids_.push_back(id);
    ends_.push_back(static_cast<std::uint32_t>(text_.size()));
    longest_ = std::max(longest_, text.size());
    std::size_t place = std::hash<std::string_view>()(text) & (found_.size() - 1);
    while (found_[place] != kNoId && at(found_[place]) != text) place = (place + 1) & (found_.size() - 1);
    if (found_[place] == kNoId) found_[place] = static_cast<std::uint32_t>(ids_.size() - 1);
  }
}

std::size_t Spellings::slot(std::uint32_t id) const {
  if (id < ids_.size() && ids_[id] == id) return id;  // no gap before it
  const auto found = std::lower_bound(ids_.begin(), ids_.end(), id);
  return found != ids_.end() && *found == id ? static_cast<std::size_t>(found - ids_.begin()) : ids_.size();
}

std::uint32_t Spellings::find(std::string_view text) const {
  if (text.size() > longest_ || found_.empty()) return kNoId;
  std::size_t place = std::hash<std::string_view>()(text) & (found_.size() - 1);
  while (found_[place] != kNoId && at(found_[place]) != text) place = (place + 1) & (found_.size() - 1);
  return found_[place] == kNoId ? kNoId : ids_[found_[place]];
}

std::string_view Spellings::operator[](std::uint32_t id) const {
  const std::size_t place = slot(id);
  return place < ids_.size() ? at(place) : std::string_view();
}

}  // namespace hydra
