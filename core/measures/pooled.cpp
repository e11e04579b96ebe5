#include "core/measures/pooled.h"

#include <algorithm>

#include "core/document/evaluate.h"
#include "core/document/model.h"
#include "core/error.h"

namespace hydra {

MarkedSentences shipped_sentences() {
  return std::make_shared<std::vector<AnnotatedSentence>>(standard_sentences().sentences);
}

namespace {

constexpr Keeping kAskedRows{.read_out = ReadOut::asked_rows};  // most measures ask for none

void check_embedding(const Document& document) {
  if (document.embedding.kind == Embedding::Kind::explicit_values)
    throw InputError(
        "the document gives X itself, for its own sentence only: other sentences need an embedding of their words");
}
bool has_mask_by_hand(const Document& document) {
  return std::ranges::any_of(document.layers, [](const Layer& layer) { return layer.mask.kind == Mask::Kind::custom; });
}

}  // namespace

void check_poolable(const Document& document, const MarkedSentences& marked) {
  if (!marked || marked->empty()) throw InputError("there are no marked sentences to measure the heads on");
  check_embedding(document);
  if (has_mask_by_hand(document))
    throw InputError(
        "the mask was set by hand, for this sentence only: choose none or causal to measure other sentences");
}

Document with_tokens(const Document& document, const std::vector<std::string>& tokens) {
  Document other = document;
  other.sentence.clear();
  other.tokens = tokens;
  other.pads = {};
  other.embedding.edits.clear();
  other.aside.clear();
  for (Layer& layer : other.layers) layer.painted.clear();
  draw_places(other);
  return other;
}

std::shared_ptr<const Trace> trace_on(const Document& document, const std::vector<std::string>& tokens,
                                      ThreadPool* pool, const Pads& pads) {
  const std::vector<std::string> own = tokens_of(document);
  if (own == tokens && document.pads == pads) return evaluate(document, nullptr, pool);
  check_embedding(document);
  if (own.size() != tokens.size() && has_mask_by_hand(document))
    throw InputError("its mask was set by hand, for a sentence of " + std::to_string(own.size()) +
                     " tokens, and this one has " + std::to_string(tokens.size()) + ": choose none or causal");
  Document other = with_tokens(document, {tokens.begin() + pads.count, tokens.end()});
  other.pads = pads;
  return evaluate(other, nullptr, pool);
}

const std::vector<std::shared_ptr<const Trace>>& PooledTraces::evaluate(const Document& document,
                                                                        const MarkedSentences& marked, ThreadPool* pool,
                                                                        const Progress& progress) {
  check_poolable(document, marked);
  traces_.resize(marked->size());
  for (std::size_t k = 0; k < traces_.size(); ++k) {
    const Trace* previous = traces_[k] || k == 0 ? traces_[k].get() : traces_[k - 1].get();  // as in visit
    traces_[k] = hydra::evaluate(with_tokens(document, (*marked)[k].tokens), previous, pool, kAskedRows);
    progress.step();
  }
  return traces_;
}

void PooledTraces::visit(const Document& whole, int layers, const MarkedSentences& marked, ThreadPool* pool,
                         const std::function<void(std::size_t, const Trace&)>& visit) {
  check_poolable(whole, marked);
  Document document = whole;
  document.layers.resize(static_cast<std::size_t>(layers));
  constexpr Index kMostNumbers = 16'000'000;  // numbers: patterns and contributions
  Index numbers = 0;
  for (const AnnotatedSentence& sentence : *marked) {
    const auto n = static_cast<Index>(sentence.tokens.size());
    for (const Layer& layer : document.layers) numbers += layer.heads * n * (2 * n + document.d_model);
  }
  traces_.resize(numbers > kMostNumbers ? 0 : marked->size());
  std::shared_ptr<const Trace> last;  // of another sentence: what is known of the weights is known of them
  for (std::size_t k = 0; k < marked->size(); ++k) {
    const Trace* previous = !traces_.empty() && traces_[k] ? traces_[k].get() : last.get();
    const auto trace = hydra::evaluate(with_tokens(document, (*marked)[k].tokens), previous, pool, kAskedRows);
    visit(k, *trace);
    if (!traces_.empty()) traces_[k] = trace;
    last = trace;
  }
}

}  // namespace hydra
