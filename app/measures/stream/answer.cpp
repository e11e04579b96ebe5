#include "app/measures/stream/answer.h"

#include <algorithm>

#include "core/document/text/known_words.h"
#include "core/error.h"

namespace hydra {

namespace {

std::optional<Index> place_of(const std::optional<std::string>& word, const Vocabulary& words) {
  const Index place = word ? words.find(*word) : Vocabulary::kNone;
  return place == Vocabulary::kNone ? std::nullopt : std::optional(place);
}

AskedAnswer asked_by(const AnswerMeasure::Wanted& wanted, const ModelTrace<float>& model) {
  const Vocabulary& words = model.next_words.words;
  const std::optional<Index> answer = place_of(wanted.answer, words);
  AskedAnswer asked = asked_of(model, wanted.token, wanted.question, answer, place_of(wanted.rival, words));
  if (asked.rival == asked.answer) asked = asked_of(model, wanted.token, wanted.question, answer);
  return asked;
}

// A model that cannot be run on the task has lost nothing that could be told.
void find_lost(const MeasuredOf& of, const std::shared_ptr<const learn::Task>& task, Index question,
               const MeasureTurn<AnswerMeasure>& turn, AnswerMeasure::Result& result) {
  const std::optional<Index> at = learn::question_of(*task, of.trace->model.next_words, question);
  if (!at) return;
  result.lost = turn.kept.lost.get({of.stamp, task}, [&]() -> std::vector<std::shared_ptr<const AnswersLost>> {
    try {
      return learn::answers_lost(of.document, task, &turn.kept.pool,
                                 turn.begin(static_cast<int>(result.answer.heads.size())));
    } catch (const InputError&) {
      return {};
    }
  });
  result.task_question = *at;
  result.task = task->outline().title.substr(0, task->outline().title.find(':'));
  result.of_shipped_task = std::ranges::count(learn::task_keys(), task->outline().key) > 0;
}

void find_random(const MeasuredOf& of, const MeasureTurn<AnswerMeasure>& turn, AnswerMeasure::Result& result) {
  result.random = turn.kept.random.get({of.stamp, result.asked}, [&] {
    return random_heads(*of.trace, result.asked, &turn.kept.pool,
                        turn.begin(static_cast<int>(of.trace->layers.size())));
  });
}

void find_over(const MeasuredOf& of, const learn::AnswerText& text, const HeadMeans& means, Index question,
               const MeasureTurn<AnswerMeasure>& turn, AnswerMeasure::Result& result) {
  result.over = turn.kept.over.get({of.stamp, of.marked, question}, [&]() -> std::optional<OverText> {
    const std::vector<TextAnswer> answers = learn::answers_of(text, question);
    if (answers.empty()) return std::nullopt;
    return over_text(answers, means, &turn.kept.pool, turn.begin(static_cast<int>(answers.size())));
  });
}

void find_sets(const MeasuredOf& of, const MeasureTurn<AnswerMeasure>& turn, AnswerMeasure::Result& result) {
  AskedAnswer asked = result.asked;
  asked.rival.reset();
  result.sets = turn.kept.sets.get({of.stamp, asked}, [&] {
    return head_sets(*of.trace, result.asked, &turn.kept.pool,
                     turn.begin(static_cast<int>(result.answer.heads.size())));
  });
  result.searched = true;
}

}  // namespace

// The layers above each head once for each of its changes.
double AnswerMeasure::cost(const Moment& now, const Wanted&) {
  double cost = 0, above = 0;
  for (auto layer = now.trace->layers.rbegin(); layer != now.trace->layers.rend(); ++layer) {
    const LayerInput<float>& input = layer->input;
    const auto products = 12 * static_cast<double>(input.d_model()) * static_cast<double>(input.d_model());
    cost += static_cast<double>(input.heads * (kMostResampled + 3)) * above;
    above += static_cast<double>(input.n()) * products;
  }
  return cost + above;
}

std::size_t AnswerMeasure::bytes(const Result& result) {
  return result.answer.heads.size() * (sizeof(HeadAnswer) + (result.over ? sizeof(HeadOverText) : 0)) +
         result.random.size() * sizeof(RandomHeads) + result.text.size();
}

AnswerMeasure::Result AnswerMeasure::compute(const MeasuredOf& of, const Wanted& wanted,
                                             const MeasureTurn<AnswerMeasure>& turn) {
  const Trace& trace = *of.trace;
  ThreadPool* const pool = &turn.kept.pool;
  Result result;
  result.asked = asked_by(wanted, trace.model);
  result.answer = head_answers(trace, result.asked, {}, pool, turn.progress());
  turn.publish(result, true);
  pause(turn.stop);
  std::shared_ptr<const Trace> counterfactual;
  try {
    if (!wanted.counterfactual.empty())
      counterfactual = learn::counterfactual_of(of.document, trace, wanted.counterfactual, pool);
    result.counterfactual = counterfactual, result.part = wanted.part;
    if (counterfactual)
      result.counterfactual_unknown = unknown_sentences(known_words(*counterfactual), counterfactual->tokens);
    // Held against what is answered there, where nobody has chosen another word.
    if (counterfactual && !place_of(wanted.rival, trace.model.next_words.words)) {
      const Index there = asked_of(counterfactual->model, wanted.token, wanted.question).answer;
      if (there != result.asked.answer) result.asked.rival = there, result.rival_there = true;
    }
  } catch (const InputError& fault) {
    result.counterfactual_fault = fault.what();
  }
  learn::AnswerText text;
  try {
    text = turn.kept.texts.of(of.document, of.marked, turn.progress());
  } catch (const InputError& fault) {
    result.text_fault = fault.what();
  }
  result.text = text.told();
  result.resampled = std::ssize(resampled_from(trace, text.traces));
  const HeadMeans means = means_over(text.traces, pool);
  if (counterfactual || !text.traces.empty())
    result.answer = head_answers(trace, result.asked, {text.traces, counterfactual.get(), wanted.part, means}, pool,
                                 turn.begin(static_cast<int>(result.answer.heads.size())));
  turn.publish(result, true);
  find_random(of, turn, result);
  find_over(of, text, means, wanted.question, turn, result);
  turn.publish(result, true);
  if (text.task) find_lost(of, text.task, wanted.question, turn, result);
  find_sets(of, turn, result);
  return result;
}

}  // namespace hydra
