// Steps of an optimizer over all parameters of a run.
#pragma once
#include "core/lanes/executor.h"
#include "core/learn/recipe.h"

namespace hydra::learn {

// What an optimizer remembers of a parameter: Adam's two moments, of momentum the first alone.
struct Moments {
  std::vector<float> first, second;
};

// The rate of a step, from 0, of so many in all: the product of these.
struct Rate {
  double rate = 0, warm_up = 1, schedule = 1;
  double value() const { return rate * warm_up * schedule; }
};
Rate rate_of(const OptimizerSettings& settings, int step, int steps);
inline double rate_at(const OptimizerSettings& settings, int step, int steps) {
  return rate_of(settings, step, steps).value();
}

// Logits of L0 gates go their own way, whatever the settings: by Adam at this rate, without warm-up or schedule. From
// kOpenLogit to closed is a way of 4.4; a rate that suits weights does not come so far in a run.
inline constexpr double kGateRate = 0.05;

// The gradient times this is no longer than the settings allow.
double clip_factor(const OptimizerSettings& settings, double squares);

// Whether the decay is of that parameter: of matrices, not of biases, gains and tables; or of W_Q and W_K alone.
bool decays(const OptimizerSettings& settings, const lanes::ParameterPlace& place);

// parameters and moments after the step, from the executor's gathered gradient, whose squares sum to that.
void take_step(const OptimizerSettings& settings, int step, int steps, double squares, lanes::Executor<float>& executor,
               Moments& moments, ThreadPool* pool = nullptr);

}  // namespace hydra::learn
