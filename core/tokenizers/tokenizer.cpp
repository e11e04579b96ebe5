#include "core/tokenizers/tokenizer.h"

#include <algorithm>
#include <unordered_map>

#include "core/error.h"
#include "core/files/printable.h"
#include "core/files/utf8.h"
#include "core/tokenizers/models/apart.h"
#include "core/tokenizers/text/byte_letters.h"
#include "core/tokenizers/tokenizer_parts.h"

namespace hydra {

namespace {

constexpr std::size_t kMostTextBytes = 16u << 20;
// Parts that come again have the tokens they had before: so many, so long.
constexpr std::size_t kMostSeen = 1u << 16, kMostSeenBytes = 64;

bool word_before(std::string_view text, std::size_t at) {
  if (at == 0) return false;
  std::size_t begin = at - 1;
  while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80) --begin;
  return characters::is_word(decode(text, begin).code);
}

bool word_after(std::string_view text, std::size_t at) {
  return at < text.size() && characters::is_word(decode(text, at).code);
}

std::size_t without_white_before(std::string_view text, std::size_t at, std::size_t least) {
  while (at > least) {
    std::size_t begin = at - 1;
    while (begin > least && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80) --begin;
    if (!characters::is_white(decode(text, begin).code)) break;
    at = begin;
  }
  return at;
}

std::size_t with_white_after(std::string_view text, std::size_t at) {
  while (at < text.size() && characters::is_white(decode(text, at).code)) at = decode(text, at).end;
  return at;
}

}  // namespace

struct Tokenizer::Whole {
  // The added tokens of a text: the one that begins first, of these the longest.
  struct AddedFinder {
    Trie trie;
    std::array<bool, 256> begins{};

    explicit AddedFinder(const std::vector<std::pair<std::string, std::uint32_t>>& contents) {
      std::vector<Trie::Entry> entries;
      for (const auto& [content, index] : contents) {
        if (content.empty()) continue;
        entries.push_back({content, index});
        begins[static_cast<unsigned char>(content[0])] = true;
      }
      trie = Trie(std::move(entries));
    }
  };

  TokenizerParts parts;
  AddedFinder as_is, when_normalized;
  SpacesApart spaces_apart;
  std::vector<std::uint32_t> added_by_id, added_by_content;  // indices of parts.added

