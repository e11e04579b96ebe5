// How a normalised text is cut into the parts that a model makes tokens of.
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "core/tokenizers/text/aligned_text.h"
#include "core/tokenizers/text/expression.h"

namespace hydra {

// What becomes of the places that a cut is made at.
enum class Behavior { removed, isolated, merged_with_previous, merged_with_next, contiguous };

struct CutByExpression {
  Expression expression;
  Behavior behavior = Behavior::isolated;
  bool invert = false;  // cut at what does not match
};
struct CutByKind {
  enum class Kind { white, punctuation, number } kind = Kind::white;
  Behavior behavior = Behavior::removed;
};
struct CutWords {};  // runs of letters, digits and marks, and runs of what is neither that nor white space
struct ByteLevel {
  bool add_prefix_space = true;
  bool cut = true;  // as GPT-2 does, before bytes become letters
};
struct Metaspace {
  enum class Prefix { always, first, never } prefix = Prefix::always;
  std::string mark = "▁";
  bool cut = true;
};

using CutStep = std::variant<CutByExpression, CutByKind, CutWords, ByteLevel, Metaspace>;

// Every step cuts all parts that are no tokens yet.
void cut(CutText& text, const std::vector<CutStep>& steps);

// Apostrophes, words, numbers and signs, each with the space before it.
inline constexpr const char* kGpt2Expression =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

}  // namespace hydra
