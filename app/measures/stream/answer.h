// Which heads do it, for one answer of the readout (Stream, Answer): what each writes of its logit by itself, and
// what becomes of it when the head is changed.
#pragma once
#include <tuple>

#include "app/measures/registry/registry.h"
#include "core/analysis/answer/head_sets.h"
#include "core/analysis/answer/over_text.h"
#include "core/analysis/answer/random_heads.h"
#include "core/attention/recompute.h"
#include "core/learn/opened/answer_text.h"

namespace hydra {

struct AnswerMeasure : MeasureOfTrace {
  struct Wanted {
    Index token = 0, question = 0;
    std::optional<std::string> answer, rival;  // words; none, or not the readout's: the likeliest
    std::string counterfactual;                // a sentence; empty: nothing is patched
    PatchedPart part = PatchedPart::head;
    bool operator==(const Wanted&) const = default;
  };
  struct Result {
    AskedAnswer asked;
    AnswerHeads answer;
    std::string text;                             // that means are over, in words; empty: none so far, or there is none
    Index resampled = 0;                          // sentences of it
    std::string text_fault;                       // why there is none
    std::shared_ptr<const Trace> counterfactual;  // null: nothing was patched
    PatchedPart part = PatchedPart::head;         // that was
    std::string counterfactual_fault;             // why, though a sentence is wanted
    bool rival_there = false;                     // the rival is what is answered in that sentence
    std::vector<std::string> counterfactual_unknown;  // sentences about its words that the model does not know
    std::vector<RandomHeads> random;                  // by layer; empty so far
    std::optional<OverText> over;  // the text's answers to the question; none so far, or there are none
    // Where it is a question of a task, over sequences that no head is named on: what is lost without each head, by
    // layer.
    std::vector<std::shared_ptr<const AnswersLost>> lost;
    Index task_question = 0;  // of the task's
    std::string task;         // "Grammar"
    bool of_shipped_task = false;
    bool searched = false;  // for sets of heads
    std::optional<HeadSets> sets;
  };
  struct Kept : KeptThreads {
    learn::AnswerTexts texts{&pool};
    // Of the last document: of all questions of a task, of a question over the text, of an answer and its rival, of an
    // answer whatever its rival.
    template <class Value, class... Of>
    using Last = RecentlyComputed<std::tuple<Stamp, Of...>, Value, 1>;
    Last<std::vector<std::shared_ptr<const AnswersLost>>, std::shared_ptr<const learn::Task>> lost;
    Last<std::optional<OverText>, MarkedSentences, Index> over;
    Last<std::vector<RandomHeads>, AskedAnswer> random;
    Last<std::optional<HeadSets>, AskedAnswer> sets;
  };
  static constexpr const char* kFailed = "measures:answer.failed";
  static constexpr bool kLetsGo = true;
  static bool is_there(const Moment& now, const Wanted& wanted) {
    const ModelTrace<float>& model = now.trace->model;
    return !now.trace->older_from && model.logits && wanted.token < model.logits.rows() &&
           wanted.question < model.next_words.parts();
  }
  static double cost(const Moment& now, const Wanted& wanted);
  static std::size_t bytes(const Result& result);
  static Result compute(const MeasuredOf& of, const Wanted& wanted, const MeasureTurn<AnswerMeasure>& turn);
};

}  // namespace hydra