  explicit Whole(TokenizerParts made)
      : parts(std::move(made)),
        as_is(contents(false)),
        when_normalized(contents(true)),
        spaces_apart(parts.model, parts.spellings) {
    for (std::uint32_t k = 0; k < parts.added.size(); ++k) added_by_id.push_back(k);
    added_by_content = added_by_id;
    const std::vector<AddedToken>& added = parts.added;
    std::stable_sort(added_by_id.begin(), added_by_id.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return added[a].id < added[b].id; });
    std::stable_sort(added_by_content.begin(), added_by_content.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return added[a].content < added[b].content; });
  }

  std::vector<std::pair<std::string, std::uint32_t>> contents(bool are_normalized) const {
    std::vector<std::pair<std::string, std::uint32_t>> found;
    for (std::uint32_t k = 0; k < parts.added.size(); ++k) {
      const AddedToken& token = parts.added[k];
      if (token.normalized != are_normalized) continue;
      AlignedText text(16 * token.content.size() + 65536);
      text.append_first(token.content, 0);
      if (are_normalized) text = normalized(std::move(text), parts.normalizers);
      found.emplace_back(text.text(), k);
    }
    return found;
  }

  const AddedToken* added(std::uint32_t id) const {
    const auto found =
        std::lower_bound(added_by_id.begin(), added_by_id.end(), id,
                         [&](std::uint32_t k, std::uint32_t sought) { return parts.added[k].id < sought; });
    return found != added_by_id.end() && parts.added[*found].id == id ? &parts.added[*found] : nullptr;
  }
  const AddedToken* added(std::string_view content) const {
    const auto found =
        std::lower_bound(added_by_content.begin(), added_by_content.end(), content,
                         [&](std::uint32_t k, std::string_view sought) { return parts.added[k].content < sought; });
    return found != added_by_content.end() && parts.added[*found].content == content ? &parts.added[*found] : nullptr;
  }

  // visit(begin, end, token) for the text from left to right; token kNoToken: none is there.
  template <class Visit>
  void split(std::string_view text, const AddedFinder& finder, const Visit& visit) const {
    std::size_t done = 0;
    for (std::size_t at = 0; at < text.size();) {
      if (!finder.begins[static_cast<unsigned char>(text[at])]) {
        ++at;
        continue;
      }
      const auto [bytes, index] = finder.trie.longest(text.substr(at));
      if (bytes == 0) {
        ++at;
        continue;
      }
      const AddedToken& token = parts.added[index];
      std::size_t begin = at, end = at + bytes;
      at = end;
      if (token.single_word && (word_before(text, begin) || word_after(text, end))) continue;
      if (token.lstrip) begin = without_white_before(text, begin, done);
      if (token.rstrip) end = with_white_after(text, end);
      if (done < begin) visit(done, begin, Part::kNoToken);
      visit(begin, end, token.id);
      done = end;
      at = end;
    }
    if (done < text.size()) visit(done, text.size(), Part::kNoToken);
  }

  // The parts that models make tokens of.
  CutText cut_up(std::string_view text) const {
    const std::size_t most = 16 * text.size() + 65536;
    CutText result{AlignedText(most), {}};
    split(text, as_is, [&](std::size_t begin, std::size_t end, std::uint32_t token) {
      const auto base = static_cast<std::uint32_t>(result.text.size());
      if (token != Part::kNoToken) {
        result.text.append_first(text.substr(begin, end - begin), static_cast<std::uint32_t>(begin));
        result.parts.push_back({base, static_cast<std::uint32_t>(result.text.size()), token});
        return;
      }
      AlignedText part(most);
      part.append_first(text.substr(begin, end - begin), static_cast<std::uint32_t>(begin));
      part = normalized(std::move(part), parts.normalizers);
      result.text.append(part, 0, part.size());
      split(part.text(), when_normalized, [&](std::size_t from, std::size_t to, std::uint32_t inner) {
        result.parts.push_back({base + static_cast<std::uint32_t>(from), base + static_cast<std::uint32_t>(to), inner});
      });
    });
    cut(result, parts.cuts);
    return result;
  }

  std::vector<TextPiece> pieces_of(const CutText& cut_text) const {
    std::vector<TextPiece> pieces;
    PartTokens tokens;  // of all that was seen
    std::unordered_map<std::string_view, std::pair<std::size_t, std::size_t>> seen;
    const std::string_view text = cut_text.text.text();
    const auto add = [&](std::uint32_t id, std::size_t begin, std::size_t end) {
      const Span span = cut_text.text.span(begin, end);
      pieces.push_back({static_cast<Index>(id), span.begin, span.end});
    };
    const auto add_part = [&](std::size_t begin, std::size_t end) {
      const std::string_view spelled = text.substr(begin, end - begin);
      const bool kept = spelled.size() <= kMostSeenBytes && seen.size() < kMostSeen;
      std::size_t from = tokens.size();
      std::size_t to = from;
      const auto known = spelled.size() <= kMostSeenBytes ? seen.find(spelled) : seen.end();
      if (known != seen.end()) {
        std::tie(from, to) = known->second;
      } else {
        std::visit([&](const auto& model) { model.append(spelled, parts.spellings, tokens); }, parts.model);
        to = tokens.size();
        if (kept) seen.emplace(spelled, std::pair(from, to));
      }
      for (std::size_t k = from; k < to; ++k) add(tokens[k].id, begin + tokens[k].begin, begin + tokens[k].end);
      if (known == seen.end() && !kept) tokens.resize(from);
    };
    for (const Part& part : cut_text.parts) {
      if (part.begin == part.end) continue;
      if (part.is_token()) {
        add(part.token, part.begin, part.end);
      } else if (part.end - part.begin <= kMostSeenBytes) {
        add_part(part.begin, part.end);
      } else {
        std::size_t begin = part.begin;
        for (const std::size_t end : spaces_apart.ends(text.substr(part.begin, part.end - part.begin))) {
          add_part(begin, part.begin + end);
          begin = part.begin + end;
        }
      }
    }
    return pieces;
  }

  std::string_view spelling(std::uint32_t id) const {
    const AddedToken* const token = added(id);
    return token != nullptr ? std::string_view(token->content) : parts.spellings[id];
  }
  bool has(std::uint32_t id) const { return added(id) != nullptr || parts.spellings.has(id); }
  std::uint32_t end() const {
    const std::uint32_t last = added_by_id.empty() ? 0 : parts.added[added_by_id.back()].id + 1;
    return std::max(last, parts.spellings.end());
  }
};

