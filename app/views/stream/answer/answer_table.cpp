#include "app/views/stream/answer/answer_table.h"

#include <algorithm>
#include <cmath>

#include "app/draw/format.h"
#include "app/draw/nth.h"

namespace hydra {

namespace {

using Result = AnswerMeasure::Result;

// What of the text and of random heads stands in the table that is copied.
struct ContextEntry {
  const char* name;
  AnswerColumn column;
  AnswerBy by;
};
constexpr ContextEntry kContext[] = {
    {"direct", AnswerColumn::direct, AnswerBy::logit},
    {"zero_logit_change", AnswerColumn::zero, AnswerBy::logit},
    {"zero_probability_change", AnswerColumn::zero, AnswerBy::probability},
};

std::string cell_of(double value) { return std::isnan(value) ? "" : ui::that_reads_back(static_cast<float>(value)); }

// What would end a cell or begin another one.
std::string safe(std::string text, TableText as) {
  if (as == TableText::csv && text.find_first_of("\",\n") != std::string::npos) {
    std::string quoted = "\"";
    for (const char letter : text) quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
    return quoted + "\"";
  }
  if (as == TableText::tabs) std::ranges::replace(text, '\t', ' ');
  if (as == TableText::markdown) {
    std::string escaped;
    for (const char letter : text) escaped += letter == '|' ? std::string("\\|") : std::string(1, letter);
    return escaped;
  }
  return text;
}

std::string line_of(const std::vector<std::string>& cells, TableText as) {
  std::string line = as == TableText::markdown ? "| " : "";
  for (std::size_t k = 0; k < cells.size(); ++k) {
    if (k > 0) line += as == TableText::tabs ? "\t" : as == TableText::csv ? "," : " | ";
    line += safe(cells[k], as);
  }
  return line + (as == TableText::markdown ? " |\n" : "\n");
}

}  // namespace

std::string answer_table(const Result& of, const Trace& trace, const HeadNames& names, AnswerBy by, TableText as) {
  const std::vector<AnswerColumnEntry> columns = answer_columns(of);
  std::vector<std::string> head{"layer", "head", "name"};
  for (const AnswerColumnEntry& entry : columns)
    if (entry.column == AnswerColumn::direct)
      head.insert(head.end(), {"direct", "direct_against_rival"});
    else if (entry.column == AnswerColumn::lost)
      head.insert(head.end(), {"answers_lost", "answers_lost_low", "answers_lost_high"});
    else
      for (const char* part : {"_logit", "_rival_logit", "_probability"}) head.push_back(std::string(entry.key) + part);
  for (const ContextEntry& number : kContext) {
    const std::string name = number.name;
    if (of.over) head.insert(head.end(), {name + "_text_mean", name + "_text_low", name + "_text_high"});
    if (!of.random.empty()) head.push_back(name + "_random");
  }
  std::string text = answer_sentence(of, trace, by) + (as == TableText::markdown ? "\n\n" : "\n");
  if (as == TableText::csv) text = line_of({answer_sentence(of, trace, by)}, as);
  text += line_of(head, as);
  if (as == TableText::markdown) text += line_of(std::vector<std::string>(head.size(), "---"), as);
  for (std::size_t k = 0; k < of.answer.heads.size(); ++k) {
    const HeadAnswer& of_head = of.answer.heads[k];
    std::vector<std::string> cells{std::to_string(of_head.layer + 1), std::to_string(of_head.head + 1), nth(names, k)};
    for (const AnswerColumnEntry& entry : columns)
      if (entry.column == AnswerColumn::direct) {
        cells.insert(cells.end(), {cell_of(of_head.direct), cell_of(of_head.against_rival)});
      } else if (entry.column == AnswerColumn::lost) {
        const MeanInterval lost = mean_change(of, k, AnswerColumn::lost, AnswerBy::logit);
        cells.push_back(cell_of(-change_of(of, k, AnswerColumn::lost, AnswerBy::logit)));
        cells.insert(cells.end(), {cell_of(-lost.high), cell_of(-lost.low)});
      } else {
        const AnswerRead* read = read_after(of_head, entry.column);
        for (const double value : {read->logit, read->rival_logit, read->probability}) cells.push_back(cell_of(value));
      }
    for (const ContextEntry& number : kContext) {
      if (of.over) {
        const MeanInterval over = mean_change(of, k, number.column, number.by);
        for (const double value : {over.mean, over.low, over.high}) cells.push_back(cell_of(value));
      }
      if (!of.random.empty()) cells.push_back(cell_of(chance_of(of, k, number.column, number.by)));
    }
    text += line_of(cells, as);
  }
  return text;
}

}  // namespace hydra
