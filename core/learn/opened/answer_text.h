// What heads are changed to, for one answer (core/analysis/answer/head_answers.h): the sentences of a text, and a
// counterfactual sentence.
#pragma once
#include <string>

#include "core/analysis/answer/over_text.h"
#include "core/learn/tasks/known_text.h"

namespace hydra::learn {

struct AnswerText {
  std::vector<std::shared_ptr<const Trace>> traces;  // the document on each sentence
  std::string named, unit = "sentence";
  Index tokens = 0;
  std::shared_ptr<const Task> task;  // whose text it is; null: of none
  std::string told() const;          // "marked sentences, 40 sentences, 483 tokens"; empty where there is none
};

// The model's question as the task has it; nothing where it does not ask it. Questions are known by their names: a
// readout of one question has none.
std::optional<Index> question_of(const Task& task, const NextWords& words, Index question);
// An answer of each sentence to that question of the model: of a task what is right at one of the places where it is
// asked, another one in the next sequence; else the likeliest word at the last token. Sequences that are not asked it
// are left out.
std::vector<TextAnswer> answers_of(const AnswerText& text, Index question);

class AnswerTexts {
 public:
  explicit AnswerTexts(ThreadPool* pool = nullptr) : pool_(pool) {}
  // Of text that the model knows, chosen with these marked sentences. Throws InputError where there is none. A step of
  // progress for each sentence.
  AnswerText of(const Document& document, const MarkedSentences& marked, const Progress& progress = {});
  // Of just these sentences. Throws InputError where the document can be put on no other sentence.
  AnswerText over(const Document& document, const MarkedSentences& sentences, const std::string& named,
                  const Progress& progress = {});

 private:
  ThreadPool* pool_;
  KnownTexts texts_;
  PooledTraces traces_;
};

// The document on another sentence of as many tokens as its trace has. Throws InputError where it has another number of
// them, or where X is of the document's own sentence.
std::shared_ptr<const Trace> counterfactual_of(const Document& document, const Trace& trace,
                                               const std::string& sentence, ThreadPool* pool = nullptr);

}  // namespace hydra::learn
