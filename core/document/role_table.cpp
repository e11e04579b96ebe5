#include "core/document/role_table.h"

#include <algorithm>

#include "core/error.h"
#include "core/linalg/same_bits.h"

namespace hydra {

namespace {

bool same_inputs(const std::vector<MatPtr<float>>& a, const std::vector<MatPtr<float>>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return same_bits<float>(x, y); });
}

}  // namespace

const std::shared_ptr<const SentenceTargets>& RoleTables::own_targets(const Trace& trace,
                                                                      const MarkedSentences& marked) {
  const Mask& mask = trace.layers.front().input.mask;
  if (own_targets_ && tokens_ == trace.tokens && words_ == trace.words && marked_ == marked &&
      own_targets_->mask == mask)
    return own_targets_;
  static const std::vector<AnnotatedSentence> none;
  const std::vector<AnnotatedSentence>& set = marked ? *marked : none;
  own_targets_ = std::make_shared<const SentenceTargets>(
      sentence_targets(trace.tokens, trace.words, find_annotated(set, trace.tokens), mask, best_offsets(set)));
  tokens_ = trace.tokens;
  words_ = trace.words;
  marked_ = marked;
  heads_.clear();
  return own_targets_;
}

const Chance& RoleTables::chance(const std::vector<MatPtr<float>>& inputs,
                                 const std::vector<std::shared_ptr<const SentenceTargets>>& targets,
                                 const HeadsLike& layer, KeptChance& kept) {
  if (kept.layer == layer && kept.targets == targets && same_inputs(kept.inputs, inputs)) return kept.measures;
  std::vector<BaselineSentence> sentences;
  for (std::size_t k = 0; k < inputs.size(); ++k) sentences.push_back({inputs[k], targets[k].get()});
  kept = {inputs, targets, layer, random_baseline(sentences, layer, pool_)};
  return kept.measures;
}

RoleTable RoleTables::of_sentence(const Trace& trace, const MarkedSentences& marked) {
  const LayerTrace<float>& layer = trace.layers.front();
  const std::shared_ptr<const SentenceTargets> targets = own_targets(trace, marked);
  heads_.resize(layer.heads.size());
  const double output = layer.output->cast<double>().squaredNorm();
  parallel_for(pool_, static_cast<Index>(heads_.size()), [&](Index h) {
    Head& kept = heads_[static_cast<std::size_t>(h)];
    const HeadTrace<float>& head = layer.heads[static_cast<std::size_t>(h)];
    const bool same_contribution = kept.contribution.lock() == head.contribution;
    const double contribution =
        same_contribution ? kept.sums.contribution : head.contribution->cast<double>().squaredNorm();
    if (kept.attention.lock() != head.attention) kept.sums = pattern_sums(*head.attention, *targets);
    kept.attention = head.attention;
    kept.contribution = head.contribution;
    kept.sums.contribution = contribution;
    kept.sums.output = output;
  });
  RoleTable table;
  for (const Head& head : heads_) table.heads.push_back(finish(head.sums, targets->offsets));
  table.chance = chance({layer.input.X}, {targets}, heads_like(layer.input), own_chance_);
  table.random_heads = random_draws(layer.input.heads) * layer.input.heads;
  return table;
}

RoleTable RoleTables::pooled(const Document& document, const MarkedSentences& marked) {
  const std::vector<std::shared_ptr<const Trace>>& traces = traces_.evaluate(document, marked);
  std::vector<std::vector<WordFeatures>> words;
  for (const auto& trace : traces) words.push_back(trace->words);
  const Mask& mask = document.layers.front().mask;
  const RelationOffsets offsets = best_offsets(*marked);
  if (pooled_ != marked || pooled_mask_ != mask.kind || pooled_words_ != words) {
    pooled_targets_.clear();
    for (std::size_t k = 0; k < marked->size(); ++k)
      pooled_targets_.push_back(std::make_shared<const SentenceTargets>(
          sentence_targets((*marked)[k].tokens, words[k], &(*marked)[k], mask, offsets)));
    pooled_ = marked;
    pooled_mask_ = mask.kind;
    pooled_words_ = std::move(words);
  }

  RoleTable table;
  std::vector<RoleSums> sums(static_cast<std::size_t>(document.layers.front().heads));
  std::vector<MatPtr<float>> inputs;
  for (std::size_t k = 0; k < marked->size(); ++k) {
    const LayerTrace<float>& layer = traces[k]->layers.front();
    for (std::size_t h = 0; h < sums.size(); ++h) sums[h] += head_sums(layer, static_cast<int>(h), *pooled_targets_[k]);
    inputs.push_back(traces[k]->X);
    table.sentences.push_back((*marked)[k].sentence);
  }
  for (const RoleSums& head : sums) table.heads.push_back(finish(head, offsets));
  const HeadsLike like = heads_like(traces.front()->layers.front().input);
  table.chance = chance(inputs, pooled_targets_, like, pooled_chance_);
  table.random_heads = random_draws(like.heads) * like.heads;
  return table;
}

}  // namespace hydra