Tokenizer::Tokenizer(TokenizerParts parts) : whole_(std::make_shared<const Whole>(std::move(parts))) {}

std::vector<TextPiece> Tokenizer::encode(std::string_view text, bool with_template) const {
  if (text.size() > kMostTextBytes)
    throw InputError("the text has " + std::to_string(text.size()) + " bytes; a tokenizer takes at most " +
                     std::to_string(kMostTextBytes) + " at once");
  if (const std::size_t broken = first_broken(text); broken < text.size())
    throw InputError("the text must be UTF-8, and byte " + std::to_string(broken) + " of it is not");
  const CutText cut_text = whole_->cut_up(text);
  std::vector<TextPiece> pieces = whole_->pieces_of(cut_text);
  if (!with_template) return pieces;
  std::vector<TextPiece> all;
  all.reserve(pieces.size() + whole_->parts.before.size() + whole_->parts.after.size());
  for (const std::uint32_t id : whole_->parts.before) all.push_back({static_cast<Index>(id), 0, 0});
  all.insert(all.end(), pieces.begin(), pieces.end());
  for (const std::uint32_t id : whole_->parts.after) all.push_back({static_cast<Index>(id), text.size(), text.size()});
  return all;
}

std::string Tokenizer::decode(std::span<const Index> ids, bool with_special) const {
  const TokenizerParts& parts = whole_->parts;
  std::vector<std::string> tokens;
  tokens.reserve(ids.size());
  for (const Index id : ids) {
    if (!has(id))
      throw InputError("no token of the tokenizer has the id " + std::to_string(id) + "; its ids are below " +
                       std::to_string(size()));
    const auto known = static_cast<std::uint32_t>(id);
    if (!with_special && is_special(id)) continue;
    if (std::binary_search(parts.silent.begin(), parts.silent.end(), known)) continue;
    if (known == parts.unknown)
      tokens.emplace_back(" ⁇ ");
    else
      tokens.emplace_back(whole_->spelling(known));
    if (!parts.between.empty() && tokens.size() > 1) tokens.back().insert(0, parts.between);
  }
  return decoded(std::move(tokens), parts.decoders);
}

Index Tokenizer::size() const { return static_cast<Index>(whole_->end()); }

bool Tokenizer::has(Index id) const { return id >= 0 && id < size() && whole_->has(static_cast<std::uint32_t>(id)); }

bool Tokenizer::is_special(Index id) const {
  if (!has(id)) return false;
  const AddedToken* const token = whole_->added(static_cast<std::uint32_t>(id));
  const std::vector<std::uint32_t>& silent = whole_->parts.silent;
  return (token != nullptr && token->special) ||
         std::binary_search(silent.begin(), silent.end(), static_cast<std::uint32_t>(id));
}

std::string_view Tokenizer::spelling(Index id) const {
  return has(id) ? whole_->spelling(static_cast<std::uint32_t>(id)) : std::string_view();
}

std::string Tokenizer::shown(Index id) const {
  const TokenizerParts& parts = whole_->parts;
  std::string bytes(spelling(id));
  const bool is_added = has(id) && whole_->added(static_cast<std::uint32_t>(id)) != nullptr;
  if (parts.letters_are_bytes && !is_added) bytes = bytes_of_letters(bytes).value_or(bytes);
  std::string text;
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (std::size_t at = 0; at < bytes.size();) {
    const Character c = hydra::decode(bytes, at);
    const auto byte = static_cast<unsigned char>(bytes[at]);
    if (c.code == ' ' && (parts.letters_are_bytes || parts.space == ' '))
      text += "▁";
    else if (c.code == Character::kNone)
      text += std::string("<0x") + kDigits[byte / 16] + kDigits[byte % 16] + '>';
    else if (c.code < 0x20 || c.code == 0x7F)
      append_escaped(text, std::string_view(bytes).substr(at, 1));
    else
      text += std::string_view(bytes).substr(at, c.end - at);
    at = c.end;
  }
  return text;
}

Index Tokenizer::find(std::string_view spelling) const {
  if (const AddedToken* const token = whole_->added(spelling)) return static_cast<Index>(token->id);
  const std::uint32_t id = whole_->parts.spellings.find(spelling);
  return id == kNoId ? -1 : static_cast<Index>(id);
}

const std::string& Tokenizer::kind() const { return whole_->parts.kind; }

Stamp Tokenizer::stamp() const { return whole_->parts.stamp; }

}  // namespace hydra
