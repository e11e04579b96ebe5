#include <bit>

#include "core/error.h"
#include "core/files/printable.h"
#include "core/files/utf8.h"
#include "core/tokenizers/models/merging.h"
#include "core/tokenizers/models/model.h"

namespace hydra {

void fail_no_token(std::string_view part) {
  throw InputError("the text has " + in_quotes(part) +
                   ", for which the tokenizer has no token, nor one for what is unknown; leave it out");
}

int byte_of_spelling(std::string_view spelling) {
  if (spelling.size() != 6 || !spelling.starts_with("<0x") || spelling[5] != '>') return -1;
  int byte = 0;
  for (const char c : spelling.substr(3, 2)) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                             : -1;
    if (digit < 0) return -1;
    byte = 16 * byte + digit;
  }
  return byte;
}

ByteTokens::ByteTokens(const Spellings& spellings) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (std::size_t byte = 0; byte < 256; ++byte)
    ids[byte] = spellings.find(std::string("<0x") + kDigits[byte / 16] + kDigits[byte % 16] + '>');
}

bool ByteTokens::append(std::string_view text, std::uint32_t begin, std::uint32_t end, PartTokens& tokens) const {
  for (std::uint32_t k = begin; k < end; ++k)
    if (ids[static_cast<unsigned char>(text[k])] == kNoId) return false;
  for (std::uint32_t k = begin; k < end; ++k) tokens.push_back({ids[static_cast<unsigned char>(text[k])], k, k + 1});
  return true;
}

Merges::Merges(std::size_t count) { entries_.resize(std::bit_ceil(2 * count + 1)); }

std::size_t Merges::place(std::uint32_t left, std::uint32_t right) const {
  std::uint64_t bits = std::uint64_t{left} << 32 | right;
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9ULL;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebULL;
  std::size_t at = static_cast<std::size_t>(bits ^ bits >> 31) & (entries_.size() - 1);
  while (entries_[at].left != kNoId && (entries_[at].left != left || entries_[at].right != right))
    at = (at + 1) & (entries_.size() - 1);
  return at;
}

void Merges::put(std::uint32_t left, std::uint32_t right, Merge merge) {
  entries_[place(left, right)] = {left, right, merge};
}

Merges::Merge Merges::find(std::uint32_t left, std::uint32_t right) const {
  return entries_.empty() || left == kNoId ? Merge() : entries_[place(left, right)].merge;
}

void Bpe::append(std::string_view part, const Spellings& spellings, PartTokens& tokens) const {
  const auto size = static_cast<std::uint32_t>(part.size());
  if (ignore_merges) {
    const std::uint32_t whole = spellings.find(part);
    if (whole != kNoId) return tokens.push_back({whole, 0, size});
  }
  std::vector<Symbol> symbols;
  symbols.reserve(part.size());
  const auto add = [&](std::uint32_t id, std::uint32_t begin, std::uint32_t end) {
    symbols.emplace_back().id = id;
    symbols.back().begin = begin;
    symbols.back().end = end;
  };
  std::string spelled;
  PartTokens as_bytes;
  bool after_unknown = false;
  for (std::uint32_t at = 0; at < size;) {
    const auto end = static_cast<std::uint32_t>(decode(part, at).end);
    std::string_view letter = part.substr(at, end - at);
    if (!prefix.empty() || !suffix.empty()) {
      spelled = (at > 0 ? prefix : std::string()) + std::string(letter) + (end == size ? suffix : std::string());
      letter = spelled;
    }
    const std::uint32_t id = spellings.find(letter);
    as_bytes.clear();
    if (id != kNoId) {
      add(id, at, end);
    } else if (bytes && bytes->append(part, at, end, as_bytes)) {
      for (const PartToken& byte : as_bytes) add(byte.id, byte.begin, byte.end);
    } else if (unknown != kNoId) {
      if (fuse_unknown && after_unknown)
        symbols.back().end = end;
      else
        add(unknown, at, end);
      after_unknown = true;
      at = end;
      continue;
    }
    after_unknown = false;
    at = end;
  }
  link(symbols);
  merge_all(symbols, [&](const Symbol& left, const Symbol& right) { return merges.find(left.id, right.id); });
  for (const Symbol& symbol : symbols)
    if (symbol.begin < symbol.end) tokens.push_back({symbol.id, symbol.begin, symbol.end});
}

}  // namespace hydra
