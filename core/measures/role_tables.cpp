#include "core/measures/role_tables.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/score_spread.h"
#include "core/analysis/shares.h"
#include "core/design/asked.h"
#include "core/document/document.h"
#include "core/document/model.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

// Kept sums of more heads than this would take more memory than measuring them again is worth.
constexpr std::size_t kMostHeadsKept = 1024;

// Random heads as the source would draw them: its gain is on W_Q and on W_K.
// The heads as an untrained layer of this shape draws them.
HeadsLike drawn_like(const LayerInput<float>& layer, const WeightSource& source) {
  HeadsLike like = heads_like(layer);
  if (!like.settings.qk_norm) like.score_factor *= source.gain * source.gain;  // a norm takes a gain away
  return like;
}

// Whether what makes the scores is as the seed draws it, or is known by its design.
bool has_drawn_scores(const Layer& layer) {
  if (!layer.source.designs.empty()) return true;
  if (layer.source.by_number()) return false;
  const AttentionWeights<float>& own = layer.weights;
  const AttentionWeights<float> drawn = weights_of(layer.source, layer, own.W_Q.rows());
  const auto same = [](const Array<float>& a, const Array<float>& b) { return a && b ? *a == *b : !a && !b; };
  return same(own.W_Q, drawn.W_Q) && same(own.W_K, drawn.W_K) && same(own.b_Q, drawn.b_Q) && same(own.b_K, drawn.b_K) &&
         same(own.gain_Q, drawn.gain_Q) && same(own.gain_K, drawn.gain_K);
}

constexpr std::uint64_t kSpreadSeed = 8'000'000;  // far from those that are typed
constexpr int kSpreadSteps = 6;

// The root of the mean square of these.
double together(const std::vector<double>& spreads) {
  double squares = 0, count = 0;
  for (const double spread : spreads)
    if (std::isfinite(spread)) squares += spread * spread, ++count;
  return count > 0 ? std::sqrt(squares / count) : kUndefined;
}

// By what the scores of random layers are multiplied so that they are as far spread as the layer's: sharp heads are to
// be compared with sharp ones. A power of 2, so that small edits leave it as it is; 1 where scores have no spread.
// spreads: of the layer, by sentence.
float sharpened(const HeadsLike& like, const std::vector<double>& spreads, const std::vector<Array<float>>& inputs,
                const std::vector<std::shared_ptr<const SentenceTargets>>& targets) {
  const double wanted = together(spreads);
  if (!(wanted > 0)) return 1;
  const AttentionWeights<float> weights = random_weights(inputs.front().cols(), like, kSpreadSeed);
  double factor = 1;
  for (int step = 0; step < kSpreadSteps; ++step) {  // a cap, or a bias by distance: not linear in the factor
    HeadsLike sharp = like;
    sharp.score_factor *= static_cast<float>(factor);
    std::vector<double> random;
    for (std::size_t k = 0; k < std::min<std::size_t>(inputs.size(), 8); ++k)
      random.push_back(score_spread(random_input(inputs[k], targets[k]->mask, weights, sharp)));
    const double ratio = wanted / together(random);
    if (!std::isfinite(ratio) || ratio <= 0) break;
    factor = std::clamp(factor * ratio, 1e-3, 1e3);
  }
  return static_cast<float>(std::exp2(std::round(std::log2(factor))));
}

// What the heads do in rows in which they are asked for nothing.
std::vector<Unasked> unasked_of(const LayerTrace<float>& layer, const Trace& trace,
                                const std::vector<std::optional<HeadDesign>>& designs) {
  if (designs.size() != layer.heads.size()) return {};
  std::vector<Unasked> unasked(designs.size());
  for (std::size_t h = 0; h < designs.size(); ++h) {
    if (!designs[h]) continue;
    const Array<float> shares = attention_shares(layer, static_cast<Index>(h));
    const MatView<float> A = *shares;
    for (Index i = 0; i < A.rows(); ++i) {
      Index seen = 0;
      for (Index j = 0; j < A.cols(); ++j) seen += layer.input.mask_of(static_cast<Index>(h)).allows(i, j);
      if (asks_in_row(*designs[h], trace.tokens, trace.words, layer.input.mask_of(static_cast<Index>(h)), i)) continue;
      const float top = A.row(i).maxCoeff();
      ++unasked[h].rows;
      if (seen < kBoldKeys || !(top > kBoldWeight)) continue;
      ++unasked[h].bold;
      unasked[h].strongest = std::max(unasked[h].strongest, static_cast<double>(top));
    }
  }
  return unasked;
}

