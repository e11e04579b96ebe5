#include "core/analysis/answer/random_heads.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/answer/changed_heads.h"
#include "core/analysis/answer/direct_answer.h"
#include "core/linalg/random.h"

namespace hydra {

namespace {

void redraw(Random& random, Eigen::Ref<Mat<float>, 0, Eigen::OuterStride<>> block) {
  const float size = block.norm();
  for (Index i = 0; i < block.rows(); ++i)
    for (Index j = 0; j < block.cols(); ++j) block(i, j) = static_cast<float>(random.normal());
  if (const float drawn = block.norm(); drawn > 0) block *= size / drawn;
}

// As many heads as the layer has.
LayerTrace<float> layer_of_random_heads(const LayerInput<float>& layer, Random& random, ThreadPool* pool) {
  LayerInput<float> input = layer;
  AttentionWeights<float>& weights = input.weights;
  const Index d_k = input.d_k();
  for (Array<float>* const columns : {&weights.W_Q, &weights.W_K, &weights.W_V}) {
    Mat<float> drawn = **columns;
    for (Index c = 0; c < drawn.cols(); c += d_k) redraw(random, drawn.middleCols(c, d_k));
    *columns = share(std::move(drawn));
  }
  Mat<float> W_O = *weights.W_O;
  for (Index r = 0; r < W_O.rows(); r += d_k) redraw(random, W_O.middleRows(r, d_k));
  weights.W_O = share(std::move(W_O));
  weights.b_Q = weights.b_K = weights.b_V = weights.b_O = {};
  input.painted.clear();
  input.gates.clear();
  return forward(std::move(input), static_cast<const LayerTrace<float>*>(nullptr), pool);
}

// Within + and - of it are 19 in 20.
double most_of(std::vector<double> values) {
  for (double& value : values) value = std::abs(value);
  const std::size_t at = (values.size() * 19 + 19) / 20 - 1;
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(at));
  return values[at];
}

struct Seen {
  std::vector<double> direct, against_rival, logit, difference, probability;
};

}  // namespace

std::vector<RandomHeads> random_heads(const Trace& trace, const AskedAnswer& asked, ThreadPool* pool,
                                      const Progress& progress, std::uint64_t seed) {
  const DirectAnswer direct(trace, asked, pool);
  const AnswerRead now = read_of(trace.model, asked);
  std::vector<RandomHeads> layers;
  for (int k = 0; k < static_cast<int>(trace.layers.size()); ++k) {
    const auto own = whole_of(trace.layer(k));
    const Array<float> first = contribution_once(*own, 0);
    Random random(hash("random heads", seed + static_cast<std::uint64_t>(k)));
    std::vector<Array<float>> added;  // by each
    while (std::ssize(added) < kRandomHeads) {
      const LayerTrace<float> drawn = layer_of_random_heads(own->input, random, pool);
      for (Index h = 0; h < own->input.heads && std::ssize(added) < kRandomHeads; ++h)
        added.push_back(contribution_once(drawn, h));
    }
    Seen seen;
    for (auto* const values : {&seen.direct, &seen.against_rival, &seen.logit, &seen.difference, &seen.probability})
      values->resize(added.size());
    parallel_for(pool, std::ssize(added), [&](Index h) {
      const auto at = static_cast<std::size_t>(h);
      const DirectAnswer::Part part = direct.of_added(k, added[at]->middleRows(asked.token, 1));
      const ChangedHead one_more{k, 0, share(Mat<float>(*first + *added[at]))};
      const AnswerRead with = read_of(read_out_with(trace, {&one_more, 1}), asked);
      seen.direct[at] = part.effect, seen.against_rival[at] = part.against_rival;
      seen.logit[at] = with.logit - now.logit;
      seen.difference[at] = (with.logit - with.rival_logit) - (now.logit - now.rival_logit);
      seen.probability[at] = with.probability - now.probability;
    });
    layers.push_back({std::ssize(added), most_of(seen.direct), most_of(seen.against_rival), most_of(seen.logit),
                      most_of(seen.difference), most_of(seen.probability)});
    progress.step();
  }
  return layers;
}

}  // namespace hydra
