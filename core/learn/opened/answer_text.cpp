#include "core/learn/opened/answer_text.h"

#include "core/document/evaluate.h"
#include "core/error.h"

namespace hydra::learn {

std::string AnswerText::told() const {
  if (traces.empty()) return {};
  return named + ", " + std::to_string(traces.size()) + " " + unit + (traces.size() == 1 ? "" : "s") + ", " +
         std::to_string(tokens) + " tokens";
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
  return evaluate(with_tokens(document, tokens), nullptr, pool);
}

}  // namespace hydra::learn
