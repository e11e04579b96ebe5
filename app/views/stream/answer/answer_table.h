// The table of one answer as text, to be copied.
#pragma once
#include <string>
#include <vector>

#include "app/views/stream/answer/answer_words.h"

namespace hydra {

// Of the heads, as they are called on the screen.
using HeadNames = std::vector<std::string>;

enum class TableText { tabs, csv, markdown };
// The sentence, then a row for each head with the numbers in full.
std::string answer_table(const AnswerMeasure::Result& of, const Trace& trace, const HeadNames& names, AnswerBy by,
                         TableText as);

}  // namespace hydra
