#include "app/views/tradeoff/trained/quality_words.h"

#include <algorithm>
#include <cmath>

#include "app/draw/format.h"
#include "core/analysis/cost/cost.h"
#include "core/text/wording.h"

namespace hydra::tradeoff {

namespace {

constexpr double kQualityRate = 0.01;
constexpr double kBytesOfNumber = 4;

// The least over the seeds that are done.
double seconds_of(const learn::CountsAsked& asked, const learn::CountModel& model, const learn::CountRuns& runs) {
  double least = Spread::kNone;
  for (int seed = 0; seed < asked.seeds; ++seed) {
    const auto run = runs.find({model, asked.rates.front(), static_cast<std::uint64_t>(seed)});
    if (run == runs.end() || !run->second->done) continue;
    if (!(run->second->forward_seconds >= least)) least = run->second->forward_seconds;
  }
  return least;
}

std::optional<std::size_t> best_of(const std::vector<QualityModel>& models) {
  std::optional<std::size_t> best;
  for (std::size_t k = 0; k < models.size(); ++k) {
    const double median = models[k].numbers().accuracy.median;
    if (std::isnan(median)) continue;
    if (!best || median > models[*best].numbers().accuracy.median) best = k;
  }
  return best;
}

}  // namespace

learn::CountsAsked quality_asked(const TrainedState& state) {
  learn::CountsAsked asked = asked_of(state);
  asked.heads.clear();
  asked.deep = 0;
  asked.rates = {kQualityRate};
  asked.also = learn::quality_grid(state.d_model);
  return asked;
}

std::vector<QualityModel> quality_models(const learn::CountsAsked& asked, const HeadCountsMeasure::Trained* trained,
                                         Index tokens) {
  std::vector<QualityModel> models;
  const auto n = static_cast<double>(tokens);
  const learn::CountRuns none, &runs = trained ? trained->runs : none;
  for (const CountSummary& summary : summaries(asked, trained)) {
    const LayerSizes sizes = learn::sizes_of(summary, asked.d_model);
    const auto layers = static_cast<double>(summary.layers);
    models.push_back({summary,
                      {layers * weight_count(sizes), layers * multiply_adds_of(sizes, n).total(),
                       kv_cache_bytes(sizes, n, layers, kBytesOfNumber), seconds_of(asked, summary, runs)}});
  }
  return models;
}

std::vector<std::size_t> frontier(const std::vector<QualityModel>& models, QualityCost cost) {
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < models.size(); ++k)
    if (!std::isnan(models[k].numbers().accuracy.median) && !std::isnan(models[k].cost(cost))) order.push_back(k);
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    const double cost_a = models[a].cost(cost), cost_b = models[b].cost(cost);
    return cost_a != cost_b ? cost_a < cost_b
                            : models[a].numbers().accuracy.median > models[b].numbers().accuracy.median;
  });
  std::vector<std::size_t> kept;
  for (const std::size_t k : order)
    if (kept.empty() || models[k].numbers().accuracy.median > models[kept.back()].numbers().accuracy.median)
      kept.push_back(k);
  return kept;
}

std::optional<std::size_t> cheapest_near_best(const std::vector<QualityModel>& models, QualityCost cost) {
  const std::optional<std::size_t> best = best_of(models);
  if (!best) return std::nullopt;
  const double least = models[*best].numbers().accuracy.median - kNearBest;
  for (const std::size_t k : frontier(models, cost))
    if (models[k].numbers().accuracy.median >= least) return k;
  return std::nullopt;
}

std::string quality_name(const QualityModel& model, Index d_model) {
  const CountSummary& of = model.summary;
  const std::string name =
      wording("tradeoff:quality.model", {{"n", of.heads}, {"d_k", of.d_k == 0 ? d_model / of.heads : of.d_k}});
  return of.kv_heads == 0 ? name : wording("tradeoff:quality.model.shared", {{"model", name}, {"n", of.kv_heads}});
}

std::string cost_text(QualityCost cost, double value) {
  if (std::isnan(value)) return wording("tradeoff:none");
  if (cost == QualityCost::time)
    return wording("tradeoff:quality.time.of", {{"time", ui::number(1e6 * value, As::tenths)}});
  const std::string number = ui::number(value, As::count);
  return wording(cost == QualityCost::parameters      ? "tradeoff:quality.parameters.of"
                 : cost == QualityCost::multiply_adds ? "tradeoff:quality.multiply_adds.of"
                                                      : "tradeoff:quality.cache.of",
                 {{"number", number}});
}

std::string quality_sentence(const std::vector<QualityModel>& models, QualityCost cost, Index d_model) {
  const std::optional<std::size_t> best = best_of(models), cheapest = cheapest_near_best(models, cost);
  if (!best || !cheapest) return {};
  const auto told = [&](const char* key, const QualityModel& model) {
    return wording(key, {{"model", quality_name(model, d_model)},
                         {"accuracy", accuracy_text(model.numbers().accuracy.median)},
                         {"cost", cost_text(cost, model.cost(cost))}});
  };
  if (*best == *cheapest) return told("tradeoff:quality.best.cheapest", models[*best]);
  return told("tradeoff:quality.best", models[*best]) + " " + told("tradeoff:quality.cheapest", models[*cheapest]);
}

}  // namespace hydra::tradeoff
