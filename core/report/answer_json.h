// What the answer command says of one answer (docs/document.md): which heads do it.
#pragma once
#include "core/analysis/answer/head_sets.h"
#include "core/analysis/answer/over_text.h"
#include "core/analysis/answer/random_heads.h"
#include "core/json/writer.h"

namespace hydra {

// What the heads were changed to, in words.
struct AnswerSources {
  std::string text;  // "the 40 marked sentences, 483 tokens"; empty: no text
  Index resampled = 0;
  std::vector<std::string> counterfactual;  // its tokens; none: nothing was patched
  std::string part = "head";                // that was
};
// What the heads' numbers are held against.
struct AnswerChance {
  std::vector<RandomHeads> random;  // by layer
  std::optional<OverText> over;     // none: the text is not asked the question
};

struct AnswerReport {
  const std::vector<std::string>& tokens;  // of the sentence
  const NextWords& words;
  const AskedAnswer& asked;
  const AnswerHeads& answer;
  const AnswerChance& chance;
  const std::optional<HeadSets>& sets;  // none that were looked for
  const AnswerSources& sources;
};
// A JSON object, whole.
void write_answer(const AnswerReport& report, JsonWriter& out);

}  // namespace hydra
