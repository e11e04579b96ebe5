#include "core/learn/opened/answer_text.h"

#include <algorithm>

#include "core/document/evaluate.h"
#include "core/error.h"

namespace hydra::learn {

std::string AnswerText::told() const {
  if (traces.empty()) return {};
  return named + ", " + std::to_string(traces.size()) + " " + unit + (traces.size() == 1 ? "" : "s") + ", " +
         std::to_string(tokens) + " tokens";
}

std::optional<Index> question_of(const Task& task, const NextWords& words, Index question) {
  const std::vector<std::string>& questions = task.outline().questions;
  if (words.questions.size() == 0) return questions.size() == 1 ? std::optional<Index>(0) : std::nullopt;
  const auto at = std::ranges::find(questions, words.questions.word(question));
  return at == questions.end() ? std::nullopt : std::optional<Index>(at - questions.begin());
}

std::vector<TextAnswer> answers_of(const AnswerText& text, Index question) {
  std::vector<TextAnswer> answers;
  if (text.traces.empty()) return answers;
  if (!text.task) {
    for (const auto& trace : text.traces)
      answers.push_back({trace, asked_of(trace->model, trace->X.rows() - 1, question)});
    return answers;
  }
  const std::optional<Index> of_task = question_of(*text.task, text.traces.front()->model.next_words, question);
  if (!of_task) return answers;
  const auto right = right_answers(*text.task, *of_task);
  for (std::size_t k = 0; k < std::min(right.size(), text.traces.size()); ++k) {
    if (right[k].empty()) continue;
    const RightAnswer& one = right[k][k % right[k].size()];
    answers.push_back({text.traces[k], asked_of(text.traces[k]->model, one.token, question, one.answer)});
  }
  return answers;
}

AnswerText AnswerTexts::of(const Document& document, const MarkedSentences& marked, const Progress& progress) {
  const KnownText known = texts_.of(document, marked);
  AnswerText text =
      over(document, known.sentences, known.source.empty() ? "text that the model knows" : known.source, progress);
  text.unit = known.unit;
  text.task = known.task;
  return text;
}

AnswerText AnswerTexts::over(const Document& document, const MarkedSentences& sentences, const std::string& named,
                             const Progress& progress) {
  check_poolable(document, sentences);
  AnswerText text;
  text.traces = traces_.evaluate(document, sentences, pool_, progress);
  text.named = named;
  for (const auto& trace : text.traces) text.tokens += trace->X.rows();
  return text;
}

std::shared_ptr<const Trace> counterfactual_of(const Document& document, const Trace& trace,
                                               const std::string& sentence, ThreadPool* pool) {
  check_sentence(sentence);
  Document other = document;
  other.tokens.reset();
  other.sentence = sentence;
  const std::vector<std::string> tokens = tokens_of(other);
  if (tokens.size() != trace.tokens.size())
    throw InputError("it has " + std::to_string(tokens.size()) + " tokens and the sentence " +
                     std::to_string(trace.tokens.size()) +
                     "; give one of as many, so that what a head adds stands at the same tokens");
  if (document.embedding.kind == Embedding::Kind::explicit_values)
    throw InputError("X of this document is of its own sentence; words give it no other");
  Document behind = with_tokens(document, tokens_without_pads(other));
  behind.pads = document.pads;
  return evaluate(behind, nullptr, pool);
}

}  // namespace hydra::learn
