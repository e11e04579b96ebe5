#include "app/views/shared/next_words.h"

#include "app/views/frame/ui.h"

namespace hydra {

std::vector<std::string> next_words_told(const Frame& frame, Index token, Index question) {
  constexpr Index kMost = 8;
  const ModelTrace<float>& model = frame.trace.model;
  const NextWords& next = model.next_words;
  const Array<float> p = model.of_question(model.probabilities, question);
  const std::string& word_of = nth(frame.trace.tokens, token);
  std::vector<std::string> lines{
      asks_next_word(next)
          ? wording("panels:next.after", {{"token", word_of}})
          : wording("panels:next.of", {{"question", next.questions.word(question)}, {"token", word_of}})};
  for (const Index word : likeliest(p, token, kMost))
    lines.push_back(ui::number(static_cast<double>(p(token, word))) + "   " + next.words.word(word));
  for (const std::string& mark : frame.derived.known().marks.told(static_cast<int>(token)))
    lines.push_back(wording("panels:next.marked", {{"token", word_of}, {"mark", mark}}));
  for (std::string& text : lines) text = spelled(frame, text);
  return lines;
}

}  // namespace hydra