void add(std::vector<Unasked>& sum, const std::vector<Unasked>& more) {
  if (!more.empty()) sum.resize(more.size());
  for (std::size_t h = 0; h < more.size(); ++h) {
    sum[h].rows += more[h].rows;
    sum[h].bold += more[h].bold;
    sum[h].strongest = std::max(sum[h].strongest, more[h].strongest);
  }
}

// Where these designs look first, as jobs of the sentence.
void add_asked(AnnotatedSentence& sentence, const std::vector<HeadDesign>& asking,
               const std::vector<WordFeatures>& words, const Mask& mask) {
  for (const HeadDesign& design : asking) {
    std::vector<GoldPair>& pairs = sentence.jobs.emplace_back();
    for (Index i = 0; i < std::ssize(words); ++i)
      for (const Index j : keys_of_first_ask(design, words, mask, i))
        pairs.push_back({static_cast<int>(i), static_cast<int>(j)});
  }
}

HeadJobs jobs_of(const std::vector<HeadDesign>& asking) {
  HeadJobs jobs;
  for (const HeadDesign& design : asking) {
    const std::string job = first_job(design);
    jobs.push_back(std::make_shared<const HeadJob>(HeadJob{job, job, job, wording("document:role.job.tip")}));
  }
  return jobs;
}

// By head, where one has a mask that is not the layer's; else none.
std::vector<Mask> own_masks(const std::vector<HeadTerms>& own, const Mask& mask) {
  if (std::ranges::all_of(own, [&](const HeadTerms& terms) { return terms.mask == mask; })) return {};
  std::vector<Mask> masks;
  for (const HeadTerms& terms : own) masks.push_back(terms.mask);
  return masks;
}

Stamp stamp_of_measured(const Trace& trace, int at) {
  const LayerTrace<float>& layer = trace.layer(at);
  Key key("heads of a layer");
  key << layer.input.X.stamp() << layer.output.stamp() << trace.block(at).input.stamp();
  for (const HeadTrace<float>& head : layer.heads) key << head.attention.stamp() << head.contribution.stamp();
  return key.stamp();
}

}  // namespace

RoleTables::Asked RoleTables::layer_at(const Document& document, int layer) {
  return {layer, &document.layer(layer).source, has_drawn_scores(document.layer(layer))};
}

std::vector<HeadDesign> RoleTables::Asked::asking(Index heads) const {
  if (std::ssize(source->designs) != heads) return {};  // cut otherwise than they were designed
  return with_first_asks(source->designs);
}

std::vector<RoleTables::Asked> RoleTables::all_layers(const Document& document) {
  std::vector<Asked> all;
  for (int k = 0; k < static_cast<int>(document.layers.size()); ++k) all.push_back(layer_at(document, k));
  return all;
}

void RoleTables::keep_only(Kept& kept, const std::vector<Asked>& asked, std::vector<std::string> tokens,
                           std::vector<std::vector<WordFeatures>> words, const MarkedSentences& marked) {
  if (kept.tokens != tokens || kept.words != words || kept.marked != marked)
    kept = {std::move(tokens), std::move(words), marked, {}, {}};
  std::erase_if(kept.layers,
                [&](const auto& layer) { return std::ranges::find(asked, layer.first, &Asked::layer) == asked.end(); });
}

