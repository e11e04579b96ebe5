#include <unordered_map>

#include "core/files/utf8.h"
#include "core/tokenizers/models/merging.h"
#include "core/tokenizers/models/model.h"

namespace hydra {

void ScoredBpe::append(std::string_view part, const Spellings& spellings, PartTokens& tokens) const {
  const auto rank_of = [&](std::uint32_t id) { return id < ranks.size() ? ranks[id] : kNoId; };
  const auto is_unused = [&](std::uint32_t id) { return id < unused.size() && unused[id]; };
  const auto text_of = [&](std::uint32_t begin, std::uint32_t end) { return part.substr(begin, end - begin); };
  std::vector<Symbol> symbols;
  std::vector<bool> frozen(part.size() + 1);  // by where a symbol begins
  for (std::uint32_t at = 0; at < part.size();) {
    const std::size_t whole = kept ? kept->longest(part.substr(at)).first : 0;
    const auto end = static_cast<std::uint32_t>(whole > 0 ? at + whole : decode(part, at).end);
    frozen[at] = whole > 0;
    symbols.emplace_back().begin = at;
    symbols.back().end = end;
    const std::uint32_t id = spellings.find(text_of(at, end));
    symbols.back().id = whole > 0 || rank_of(id) != kNoId ? id : kNoId;
    at = end;
  }
  link(symbols);
  std::unordered_map<std::uint32_t, std::uint32_t> halves;  // of unused ones: by id, the bytes of the left half
  merge_all(symbols, [&](const Symbol& left, const Symbol& right) -> Merges::Merge {
    if (frozen[left.begin] || frozen[right.begin] || right.end - left.begin > spellings.longest()) return {};
    const std::uint32_t id = spellings.find(text_of(left.begin, right.end));
    const std::uint32_t rank = rank_of(id);
    if (id == kNoId || rank == kNoId) return {};
    if (is_unused(id)) halves[id] = left.end - left.begin;
    return {rank, id};
  });
  bool after_unknown = false;
  // An unused one stands for what it was made of.
  std::vector<PartToken> apart;
  for (const Symbol& symbol : symbols) {
    if (symbol.begin == symbol.end) continue;
    apart.push_back({symbol.id, symbol.begin, symbol.end});
    while (!apart.empty()) {
      const PartToken token = apart.back();
      apart.pop_back();
      const auto half = token.id != kNoId && is_unused(token.id) ? halves.find(token.id) : halves.end();
      if (half != halves.end()) {
        const std::uint32_t middle = token.begin + half->second;
        const std::uint32_t left = spellings.find(text_of(token.begin, middle)),
                            right = spellings.find(text_of(middle, token.end));
        apart.push_back({rank_of(right) == kNoId ? kNoId : right, middle, token.end});
        apart.push_back({rank_of(left) == kNoId ? kNoId : left, token.begin, middle});
        continue;
      }
      if (token.id != kNoId) {
        tokens.push_back(token);
        after_unknown = false;
      } else if (!bytes || !bytes->append(part, token.begin, token.end, tokens)) {
        if (unknown == kNoId) fail_no_token(text_of(token.begin, token.end));
        if (after_unknown)
          tokens.back().end = token.end;
        else
          tokens.push_back({unknown, token.begin, token.end});
        after_unknown = true;
      } else {
        after_unknown = false;
      }
    }
  }
}

}  // namespace hydra
