#include "core/tokenizers/files/sentencepiece_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/files/printable.h"
#include "core/files/utf8.h"

namespace hydra {

namespace {

// By id: which place a piece has among the scores, the largest first; kNoId for what is never made of others.
std::vector<std::uint32_t> ranks_of(const ScoredPieces& pieces) {
  std::vector<float> sorted(pieces.scores);
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::vector<std::uint32_t> ranks(pieces.scores.size(), kNoId);
  for (std::size_t k = 0; k < ranks.size(); ++k) {
    const TokenType type = pieces.types[k];
    if (type != TokenType::normal && type != TokenType::user_defined && type != TokenType::unused) continue;
    const auto place = std::lower_bound(sorted.begin(), sorted.end(), pieces.scores[k], std::greater<>());
    ranks[k] = static_cast<std::uint32_t>(place - sorted.begin());
  }
  return ranks;
}

// "▁the" has four characters.
double characters_in(std::string_view text) {
  return static_cast<double>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

Unigram unigram_of(const ScoredPieces& pieces, std::uint32_t unknown) {
  Unigram model;
  model.as_floats = true;
  model.unknown = unknown;
  float least = std::numeric_limits<float>::max(), most = std::numeric_limits<float>::lowest();
  for (std::size_t k = 0; k < pieces.scores.size(); ++k) {
    if (pieces.types[k] != TokenType::normal) continue;
    least = std::min(least, pieces.scores[k]);
    most = std::max(most, pieces.scores[k]);
  }
  if (least > most) least = most = 0;
  model.unknown_score = least - 10.0f;
  std::vector<Trie::Entry> entries;
  for (std::size_t k = 0; k < pieces.scores.size(); ++k) {
    const TokenType type = pieces.types[k];
    const std::string_view text = pieces.entries[k].text;
    // One of the user's is taken wherever it stands.
    const bool own = type == TokenType::user_defined;
    model.scores.push_back(own ? characters_in(text) * double{most} - 0.1 : double{pieces.scores[k]});
    if (own || type == TokenType::normal) entries.push_back({text, static_cast<std::uint32_t>(k)});
  }
  model.pieces = std::make_shared<Trie>(std::move(entries));
  return model;
}

}  // namespace

TokenizerParts parts_of(ScoredPieces pieces) {
  TokenizerParts parts;
  std::uint32_t unknown = kNoId;
  std::vector<Trie::Entry> kept;
  for (std::uint32_t k = 0; k < pieces.entries.size(); ++k) {
    const std::string_view text = pieces.entries[k].text;
    if (std::isnan(pieces.scores[k]))
      throw InputError("the score of " + in_quotes(text) + ", token " + std::to_string(k) + ", is no number");
    switch (pieces.types[k]) {
      case TokenType::unknown:
        if (unknown != kNoId)
          throw InputError("the tokens " + std::to_string(unknown) + " and " + std::to_string(k) +
                           " are both the unknown one; there is one");
        unknown = k;
        break;
      case TokenType::control:
        parts.silent.push_back(k);
        break;
      case TokenType::user_defined:
        if (!text.empty()) kept.push_back({text, k});
        break;
      default:
        break;
    }
  }
  parts.spellings = Spellings(pieces.entries);
  parts.unknown = unknown;
  std::shared_ptr<const ByteTokens> bytes;
  if (pieces.byte_fallback) bytes = std::make_shared<ByteTokens>(parts.spellings);
  std::shared_ptr<const Trie> kept_pieces;
  if (!kept.empty()) kept_pieces = std::make_shared<Trie>(std::move(kept));
  pieces.normalizer.kept = kept_pieces;
  const std::string space = pieces.normalizer.space;
  if (pieces.unigram) {
    Unigram model = unigram_of(pieces, unknown);
    model.bytes = bytes;
    parts.model = std::move(model);
  } else {
    ScoredBpe model;
    model.ranks = ranks_of(pieces);
    for (const TokenType type : pieces.types) model.unused.push_back(type == TokenType::unused);
    model.kept = kept_pieces;
    model.unknown = unknown;
    model.bytes = bytes;
    parts.model = std::move(model);
  }
  parts.kind = pieces.unigram ? "Unigram" : bytes ? "BPE with byte fallback" : "BPE by scores";
  if (pieces.normalizer.add_prefix || pieces.normalizer.remove_extra_spaces)
    parts.decoders.emplace_back(StripFirstMark{space, pieces.normalizer.remove_extra_spaces});
  parts.decoders.emplace_back(MarksToSpaces{space, false});
  parts.decoders.emplace_back(JoinBytes{true});
  if (space == " ") parts.space = ' ';
  parts.normalizers.emplace_back(std::move(pieces.normalizer));
  return parts;
}

}  // namespace hydra