template <class Make>
const RoleTables::Masked& RoleTables::under(Kept& kept, const Mask& mask, const std::vector<Mask>& own,
                                            const std::vector<HeadDesign>& asking, const Make& make) {
  const auto known = std::ranges::find_if(kept.masked, [&](const Masked& masked) {
    return masked.mask == mask && masked.own == own && masked.asking == asking;
  });
  if (known != kept.masked.end()) return *known;
  if (own.empty()) return kept.masked.emplace_back(Masked{mask, own, asking, make(mask, asking)});
  std::vector<SentenceTargets> of_heads;
  for (const auto& targets : under(kept, mask, {}, asking, make).targets) of_heads.push_back(*targets);
  for (std::size_t h = 0; h < own.size(); ++h) {
    const Masked& of_head = under(kept, own[h], {}, asking, make);
    for (std::size_t k = 0; k < of_heads.size(); ++k) {
      of_heads[k].own.resize(own.size());
      if (own[h] != mask) of_heads[k].own[h] = of_head.targets[k];
    }
  }
  Masked masked{mask, own, asking, {}};
  for (SentenceTargets& targets : of_heads)
    masked.targets.push_back(std::make_shared<const SentenceTargets>(std::move(targets)));
  return kept.masked.emplace_back(std::move(masked));
}

void RoleTables::measure(OfLayer& kept, std::size_t sentence, const Trace& trace, const Asked& asked,
                         const std::shared_ptr<const SentenceTargets>& targets) const {
  const LayerTrace<float>& found = trace.layer(asked.layer);
  kept.like = drawn_like(found.input, *asked.source);
  OnSentence& own = kept.sentences[sentence];
  const Stamp of = stamp_of_measured(trace, asked.layer);
  if (own.of == of && own.targets == targets && own.designs == asked.source->designs) return;
  kept.table = nullptr;
  if (own.targets != targets || own.sums.size() != found.heads.size()) {
    own = {};
    for (std::vector<Stamp>* stamps : {&own.attention, &own.contribution}) stamps->resize(found.heads.size());
    own.sums.resize(found.heads.size());
  }
  own.of = {};  // until all of it is measured
  own.targets = targets;
  own.designs = asked.source->designs;
  own.X = found.input.X;
  own.stream = trace.block(asked.layer).input->cast<double>().squaredNorm();
  own.spread = asked.untrained ? kUndefined : score_spread(found);
  const LayerTrace<float> layer = found.is_whole() ? found : forward<float>(found.input, nullptr, pool_);
  const double output = layer.output->cast<double>().squaredNorm();
  parallel_for(pool_, static_cast<Index>(own.sums.size()), [&](Index head) {
    const auto h = static_cast<std::size_t>(head);
    RoleSums& sums = own.sums[h];
    const Stamp attention = layer.heads[h].attention.stamp(), contribution = layer.heads[h].contribution.stamp();
    const double size = own.contribution[h] == contribution
                            ? sums.contribution
                            : contribution_once(layer, head)->cast<double>().squaredNorm();
    if (own.attention[h] != attention) sums = pattern_sums(*attention_shares(layer, head), targets->of_head(head));
    if (own.attention[h] != attention || own.contribution[h] != contribution)
      measure_in_layer(layer, head, targets->of_head(head), sums);
    own.attention[h] = attention;
    own.contribution[h] = contribution;
    sums.contribution = size;
    sums.output = output;
  });
  add_layer(own.sums, own.stream);
  own.unasked = unasked_of(layer, trace, own.designs);
  own.of = of;
}

