// At which words the questions of a task are asked: who answers others there answers what nobody asked.
#pragma once
#include <memory>
#include <vector>

#include "core/text/next_words.h"

namespace hydra::learn {

struct AskedWords {
  std::vector<std::vector<bool>> at;  // [question][row of the words' vocabulary]
  std::vector<double> share;          // [question] of the places of the task's sequences that ask it

  // A token that is no word of the vocabulary is asked nothing.
  bool is_asked(Index question, Index row) const {
    return row >= 0 && at[static_cast<std::size_t>(question)][static_cast<std::size_t>(row)];
  }
};

// Of a model with the words and the several questions of a task that ships, of one word at a place, as 1000 of its
// sequences have them. Null: of other models every token may be asked everything. Counted once for the same words and
// questions; may be called from several threads.
std::shared_ptr<const AskedWords> asked_words(const Vocabulary& words, const NextWords& readout);
// The tokens of a sentence that are asked the question.
std::vector<Index> asked_tokens(const std::vector<std::string>& tokens, const Vocabulary& words,
                                const NextWords& readout, Index question);
// The question that is asked at the fewest places; the first one where all are asked everywhere.
Index rarest_question(const Vocabulary& words, const NextWords& readout);

}  // namespace hydra::learn
