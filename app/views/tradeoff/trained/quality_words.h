// What accuracy costs, of trained models: numbers and sentences.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/views/tradeoff/trained/trained_words.h"

namespace hydra::tradeoff {

// The grid of models (learn::quality_grid) of the task, width, steps and seeds that are chosen, at one learning rate.
learn::CountsAsked quality_asked(const TrainedState& state);

// A model of it with what it costs.
struct QualityModel {
  CountSummary summary;
  std::array<double, 4> costs{};  // by QualityCost; the measured time is NaN while it has none

  double cost(QualityCost of) const { return costs[static_cast<std::size_t>(of)]; }
  const RateSummary& numbers() const { return summary.rates.front(); }
};
// tokens: of the task's sequences, for what grows with them. Ordered as the grid is.
std::vector<QualityModel> quality_models(const learn::CountsAsked& asked, const HeadCountsMeasure::Trained* trained,
                                         Index tokens);

// Those that no other model of as low a cost reaches: ascending in cost and in the median accuracy. Places in models.
std::vector<std::size_t> frontier(const std::vector<QualityModel>& models, QualityCost cost);
// The one of least cost whose median is no more than kNearBest below the best; nothing while none was trained.
inline constexpr double kNearBest = 0.01;
std::optional<std::size_t> cheapest_near_best(const std::vector<QualityModel>& models, QualityCost cost);

std::string quality_name(const QualityModel& model, Index d_model);  // "4 heads of 8 numbers, keys shared by 4"
std::string cost_text(QualityCost cost, double value);               // "1024 weights", "12.3 µs"
// "Best: ... Within .01 of it the cheapest is ..."; empty while nothing was trained.
std::string quality_sentence(const std::vector<QualityModel>& models, QualityCost cost, Index d_model);

}  // namespace hydra::tradeoff
