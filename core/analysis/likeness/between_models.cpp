#include "core/analysis/likeness/between_models.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/analysis/head_pattern.h"
#include "core/analysis/redrawn_heads.h"

namespace hydra {

namespace {

constexpr int kDraws = 20;
constexpr double kDrawnCells = 4e8;  // at most, of all draws and pairs together

using Layers = std::vector<LayerOnSentences>;

Layers on_one_sentence(const std::vector<LayerTrace<float>>& layers) {
  Layers one;
  for (const LayerTrace<float>& layer : layers) one.push_back({layer});
  return one;
}

double cosine_of(const HeadPattern& a, const HeadPattern& b) {
  return pattern_product(a, b) / std::sqrt(pattern_product(a, a) * pattern_product(b, b));
}

std::vector<HeadPattern> patterns_of(const std::vector<LayerTrace<float>>& layers) {
  std::vector<HeadPattern> all;
  for (const LayerTrace<float>& layer : layers)
    for (const HeadTrace<float>& head : layer.heads)
      all.push_back(head_pattern({head.attention}, is_signed(layer.input.settings)));
  return all;
}

// The most alike of the other model's heads, each drawn anew in its layer, to each head of here.
std::vector<double> by_chance(const std::vector<LayerTrace<float>>& here, const std::vector<LayerTrace<float>>& there,
                              int draws, ThreadPool* pool, const Progress& progress) {
  const std::vector<HeadPattern> own = patterns_of(here);
  std::vector<double> most;
  for (int draw = 0; draw < draws; ++draw) {
    Random random(hash("between models", static_cast<std::uint64_t>(draw)));
    std::vector<LayerTrace<float>> drawn;
    for (const LayerTrace<float>& layer : there) drawn.push_back(with_heads_redrawn(layer.input, random, pool));
    const std::vector<HeadPattern> others = patterns_of(drawn);
    for (const HeadPattern& head : own) {
      double best = std::numeric_limits<double>::quiet_NaN();
      for (const HeadPattern& other : others)
        if (const double cosine = cosine_of(head, other); !std::isnan(cosine) && !(cosine <= best)) best = cosine;
      if (!std::isnan(best)) most.push_back(best);
    }
    progress.check();
  }
  return most;
}

// One in twenty is more.
double high_of(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::ranges::sort(values);
  return values[values.size() * 19 / 20];
}

}  // namespace

std::optional<Index> most_alike(const BetweenModels& between, Index row) {
  const Array<double>& matrix = between.matrix(between.measure);
  const bool least = between.measure == Likeness::js_bits || between.measure == Likeness::kl_bits;
  std::optional<Index> found;
  for (Index col = 0; matrix && col < matrix->cols(); ++col) {
    const double value = (*matrix)(row, col);
    if (std::isnan(value)) continue;
    if (!found || (least ? value < (*matrix)(row, *found) : value > (*matrix)(row, *found))) found = col;
  }
  return found;
}

BetweenModels between_models(const std::vector<LayerTrace<float>>& here, const std::vector<LayerTrace<float>>& there,
                             Likeness measure, ThreadPool* pool, const Progress& progress) {
  assert(!here.empty() && !there.empty() && here.front().input.n() == there.front().input.n());
  assert(std::ranges::find(kBetweenModels, measure) != kBetweenModels.end());
  const Layers own = on_one_sentence(here), other = on_one_sentence(there);
  BetweenModels between;
  between.here = head_places(own), between.there = head_places(other), between.measure = measure;
  Layers both = own;
  both.insert(both.end(), other.begin(), other.end());
  LikenessMatrices all(pool);
  all.set_layers(std::move(both));
  all.set_progress(progress);
  const auto h = static_cast<Index>(between.here.size()), g = static_cast<Index>(between.there.size());
  for (const Likeness one : {Likeness::cosine, measure})
    between.matrices[static_cast<std::size_t>(one)] = share(Mat<double>(all.matrix(one).topRightCorner(h, g)));
  const double n = static_cast<double>(here.front().input.n());
  between.draws = static_cast<int>(std::clamp(kDrawnCells / (n * n * static_cast<double>(h * g)), 1.0, double{kDraws}));
  between.chance_cosine = high_of(by_chance(here, there, between.draws, pool, progress));
  return between;
}

}  // namespace hydra
