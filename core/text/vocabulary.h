// Words in an order, each once: what a table of vectors has rows for, and what a readout chooses from.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/linalg/index_lists.h"
#include "core/linalg/stamp.h"

namespace hydra {

inline constexpr Index kMaxVocabulary = 4096;
inline constexpr std::size_t kMaxVocabularyBytes = 64u << 10;  // of spelling in all

// Throws InputError with one sentence: 1 to 4096 words, none empty, none twice, UTF-8 without control characters.
void check_vocabulary(const std::vector<std::string>& words);
// The same of other names: "question" of "the readout".
void check_names(const std::vector<std::string>& names, const std::string& what, const std::string& of);

// A value: a copy costs a pointer.
class Vocabulary {
 public:
  // folded: a word that is not there stands for the one that differs from it in capitals alone, where there is just
  // one.
  enum class Case { folded, exact };

  Vocabulary() = default;                               // of no words
  explicit Vocabulary(std::vector<std::string> words);  // checked ones
  Vocabulary with(Case letter_case) const;              // the same words
  Case letter_case() const { return case_; }

  static constexpr Index kNone = -1;
  Index find(std::string_view word) const;  // its place, or kNone; as it is spelled, capitals apart from small letters
  Index row_of(std::string_view word) const;  // the same, and else by its letters where case is folded
  // The words that a token is made of: itself, where the vocabulary has it or not one of its parts; else what stands
  // between its '+', where none of that is empty: "Ann+apple" is Ann and apple.
  std::vector<std::string_view> words_of(std::string_view token) const;
  bool knows(std::string_view token) const;  // it has all of them
  // Their places, token by token; of a token that it does not know none.
  IndexLists find_all(const std::vector<std::string>& tokens) const;
  const std::vector<std::string>& words() const;
  const std::string& word(Index place) const { return words()[static_cast<std::size_t>(place)]; }
  Index size() const { return static_cast<Index>(words().size()); }
  bool operator==(const Vocabulary& other) const;

  // What copies share, and what it takes in bytes.
  const void* owner() const { return content_.get(); }
  std::size_t bytes() const;
  Stamp stamp() const;  // of the words, in their order

 private:
  struct Content;
  std::shared_ptr<const Content> content_;
  Case case_ = Case::folded;
};

// The words of a text that a vocabulary may have, each once, in the order in which they come.
std::vector<std::string> distinct(const std::vector<std::string>& tokens);
// The words that its tokens are made of, likewise, as the vocabulary spells them where it has them; and
// those that it lacks.
std::vector<std::string> words_in(const Vocabulary& vocabulary, const std::vector<std::string>& tokens);
std::vector<std::string> missing_in(const Vocabulary& vocabulary, const std::vector<std::string>& tokens);
// "“it”, “was” and 3 more": at most so many of them by name.
std::string listed(const std::vector<std::string>& words, std::size_t most = 6);

}  // namespace hydra
