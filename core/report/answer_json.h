// What the answer command says of one answer (docs/document.md): which heads do it.
#pragma once
#include "core/analysis/answer/head_sets.h"
#include "core/json/writer.h"

namespace hydra {

// What the heads were changed to, in words.
struct AnswerSources {
  std::string text;  // "the 40 marked sentences, 483 tokens"; empty: no text
  Index resampled = 0;
  std::vector<std::string> counterfactual;  // its tokens; none: nothing was patched
  std::string part = "head";                // that was
};
// A JSON object, whole. tokens: of the sentence. sets: none that were looked for.
void write_answer(const std::vector<std::string>& tokens, const NextWords& words, const AskedAnswer& asked,
                  const AnswerHeads& answer, const std::optional<HeadSets>& sets, const AnswerSources& sources,
                  JsonWriter& out);

}  // namespace hydra
