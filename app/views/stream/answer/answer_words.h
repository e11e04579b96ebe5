// What the page of one answer says in words, and the numbers of its columns.
#pragma once
#include <string>
#include <vector>

#include "app/measures/stream/answer.h"
#include "app/scene/choices.h"

namespace hydra {

// What a head's column tells.
enum class AnswerColumn { direct, zero, mean, resampled, patched, lost };
struct AnswerColumnEntry {
  AnswerColumn column;
  const char *key, *title, *tip;  // the title is a text of two lines
};
// Those of which there is something: no means without a text, nothing patched without a sentence.
std::vector<AnswerColumnEntry> answer_columns(const AnswerMeasure::Result& of);

// As it is chosen; where there is no rival, the logit for a difference.
inline AnswerBy told_by(const AnswerMeasure::Result& of, AnswerBy chosen) {
  return chosen == AnswerBy::difference && !of.asked.rival ? AnswerBy::logit : chosen;
}
// How much of the answer there is: its logit less the rival's, its logit or its probability.
double told_of(const AnswerRead& read, AnswerBy by);
// What is read once the head is changed; null: by a column of another kind, or it is not known.
const AnswerRead* read_after(const HeadAnswer& head, AnswerColumn column);
// By how much the answer becomes less or more; of lost answers by how much their share falls.
double change_of(const AnswerMeasure::Result& of, std::size_t head, AnswerColumn column, AnswerBy by);
// The mean of that change over the answers of the text, with its interval; NaN where it is not known.
MeanInterval mean_change(const AnswerMeasure::Result& of, std::size_t head, AnswerColumn column, AnswerBy by);
// Between - and + this lies what 19 in 20 heads of random weights in its layer come to; NaN where it is not known.
double chance_of(const AnswerMeasure::Result& of, std::size_t head, AnswerColumn column, AnswerBy by);
// Both in words; empty where they are not known.
std::string said_over_text(const AnswerMeasure::Result& of, std::size_t head, AnswerColumn column, AnswerBy by);
std::string said_of_chance(const AnswerMeasure::Result& of, std::size_t head, AnswerColumn column, AnswerBy by);
// Rows as they stand by that column: what takes most from the answer first; -1: in the heads' order.
std::vector<Index> answer_rows(const AnswerMeasure::Result& of, int column, AnswerBy by);

// Which head the answer hangs on, in this sentence and over others, with what the other heads come to and chance; in
// probabilities, and by logits in those as well.
std::string answer_sentence(const AnswerMeasure::Result& of, const Trace& trace, AnswerBy by);
// What the direct effects add up to.
std::string answer_sum(const AnswerMeasure::Result& of, AnswerBy by);
// "“girl” as “antecedent” of “she”: probability 0.997; 8.1 more logit than “king”".
std::string answer_title(const AnswerMeasure::Result& of, const Trace& trace);

}  // namespace hydra
