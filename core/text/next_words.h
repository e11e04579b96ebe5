// What a readout chooses from: the words of a vocabulary, once for each question that it answers. Its columns are the
// words of the first question, then those of the second, and so on; most readouts have one question, without a name.
#pragma once
#include "core/text/vocabulary.h"

namespace hydra {

struct NextWords {
  Vocabulary words;
  Vocabulary questions;  // their names; none: one question that has none

  Index parts() const { return questions.size() == 0 ? 1 : questions.size(); }
  Index size() const { return words.size() * parts(); }  // columns
  Index first_of(Index question) const { return question * words.size(); }
  Index question_of(Index column) const { return column / words.size(); }
  const std::string& word(Index column) const { return words.word(column % words.size()); }
  // "apple", and of several questions "apple (first)".
  std::string name(Index column) const;
  bool operator==(const NextWords&) const = default;
};

// Which question before each of these is: the one of its name; one whose name is new, at the place of one whose name is
// gone, is that one renamed; else Vocabulary::kNone.
std::vector<Index> questions_before(const NextWords& before, const NextWords& now);

// "first, second" as names: what stands between commas, without spaces around it; nothing where there is nothing.
std::vector<std::string> names_in(std::string_view list);

// Each throws InputError with one sentence: names as of a vocabulary, which a list of them says (names_in); at most
// kMaxVocabulary columns. No names are possible.
void check_questions(const std::vector<std::string>& names);
void check_columns(const NextWords& next_words);

}  // namespace hydra