std::shared_ptr<const RoleTable> RoleTables::table_of(OfLayer& kept, const std::vector<std::string>& sentences) const {
  RandomInput random{{}, {}, {}, kept.like};
  std::vector<double> spreads;
  for (const OnSentence& own : kept.sentences) {
    random.inputs.push_back(own.X);
    random.streams.push_back(own.stream);
    random.targets.push_back(own.targets);
    spreads.push_back(own.spread);
  }
  random.sharpness = sharpened(kept.like, spreads, random.inputs, random.targets);
  if (kept.random.inputs.empty() || kept.random.streams != random.streams || !same_random_input(kept.random, random) ||
      !same_jobs(kept.random, random)) {
    kept.chance = random_baseline(random.sentences(), random.layer, pool_);
    kept.table = nullptr;
  }
  kept.random = random;
  if (kept.table) return kept.table;
  const RelationOffsets& offsets = random.targets.front()->offsets;
  auto table = std::make_shared<RoleTable>();
  table->heads.resize(kept.sentences.front().sums.size());
  if (!sentences.empty()) table->intervals.resize(table->heads.size());
  parallel_for(pool_, static_cast<Index>(table->heads.size()), [&](Index head) {
    const auto h = static_cast<std::size_t>(head);
    std::vector<RoleSums> by_sentence;
    RoleSums all;
    for (const OnSentence& own : kept.sentences) {
      by_sentence.push_back(own.sums[h]);
      all += own.sums[h];
    }
    table->heads[h] = finish(sentences.empty() ? by_sentence.front() : all, offsets);
    if (!sentences.empty()) table->intervals[h] = intervals_of(by_sentence, offsets);
  });
  for (const OnSentence& own : kept.sentences) add(table->unasked, own.unasked);
  if (!table->unasked.empty()) {
    table->designs = kept.sentences.front().designs;
    const std::vector<HeadDesign> asking = with_first_asks(table->designs);
    if (!kept.of_task && table->heads.front().jobs.size() == asking.size()) table->asked = jobs_of(asking);
  }
  table->chance = kept.chance;
  table->random_heads = random_draws(random.layer.heads) * random.layer.heads;
  table->random = std::move(random);
  table->sentences = sentences;
  kept.table = std::move(table);
  return kept.table;
}

StackRoleTables RoleTables::own_tables(const Trace& trace, const std::vector<Asked>& asked,
                                       const MarkedSentences& marked, const Progress& progress) {
  static const std::vector<AnnotatedSentence> none;
  const std::vector<AnnotatedSentence>& set = marked ? *marked : none;
  keep_only(own_, asked, trace.tokens, {trace.words}, marked);
  const AnnotatedSentence* marks = find_annotated(set, trace.tokens);
  const bool of_task = marks && !marks->jobs.empty();
  const auto targets = [&](const Mask& mask, const std::vector<HeadDesign>& asking) {
    RelationOffsets offsets = best_offsets(set);
    AnnotatedSentence with_asked = marks ? *marks : AnnotatedSentence{};
    if (!asking.empty()) {
      with_asked.tokens = trace.tokens;
      add_asked(with_asked, asking, trace.words, mask);
      offsets.jobs = best_offsets({with_asked}).jobs;
    }
    return std::vector{std::make_shared<const SentenceTargets>(
        sentence_targets(trace.tokens, trace.words, asking.empty() ? marks : &with_asked, mask, offsets))};
  };
  std::map<int, std::vector<HeadDesign>> asking;
  for (const Asked& layer : asked)
    if (!of_task && trace.words.size() == trace.tokens.size())
      asking[layer.layer] = layer.asking(std::ssize(trace.layer(layer.layer).heads));
    else
      asking[layer.layer] = {};
  std::erase_if(own_.masked, [&](const Masked& masked) {  // of a mask that is painted each step is another
    return std::ranges::none_of(asked, [&](const Asked& a) {
      const LayerInput<float>& input = trace.layer(a.layer).input;
      const std::vector<Mask> own = own_masks(input.own, input.mask);
      const bool of_layer = input.mask == masked.mask && own == masked.own;
      const bool of_head = masked.own.empty() && std::ranges::count(own, masked.mask) > 0;
      return (of_layer || of_head) && asking.at(a.layer) == masked.asking;
    });
  });
  StackRoleTables tables;
  for (const Asked& layer : asked) {
    const LayerInput<float>& input = trace.layer(layer.layer).input;
    const std::vector<Mask> masks = own_masks(input.own, input.mask);
    OfLayer& kept = own_.layers[layer.layer];
    kept.sentences.resize(1);
    kept.of_task = of_task;
    measure(kept, 0, trace, layer, under(own_, input.mask, masks, asking.at(layer.layer), targets).targets.front());
    tables.push_back(table_of(kept, {}));
    progress.step();
  }
  return tables;
}

