#include "core/tokenizers/models/model.h"

namespace hydra {

WordPiece WordPiece::of(const Spellings& spellings, std::string_view mark, std::string_view first_mark) {
  std::vector<Trie::Entry> first, others;
  for (const std::uint32_t id : spellings.ids()) {
    const std::string_view text = spellings[id];
    if (text.starts_with(mark)) others.push_back({text.substr(mark.size()), id});
    if (text.starts_with(first_mark)) first.push_back({text.substr(first_mark.size()), id});
  }
  WordPiece model;
  model.first = std::make_shared<Trie>(std::move(first));
  model.others = std::make_shared<Trie>(std::move(others));
  return model;
}

void WordPiece::append(std::string_view part, const Spellings&, PartTokens& tokens) const {
  const auto begins_character = [&](std::size_t at) {
    return at == part.size() || (static_cast<unsigned char>(part[at]) & 0xC0) != 0x80;
  };
  std::size_t characters = 0;
  for (std::size_t at = 0; at < part.size(); ++at) characters += begins_character(at) ? 1 : 0;
  const std::size_t before = tokens.size();
  bool known = characters <= most_characters;
  for (std::uint32_t begin = 0; known && begin < part.size();) {
    std::uint32_t end = begin, id = kNoId;
    (begin == 0 ? first : others)->for_each(part.substr(begin), [&](std::size_t bytes, std::uint32_t found) {
      if (!begins_character(begin + bytes)) return;
      end = begin + static_cast<std::uint32_t>(bytes);
      id = found;
    });
    known = id != kNoId;
    if (known) tokens.push_back({id, begin, end});
    begin = end;
  }
  if (known) return;
  tokens.resize(before);
  if (unknown == kNoId) fail_no_token(part);
  tokens.push_back({unknown, 0, static_cast<std::uint32_t>(part.size())});
}

void WordLevel::append(std::string_view part, const Spellings& spellings, PartTokens& tokens) const {
  const std::uint32_t id = spellings.find(part);
  if (id == kNoId && unknown == kNoId) fail_no_token(part);
  tokens.push_back({id == kNoId ? unknown : id, 0, static_cast<std::uint32_t>(part.size())});
}

}  // namespace hydra
