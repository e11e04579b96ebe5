// What makes tokens of one part of a text. A part that is cut twice alike has the same tokens.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/tokenizers/models/spellings.h"
#include "core/tokenizers/models/trie.h"

namespace hydra {

struct PartToken {
  std::uint32_t id = 0, begin = 0, end = 0;  // bytes of the part
};
using PartTokens = std::vector<PartToken>;

// The ids of <0x00> to <0xFF>; none where the vocabulary has not all of them that a text needs.
struct ByteTokens {
  std::array<std::uint32_t, 256> ids;
  explicit ByteTokens(const Spellings& spellings);
  // False, and nothing appended, where a byte has no token.
  bool append(std::string_view text, std::uint32_t begin, std::uint32_t end, PartTokens& tokens) const;
};
// Its byte, or -1 where the spelling is none of <0x00> to <0xFF>.
int byte_of_spelling(std::string_view spelling);

// Which two neighbours become one token, and when: the lower rank first.
class Merges {
 public:
  struct Merge {
    std::uint32_t rank = 0, id = kNoId;
  };
  Merges() = default;
  explicit Merges(std::size_t count);
  void put(std::uint32_t left, std::uint32_t right, Merge merge);  // at most count; of one pair, the last
  Merge find(std::uint32_t left, std::uint32_t right) const;       // of id kNoId: none

 private:
  struct Entry {
    std::uint32_t left = kNoId, right = kNoId;
    Merge merge;
  };
  std::size_t place(std::uint32_t left, std::uint32_t right) const;
  std::vector<Entry> entries_;
};

// Byte pair encoding: from characters, by a list of merges.
struct Bpe {
  Merges merges;
  std::uint32_t unknown = kNoId;  // none: what is not known is left out
  bool fuse_unknown = false, ignore_merges = false;
  std::shared_ptr<const ByteTokens> bytes;  // none: no byte fallback
  std::string prefix, suffix;               // of all characters but the first; of the last
  void append(std::string_view part, const Spellings& spellings, PartTokens& tokens) const;
};

// SentencePiece's: what two neighbours spell together is the token that they become, that of the highest score first.
struct ScoredBpe {
  std::vector<std::uint32_t> ranks;  // by id; equal scores have equal ranks; kNoId: never made
  std::vector<bool> unused;          // by id: made on the way, and taken apart at the end
  std::shared_ptr<const Trie> kept;  // pieces that are never taken apart, found first
  std::uint32_t unknown = kNoId;
  std::shared_ptr<const ByteTokens> bytes;
  void append(std::string_view part, const Spellings& spellings, PartTokens& tokens) const;
};

// The way through the part whose scores have the largest sum.
struct Unigram {
  std::shared_ptr<const Trie> pieces;
  std::vector<double> scores;  // by id
  double unknown_score = 0;    // of a character
  bool as_floats = false;      // SentencePiece sums in single precision
  std::uint32_t unknown = kNoId;
  std::shared_ptr<const ByteTokens> bytes;
  void append(std::string_view part, const Spellings& spellings, PartTokens& tokens) const;
};

// BERT's: the longest beginning again and again; unknown as a whole where that fails.
struct WordPiece {
  std::uint32_t unknown = kNoId;
  std::shared_ptr<const Trie> first, others;  // what begins a word; what goes on with it, without its mark
  std::size_t most_characters = 100;
  // mark: "##", before what goes on; first_mark: before what begins a word.
  static WordPiece of(const Spellings& spellings, std::string_view mark, std::string_view first_mark = "");
  void append(std::string_view part, const Spellings& spellings, PartTokens& tokens) const;
};

// A token is a part.
struct WordLevel {
  std::uint32_t unknown = kNoId;
  void append(std::string_view part, const Spellings& spellings, PartTokens& tokens) const;
};

using TokenModel = std::variant<Bpe, ScoredBpe, Unigram, WordPiece, WordLevel>;

// Throws InputError: the part has nothing to stand for it, not even an unknown token.
[[noreturn]] void fail_no_token(std::string_view part);

}  // namespace hydra