StackRoleTables RoleTables::pooled_tables(const Document& document, const std::vector<Asked>& asked,
                                          const MarkedSentences& marked, const Progress& progress) {
  check_poolable(document, marked);
  std::vector<std::vector<WordFeatures>> words;
  std::vector<std::string> sentences;
  for (const AnnotatedSentence& sentence : *marked) {
    words.push_back(words_of(document, sentence.tokens));
    sentences.push_back(sentence.sentence);
  }
  keep_only(pooled_, asked, {}, std::move(words), marked);
  const bool of_task = std::ranges::any_of(*marked, [](const AnnotatedSentence& s) { return !s.jobs.empty(); });
  const auto targets = [&](const Mask& mask, const std::vector<HeadDesign>& asking) {
    std::vector<AnnotatedSentence> with_asked;
    if (!asking.empty()) with_asked = *marked;
    for (std::size_t k = 0; k < with_asked.size(); ++k) add_asked(with_asked[k], asking, pooled_.words[k], mask);
    const std::vector<AnnotatedSentence>& set = asking.empty() ? *marked : with_asked;
    const RelationOffsets offsets = best_offsets(set);
    std::vector<std::shared_ptr<const SentenceTargets>> all;
    for (std::size_t k = 0; k < set.size(); ++k)
      all.push_back(std::make_shared<const SentenceTargets>(
          sentence_targets(set[k].tokens, pooled_.words[k], &set[k], mask, offsets)));
    return all;
  };
  std::map<int, std::vector<HeadDesign>> asking;
  for (const Asked& layer : asked)
    asking[layer.layer] = of_task ? std::vector<HeadDesign>{} : layer.asking(document.layer(layer.layer).heads);
  std::erase_if(pooled_.masked, [&](const Masked& masked) {
    return std::ranges::none_of(asking, [&](const auto& of) { return of.second == masked.asking; });
  });
  std::size_t heads = 0;
  const int needed = 1 + std::ranges::max(asked, {}, &Asked::layer).layer;
  traces_.visit(document, needed, marked, pool_, [&](std::size_t k, const Trace& trace) {
    for (const Asked& layer : asked) {
      const Layer& of = document.layer(layer.layer);
      const Mask mask = of.seen();
      const std::vector<Mask> masks = own_masks(of.terms(), mask);
      OfLayer& kept = pooled_.layers[layer.layer];
      kept.sentences.resize(marked->size());
      kept.of_task = of_task;
      measure(kept, k, trace, layer, under(pooled_, mask, masks, asking.at(layer.layer), targets).targets[k]);
      progress.check();
    }
    progress.step();
  });
  StackRoleTables tables;
  for (const Asked& layer : asked) {
    tables.push_back(table_of(pooled_.layers[layer.layer], sentences));
    heads += tables.back()->heads.size();
    progress.step();
  }
  if (heads > kMostHeadsKept) pooled_.layers.clear();
  return tables;
}

RoleTable RoleTables::of_sentence(const Trace& trace, int layer, const MarkedSentences& marked, const Layer* of,
                                  const Progress& progress) {
  static const WeightSource drawn;
  return *own_tables(trace, {{layer, of ? &of->source : &drawn, !of || has_drawn_scores(*of)}}, marked, progress)
              .front();
}

RoleTable RoleTables::pooled(const Document& document, int layer, const MarkedSentences& marked,
                             const Progress& progress) {
  return *pooled_tables(document, {layer_at(document, layer)}, marked, progress).front();
}

StackRoleTables RoleTables::of_sentence(const Trace& trace, const Document& document, const MarkedSentences& marked,
                                        const Progress& progress) {
  return own_tables(trace, all_layers(document), marked, progress);
}

StackRoleTables RoleTables::pooled(const Document& document, const MarkedSentences& marked, const Progress& progress) {
  return pooled_tables(document, all_layers(document), marked, progress);
}

}  // namespace hydra
