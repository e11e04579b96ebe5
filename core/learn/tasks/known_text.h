// The text that a document's heads are named on: sequences of words that its model knows. A word that a learned table
// has no row for gets a vector from its letters, which means nothing to the model, so what its heads do there is no
// evidence.
//
// - A model with the words, questions and answers of a task that ships: sequences of that task, with the jobs of which
//   it is known where a head would look. Of several such tasks the one whose page the document brings, or else the one
//   that it answers best.
// - Another model with learned words that reads out its own next word: rows of its words, drawn at random, each said
//   twice. There is the job of looking at the word before and that of induction (Olsson et al. 2022 measure heads so).
// - Another model with learned words: those of the marked sentences of which it knows every word.
// - A model whose words have their vectors from letters or from features: all marked sentences.
#pragma once
#include <map>

#include "core/analysis/roles/jobs.h"
#include "core/learn/task.h"
#include "core/measures/pooled.h"
#include "core/measures/sweep.h"

namespace hydra::learn {

struct KnownText {
  MarkedSentences sentences;         // may have none; the same one for the same task and marked sentences
  HeadJobs jobs;                     // of which the sentences say where a head would look; none but of a task
  std::shared_ptr<const Task> task;  // that asks; null: none
  std::string unit = "sentence";     // what the sentences are
  std::string source;                // "Grammar: four questions about each word"; empty: they are the marked ones
};

// The share of their tokens that the model knows (core/document/text/known_words.h).
double known_share(const Document& document, const std::vector<AnnotatedSentence>& sentences);

// Makes texts, and keeps those that it made, so that what is measured on them can be kept as well. For one thread.
class KnownTexts {
 public:
  // Throws InputError when a text cannot be had for what the model is: it gives X itself, or it knows too few words.
  KnownText of(const Document& document, const MarkedSentences& marked);
  // The task that ships which the model answers; null: none.
  std::shared_ptr<const Task> task_of(const Document& document);

 private:
  struct Made {
    std::shared_ptr<const Task> task;
    MarkedSentences marked, sentences;
    Vocabulary words;
    HeadJobs jobs;
  };
  const Made& made_of(const std::shared_ptr<const Task>& task, const MarkedSentences& marked);

  std::map<std::string, std::shared_ptr<const Task>, std::less<>> tasks_;  // by key, made when they are asked for
  std::vector<Made> made_;                                                 // the last few
  std::shared_ptr<const Task> repeats_;                                    // of the last model without a task
};

// Whether the model has the words, questions and answers of the task.
bool is_of(const Document& document, const TaskInfo& task);

// What is right where the task asks that question, in each of the sequences that KnownTexts names heads on.
struct RightAnswer {
  Index token = 0, answer = 0;  // of the task's answers
};
std::vector<std::vector<RightAnswer>> right_answers(const Task& task, Index question);

inline constexpr std::uint64_t kConfirmingSeed = 7'000'001;  // of sequences that KnownTexts names no heads on

// What the answers lose without each head: [layer], over sequences of the task by that seed. Heads that are silent are
// tried as if they were not. Throws InputError when the model cannot be run so, Stopped when that is asked for.
std::vector<std::shared_ptr<const AnswersLost>> answers_lost(const Document& document,
                                                             const std::shared_ptr<const Task>& task,
                                                             ThreadPool* pool = nullptr, const Progress& progress = {},
                                                             std::uint64_t seed = kConfirmingSeed);

// The accuracy of each entry, cut as it is, over sequences of the task by kConfirmingSeed. Of a document without a task
// that ships the entries stay as they are.
void add_accuracy(const Document& document, int layer, KnownTexts& texts, std::vector<SweepEntry>& entries,
                  ThreadPool* pool = nullptr, const std::stop_token& stop = {});

}  // namespace hydra::learn
