#include "core/analysis/likeness/independent.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analysis/head_pattern.h"
#include "core/analysis/likeness/diversity.h"
#include "core/linalg/random.h"

namespace hydra {

namespace {

constexpr int kMostDraws = 16, kLeastDraws = 4;
// Cells of attention, counted once for every pair of heads, of all draws together.
constexpr double kCells = 4e8;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// What is drawn from: every stride-th row of every sentence.
struct Plan {
  int draws = kMostDraws;
  Index stride = 1;
};
Plan plan_of(const LayerOnSentences& sentences, std::size_t count) {
  double cells = 0;
  const auto heads = static_cast<double>(count);
  for (const LayerTrace<float>& sentence : sentences)
    cells += heads * heads * static_cast<double>(sentence.input.n()) * static_cast<double>(sentence.input.n());
  Plan plan;
  plan.draws = static_cast<int>(std::clamp(kCells / cells, double{kLeastDraws}, double{kMostDraws}));
  plan.stride = static_cast<Index>(std::ceil(std::max(1.0, plan.draws * cells / kCells)));
  return plan;
}

// The row's weights in another order, among the keys that it may see.
void shuffle_row(MatIn<float> pattern, const Mask& mask, Index row, Random& random, Mat<float>& out, Index to) {
  std::vector<Index> keys;
  for (Index key = 0; key < pattern.cols(); ++key)
    if (mask.allows(row, key)) keys.push_back(key);
  out.row(to) = pattern.row(row);
  for (std::size_t k = keys.size(); k > 1; --k)
    std::swap(out(to, keys[k - 1]), out(to, keys[static_cast<std::size_t>(random.bits() % k)]));
}

HeadPattern shuffled(const LayerOnSentences& sentences, std::size_t head, const Plan& plan, Random random) {
  std::vector<Array<float>> parts;
  for (const LayerTrace<float>& sentence : sentences) {
    const MatView<float> pattern = *sentence.heads[head].attention;
    const Index rows = (pattern.rows() + plan.stride - 1) / plan.stride;
    Mat<float> part(rows, pattern.cols());
    for (Index k = 0; k < rows; ++k)
      shuffle_row(pattern, sentence.input.mask_of(static_cast<Index>(head)), k * plan.stride, random, part, k);
    parts.push_back(share(std::move(part)));
  }
  return head_pattern(std::move(parts), is_signed(sentences.front().input.settings));
}

struct Draw {
  double effective_heads = kNone, mean_cosine = kNone, mean_js_bits = kNone;
};

Draw measured(std::vector<HeadPattern> heads, bool with_js, ThreadPool* pool, const Progress& progress) {
  const auto h = static_cast<Index>(heads.size());
  if (with_js) parallel_for(pool, h, [&](Index i) { add_entropy(heads[static_cast<std::size_t>(i)]); });
  Mat<double> gram(h, h), js = Mat<double>::Constant(h, h, kNone);
  parallel_for(pool, h, [&](Index i) {
    progress.check();
    for (Index g = i; g < h; ++g) {
      const HeadPattern &a = heads[static_cast<std::size_t>(i)], &b = heads[static_cast<std::size_t>(g)];
      gram(i, g) = gram(g, i) = pattern_product(a, b);
      if (with_js && g > i) js(i, g) = js(g, i) = js_bits(a, b);
    }
  });
  return {effective_heads(gram), mean_pairwise(cosines_of(gram)), with_js ? mean_pairwise(js) : kNone};
}

}  // namespace

IndependentHeads independent_heads(const std::vector<LayerOnSentences>& layers, bool with_js, ThreadPool* pool,
                                   const Progress& progress) {
  const std::vector<HeadPlace> places = head_places(layers);
  const std::size_t heads = places.size();
  const LayerOnSentences& any = *layers.begin();  // all are of the same sentences
  const Plan plan = plan_of(any, heads);
  std::vector<double> effective, cosine, js;
  for (int draw = 0; draw < plan.draws && heads > 1; ++draw) {
    std::vector<HeadPattern> patterns(heads);
    parallel_for(pool, static_cast<Index>(heads), [&](Index h) {
      const Random random(
          hash("independent heads", static_cast<std::uint64_t>(draw) * 1000 + static_cast<std::uint64_t>(h)));
      const HeadPlace& place = places[static_cast<std::size_t>(h)];
      patterns[static_cast<std::size_t>(h)] =
          shuffled(layers[static_cast<std::size_t>(place.layer)], static_cast<std::size_t>(place.head), plan, random);
    });
    const Draw one = measured(std::move(patterns), with_js, pool, progress);
    effective.push_back(one.effective_heads);
    cosine.push_back(one.mean_cosine);
    js.push_back(one.mean_js_bits);
  }
  return {spread_of(effective), spread_of(cosine), spread_of(js), heads > 1 ? plan.draws : 0};
}

const IndependentHeads& IndependentMeasures::of_layers(const std::vector<LayerOnSentences>& layers, bool with_js,
                                                       const Progress& progress) {
  Key key("patterns");  // of which each is of its mask, too
  for (const LayerOnSentences& layer : layers)
    for (const LayerTrace<float>& sentence : layer)
      for (const HeadTrace<float>& head : sentence.heads) key << head.attention.stamp();
  if (patterns_ == key.stamp() && (with_js_ || !with_js)) return kept_;
  kept_ = independent_heads(layers, with_js, pool_, progress);
  patterns_ = key.stamp();
  with_js_ = with_js;
  return kept_;
}

}  // namespace hydra
