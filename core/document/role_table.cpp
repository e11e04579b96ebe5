#include "core/document/role_table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/analysis/shares.h"
#include "core/design/asked.h"
#include "core/document/slices.h"
#include "core/error.h"

namespace hydra {

namespace {

bool same_similarity(const Similarity* a, const Similarity* b) {
  if (a == b) return true;
  return a && b && a->counted == b->counted && a->values == b->values;
}

bool same_targets(const SentenceTargets& a, const SentenceTargets& b) {
  return &a == &b || (a.n == b.n && a.seen == b.seen && a.mask == b.mask && a.patterns == b.patterns &&
                      a.relations == b.relations && a.offsets == b.offsets &&
                      same_similarity(a.similarity.get(), b.similarity.get()));
}

// Random heads as the source would draw them: its gain is on W_Q and on W_K.
HeadsLike drawn_like(const LayerInput<float>& layer, const WeightSource& source) {
  HeadsLike like = heads_like(layer);
  if (!like.settings.qk_norm) like.score_factor *= source.gain * source.gain;  // a norm takes a gain away
  return like;
}

// Adds what the heads do in rows in which they are asked for nothing.
void add_unasked(const Trace& trace, int at, const std::vector<std::optional<HeadDesign>>& designs,
                 std::vector<Unasked>& unasked) {
  const LayerTrace<float>& layer = trace.layer(at);
  if (designs.size() != layer.heads.size()) return;
  unasked.resize(designs.size());
  for (std::size_t h = 0; h < designs.size(); ++h) {
    if (!designs[h]) continue;
    const Array<float> shares = attention_shares(layer, static_cast<Index>(h));
    const MatView<float> A = *shares;
    for (Index i = 0; i < A.rows(); ++i) {
      if (asks_in_row(*designs[h], trace.tokens, trace.words, layer.input.mask, i)) continue;
      Index seen = 0;
      for (Index j = 0; j < A.cols(); ++j) seen += layer.input.mask.allows(i, j);
      const float top = A.row(i).maxCoeff();
      ++unasked[h].rows;
      if (seen < kBoldKeys || !(top > kBoldWeight)) continue;
      ++unasked[h].bold;
      unasked[h].strongest = std::max(unasked[h].strongest, static_cast<double>(top));
    }
  }
}

}  // namespace

std::vector<BaselineSentence> RandomInput::sentences() const {
  std::vector<BaselineSentence> sentences;
  for (std::size_t k = 0; k < inputs.size(); ++k) sentences.push_back({inputs[k], targets[k].get()});
  return sentences;
}

bool same_random_input(const RandomInput& a, const RandomInput& b) {
  return a.layer == b.layer && std::equal(a.inputs.begin(), a.inputs.end(), b.inputs.begin(), b.inputs.end()) &&
         std::equal(a.targets.begin(), a.targets.end(), b.targets.begin(), b.targets.end(),
                    [](const auto& x, const auto& y) { return same_targets(*x, *y); });
}

NameBounds bounds_of(const RandomInput& random, ThreadPool* pool, const std::stop_token& stop) {
  return name_bounds(random.sentences(), random.layer, pool, stop);
}

const std::shared_ptr<const SentenceTargets>& RoleTables::own_targets(const Trace& trace, const Mask& mask,
                                                                      const MarkedSentences& marked) {
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

void RoleTables::add_chance(RandomInput random, KeptChance& kept, RoleTable& table) const {
  if (kept.on.inputs.empty() || !same_random_input(kept.on, random))
    kept = {random, random_baseline(random.sentences(), random.layer, pool_)};
  table.chance = kept.mean;
  table.random_heads = random_draws(random.layer.heads) * random.layer.heads;
  table.random = std::move(random);
}

RoleTable RoleTables::of_sentence(const Trace& trace, int at, const MarkedSentences& marked,
                                  const WeightSource& source) {
  const LayerTrace<float>& layer = trace.layer(at);
  const std::shared_ptr<const SentenceTargets> targets = own_targets(trace, layer.input.mask, marked);
  heads_.resize(layer.heads.size());
  const double output = layer.output->cast<double>().squaredNorm();
  parallel_for(pool_, static_cast<Index>(heads_.size()), [&](Index h) {
    Head& kept = heads_[static_cast<std::size_t>(h)];
    const HeadTrace<float>& head = layer.heads[static_cast<std::size_t>(h)];
    const bool same_contribution = kept.contribution == head.contribution.stamp();
    const double contribution =
        same_contribution ? kept.sums.contribution : contribution_once(layer, h)->cast<double>().squaredNorm();
    if (kept.attention != head.attention.stamp()) kept.sums = pattern_sums(*attention_shares(layer, h), *targets);
    kept.attention = head.attention.stamp();
    kept.contribution = head.contribution.stamp();
    kept.sums.contribution = contribution;
    kept.sums.output = output;
  });
  RoleTable table;
  for (const Head& head : heads_) table.heads.push_back(finish(head.sums, targets->offsets));
  add_unasked(trace, at, source.designs, table.unasked);
  add_chance({{layer.input.X}, {targets}, drawn_like(layer.input, source)}, own_chance_, table);
  return table;
}

void RoleTables::renew_pooled_targets(const MarkedSentences& marked, const Mask& mask,
                                      std::vector<std::vector<WordFeatures>> words) {
  if (pooled_ == marked && pooled_mask_ == mask && pooled_words_ == words) return;
  pooled_targets_.clear();
  const RelationOffsets offsets = best_offsets(*marked);
  for (std::size_t k = 0; k < marked->size(); ++k)
    pooled_targets_.push_back(std::make_shared<const SentenceTargets>(
        sentence_targets((*marked)[k].tokens, words[k], &(*marked)[k], mask, offsets)));
  pooled_ = marked;
  pooled_mask_ = mask;
  pooled_words_ = std::move(words);
}

RoleTable RoleTables::pooled(const Document& document, int at, const MarkedSentences& marked) {
  check_poolable(document, marked);
  const Layer& layer = document.layer(at);
  std::vector<std::vector<WordFeatures>> words;
  for (const AnnotatedSentence& sentence : *marked) words.push_back(words_of(document, sentence.tokens));
  renew_pooled_targets(marked, layer.seen(), std::move(words));

  RoleTable table;
  RandomInput random{{}, pooled_targets_, {}};
  std::vector<std::vector<RoleSums>> sums(static_cast<std::size_t>(layer.heads));  // by head, by sentence
  traces_.visit(document, marked, pool_, [&](std::size_t k, const Trace& trace) {
    for (std::size_t h = 0; h < sums.size(); ++h)
      sums[h].push_back(head_sums(trace.layer(at), static_cast<int>(h), *pooled_targets_[k]));
    add_unasked(trace, at, layer.source.designs, table.unasked);
    random.inputs.push_back(trace.layer(at).input.X);
    random.layer = drawn_like(trace.layer(at).input, layer.source);
    table.sentences.push_back((*marked)[k].sentence);
  });
  table.heads.resize(sums.size());
  table.intervals.resize(sums.size());
  parallel_for(pool_, static_cast<Index>(sums.size()), [&](Index head) {
    const auto h = static_cast<std::size_t>(head);
    RoleSums all;
    for (const RoleSums& sentence : sums[h]) all += sentence;
    table.heads[h] = finish(all, pooled_targets_.front()->offsets);
    table.intervals[h] = intervals_of(sums[h], pooled_targets_.front()->offsets);
  });
  add_chance(std::move(random), pooled_chance_, table);
  return table;
}

Interval interval_of(const Role& role, const RoleTable& table, int head) {
  if (role.kind == Role::Kind::mixed || table.intervals.empty()) return {};
  const RoleIntervals& intervals = table.intervals[static_cast<std::size_t>(head)];
  const auto claim = static_cast<std::size_t>(claim_of(role));
  return {claims_of(intervals.low)[claim].score, claims_of(intervals.high)[claim].score};
}

std::string scored_name_with_interval(const Role& role, const RoleTable& table, int head) {
  const Interval interval = interval_of(role, table, head);
  if (std::isnan(interval.low)) return scored_name(role);
  char ends[48];
  std::snprintf(ends, sizeof ends, " (%.2f to %.2f)", interval.low, interval.high);
  return scored_name(role) + ends;
}

std::string label_with_interval(const Role& role, const RoleTable& table, int head) {
  std::string text = scored_name_with_interval(role, table, head) + rows_text(role);
  if (role.kind != Role::Kind::mixed && !table.sentences.empty())
    text +=
        " of " + std::to_string(table.sentences.size()) + (table.sentences.size() == 1 ? " sentence" : " sentences");
  return text;
}

std::string bold_sentence(const RoleTable& table, int head) {
  if (static_cast<std::size_t>(head) >= table.unasked.size()) return {};
  const Unasked& unasked = table.unasked[static_cast<std::size_t>(head)];
  if (unasked.bold == 0) return {};
  char text[160];
  std::snprintf(text, sizeof text, "on %lld of the %lld rows where nothing was asked it attends boldly (up to %.2f)",
                static_cast<long long>(unasked.bold), static_cast<long long>(unasked.rows), unasked.strongest);
  return text;
}

}  // namespace hydra
