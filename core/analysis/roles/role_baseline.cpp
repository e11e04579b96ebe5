#include "core/analysis/roles/role_baseline.h"

#include <algorithm>
#include <cassert>

#include "core/linalg/matmul.h"
#include "core/model/program.h"
#include "core/ops/gate.h"
#include "core/ops/linear.h"
#include "core/ops/mix.h"
#include "core/ops/norm.h"
#include "core/ops/rotate.h"
#include "core/ops/scores.h"
#include "core/ops/softmax.h"

namespace hydra {

namespace {

constexpr std::uint64_t kFirstSeed = 5'000'000;  // far from those that are typed

// A head's output times its gates; room is as large.
void close(MatIn<float> X, const AttentionWeights<float>& weights, const HeadsLike& layer, Index head, Mat<float>& room,
           MatOut<float> output) {
  const OutputGate gate = layer.settings.output_gate;
  if (gate == OutputGate::none) return;
  const bool of_head = gate == OutputGate::head;
  const Index width = of_head ? 1 : output.cols();
  MatOut<float> gates = room.leftCols(width);
  gate::open<float>(X, (of_head ? weights.w_G : weights.W_G)->middleCols(head * width, width), gates);
  gate::forward<float>(output, gates, output);
}

// The sums of one head, its output going to its columns of concat.
RoleSums random_head(const BaselineSentence& sentence, const AttentionWeights<float>& weights, const HeadsLike& layer,
                     Index head, Mat<float>& concat) {
  const MatView<float> X = *sentence.X;
  const Index n = X.rows(), d_k = layer.d_k(X.cols()), first = head * d_k;
  const Index kv_first = layer.key_groups().set_of(head) * d_k;
  Mat<float> Q(n, d_k), K(n, d_k), attention(n, n);
  const Mat<float> no_bias;
  linear::forward<float>(X, weights.W_Q->middleCols(first, d_k), no_bias, Q);
  linear::forward<float>(X, weights.W_K->middleCols(kv_first, d_k), no_bias, K);
  norm_and_rotate(layer, 0, Q);
  norm_and_rotate(layer, 0, K);
  scores::forward<float>(Q, K, scores::with_biases(score_rule(layer, head), weights.offset_bias, head),
                         sentence.targets->of_head(head).mask, 0, attention);
  softmax::forward<float>(attention, attention, sink_of(layer));
  linear::forward<float>(X, weights.W_V->middleCols(kv_first, d_k), no_bias, K);  // V in the place of K
  const RoleSums sums = pattern_sums(attention, sentence.targets->of_head(head));
  if (layer.settings.dropout > 0)
    dropout::forward<float>(attention, dropout::rule_of(layer.settings, layer.layer, head), 0, 0, attention);
  mix::forward<float>(attention, K, concat.middleCols(first, d_k));
  close(X, weights, layer, head, K, concat.middleCols(first, d_k));
  return sums;
}

// All heads of one layer on one sentence.
std::vector<RoleSums> random_layer(const BaselineSentence& sentence, const AttentionWeights<float>& weights,
                                   const HeadsLike& layer, ThreadPool* pool) {
  const Index n = sentence.X->rows(), d_model = sentence.X->cols(), d_k = layer.d_k(d_model);
  std::vector<RoleSums> sums(static_cast<std::size_t>(layer.heads));
  if (is_made_of_several(layer.settings) || norms_all_heads(layer.settings)) {
    const LayerTrace<float> trace =
        forward<float>(random_input(sentence.X, sentence.targets->mask, weights, layer), nullptr, pool);
    for (std::size_t h = 0; h < sums.size(); ++h)
      sums[h] = head_sums(trace, static_cast<int>(h), sentence.targets->of_head(static_cast<Index>(h)));
    return sums;
  }
  Mat<float> concat(n, layer.concat_width(d_model)), output(n, d_model);
  parallel_for(pool, layer.heads,
               [&](Index h) { sums[static_cast<std::size_t>(h)] = random_head(sentence, weights, layer, h, concat); });
  multiply<float>(concat, *weights.W_O, output);
  const double whole = output.cast<double>().squaredNorm();
  parallel_for(pool, layer.heads, [&](Index h) {
    Mat<float> contribution(n, d_model);
    multiply<float>(concat.middleCols(h * d_k, d_k), weights.W_O->middleRows(h * d_k, d_k), contribution);
    sums[static_cast<std::size_t>(h)].contribution = contribution.cast<double>().squaredNorm();
    sums[static_cast<std::size_t>(h)].output = whole;
  });
  return sums;
}

}  // namespace

Index random_draws(Index heads) { return std::max<Index>(2, (kLeastRandomHeads + heads - 1) / heads); }

HeadsLike heads_like(const LayerInput<float>& layer) {
  return {layer.heads,
          layer.kv_heads(),
          layer.score_factor(0) * static_cast<float>(layer.temperature_of(0) / layer.settings.temperature),
          layer.split,
          only_of_heads(layer.settings),
          layer.concat_width() == layer.d_model() ? 0 : layer.concat_width(),
          layer.own,
          layer.weights.kv_of,
          layer.layer};
}

scores::Rule<float> score_rule(const HeadsLike& layer, Index head) {
  const double sharper =
      layer.own.empty() ? 1 : layer.settings.temperature / layer.own[static_cast<std::size_t>(head)].temperature;
  return {layer.score_factor * static_cast<float>(sharper), static_cast<float>(layer.settings.soft_cap),
          static_cast<float>(scores::slope_of(layer.settings, head, layer.heads))};
}

std::optional<float> sink_of(const HeadsLike& layer) {
  return layer.settings.sink == SinkKind::none ? std::nullopt : std::optional(0.0f);
}

void norm_and_rotate(const HeadsLike& layer, Index place, MatOut<float> rows) {
  if (layer.settings.qk_norm)
    norm::forward<float>(rows, Mat<float>::Ones(1, rows.cols()), Mat<float>(), NormKind::rms,
                         layer.settings.norm_epsilon, rows, query_parts(layer.settings));
  if (layer.settings.rotary)
    rotate::forward<float>(rows, rotate::rotation_of(layer.settings, rows.cols()), place, rows);
}

AttentionWeights<float> random_weights(Index d_model, const HeadsLike& layer, std::uint64_t seed) {
  const Index d_k = layer.d_k(d_model);
  const LayerWidths widths{d_model,     layer.concat_width(d_model), layer.kv_heads * d_k, 0,
                           layer.heads, offset_count(layer.settings)};
  AttentionWeights<float> weights = restricted(initial_weights(widths, Init::xavier, seed), d_k, layer.split);
  for (const Quantity p : program_of(layer.settings).parameters)
    if (!is_plain(p)) *field_of(weights, p) = initial_parameter(p, widths, Init::xavier, seed);
  return weights;
}

LayerInput<float> random_input(const Array<float>& X, const Mask& mask, const AttentionWeights<float>& weights,
                               const HeadsLike& layer) {
  LayerInput<float> input;
  input.X = X;
  input.weights = weights;
  input.heads = layer.heads;
  input.mask = mask;
  input.settings = layer.settings;
  input.layer = layer.layer;
  input.split = layer.split;
  input.group_size = layer.key_groups().size;
  input.weights.kv_of = layer.kv_of;
  for (auto [gain, of] : {std::pair(&input.weights.gain_Q, &weights.W_Q), {&input.weights.gain_K, &weights.W_K}})
    if (layer.settings.qk_norm && !*gain) *gain = share(Mat<float>(Mat<float>::Ones(1, (*of)->cols())));
  input.slice_factor = layer.score_factor / input.score_factor(0);
  input.own = layer.own;
  return input;
}

RoleMeasures random_baseline(const std::vector<BaselineSentence>& sentences, const HeadsLike& layer, ThreadPool* pool) {
  assert(!sentences.empty());
  std::vector<RoleMeasures> measures;
  for (Index draw = 0; draw < random_draws(layer.heads); ++draw) {
    const AttentionWeights<float> weights =
        random_weights(sentences.front().X->cols(), layer, kFirstSeed + static_cast<std::uint64_t>(draw));
    std::vector<RoleSums> pooled(static_cast<std::size_t>(layer.heads));
    for (const BaselineSentence& sentence : sentences) {
      std::vector<RoleSums> sums = random_layer(sentence, weights, layer, pool);
      add_layer(sums, sentence.stream);
      for (std::size_t h = 0; h < sums.size(); ++h) pooled[h] += sums[h];
    }
    for (const RoleSums& sums : pooled) measures.push_back(finish(sums, sentences.front().targets->offsets));
  }
  return mean_of(measures);
}

}  // namespace hydra
