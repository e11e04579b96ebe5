// The tokenizers of published models: text to the ids that a model was trained on, and back.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/linalg/stamp.h"
#include "core/linalg/types.h"

namespace hydra {

struct TokenizerParts;

struct TextPiece {
  Index id = 0;
  std::size_t begin = 0, end = 0;  // bytes of the text that it stands for; none for what a template adds
  bool operator==(const TextPiece&) const = default;
};

// A value: a copy costs a pointer. It never changes, and threads may share it.
class Tokenizer {
 public:
  explicit Tokenizer(TokenizerParts parts);  // what readers put together (tokenizer_parts.h)

  // Template: what the model wants around a text ([CLS] and [SEP]). Both ends of the pieces never decrease. Where a
  // character is several tokens each has its own bytes of it, unless the character was normalised: then each has all of
  // them. Throws InputError where the text is not UTF-8, larger than 16 MiB, or has what there is no token for.
  std::vector<TextPiece> encode(std::string_view text, bool with_template = true) const;
  // Bytes that are no UTF-8 are written as �. Throws InputError for an id that no token has.
  std::string decode(std::span<const Index> ids, bool with_special = true) const;

  Index size() const;  // beyond the largest id; in between there may be ids of no token
  bool has(Index id) const;
  bool is_special(Index id) const;              // [CLS], <s>, <|endoftext|>
  std::string_view spelling(Index id) const;    // as in the file; empty where there is none
  std::string shown(Index id) const;            // to be read: ▁ for a space, <0xNN> for a byte that is no character
  Index find(std::string_view spelling) const;  // -1: none

  const std::string& kind() const;  // "byte-level BPE", "WordPiece", ...
  Stamp stamp() const;
  bool operator==(const Tokenizer& other) const { return stamp() == other.stamp(); }

 private:
  struct Whole;
  std::shared_ptr<const Whole> whole_;
};

}  // namespace hydra
