// What a tokenizer does to a text before it is cut.
#pragma once
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/tokenizers/models/trie.h"
#include "core/tokenizers/text/aligned_text.h"
#include "core/tokenizers/text/characters.h"
#include "core/tokenizers/text/charsmap.h"
#include "core/tokenizers/text/expression.h"

namespace hydra {

struct NormalForm {
  characters::Form form;
};
struct Lowercase {};
struct StripAccents {};  // marks go; what has one within itself keeps it
struct BertNormalizer {
  bool clean_text = true, handle_chinese_chars = true, strip_accents = true, lowercase = true;
};
struct StripEnds {
  bool left = true, right = true;
};
struct ReplaceBy {
  Expression expression;
  std::string content;
};
struct Prepend {
  std::string content;  // to what is not empty
};
struct ByCharsmap {
  std::shared_ptr<const Charsmap> map;
};
struct Nmt {};  // controls go, odd spaces become spaces
// SentencePiece's own, all at once.
struct SentencePieceNormalizer {
  std::shared_ptr<const Charsmap> map;
  std::shared_ptr<const Trie> kept;  // pieces that stay as they are
  std::string space = "▁";           // what a space becomes
  bool add_prefix = true, remove_extra_spaces = true, prefix_at_end = false;
};

using Normalizer = std::variant<NormalForm, Lowercase, StripAccents, BertNormalizer, StripEnds, ReplaceBy, Prepend,
                                ByCharsmap, Nmt, SentencePieceNormalizer>;

AlignedText normalized(AlignedText text, const std::vector<Normalizer>& steps);

}  // namespace hydra
