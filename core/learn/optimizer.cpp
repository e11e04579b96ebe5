#include "core/learn/optimizer.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace hydra::learn {

Rate rate_of(const OptimizerSettings& settings, int step, int steps) {
  Rate rate{settings.rate};
  if (settings.warm_up > 0) rate.warm_up = std::min(1.0, static_cast<double>(step + 1) / settings.warm_up);
  if (settings.schedule == Schedule::cosine && steps > 0) {
    const double way = std::min(1.0, static_cast<double>(step) / steps);
    rate.schedule = std::max(settings.least, 0.5 * (1 + std::cos(std::numbers::pi * way)));
  }
  return rate;
}

double clip_factor(const OptimizerSettings& settings, double squares) {
  const double length = std::sqrt(squares);
  return settings.clip > 0 && length > settings.clip ? settings.clip / (length + 1e-6) : 1;
}

bool decays(const OptimizerSettings& settings, const lanes::ParameterPlace& place) {
  const Quantity quantity = place.site.quantity;
  if (settings.kind != Optimizer::adamw || settings.decay == 0 || place.gate_logits || !place.learns) return false;
  if (settings.decay_query_key_only) return quantity == Quantity::W_Q || quantity == Quantity::W_K;
  return is_weight(quantity) && !is_table(quantity);
}

namespace {

// f(first, count) for parameters that do not need each other.
template <class Function>
void in_pieces(lanes::Size from, lanes::Size to, ThreadPool* pool, const Function& f) {
  constexpr lanes::Size most = 4096;
  const auto piece = [&](Index k) {
    const lanes::Size first = from + k * most;
    f(first, std::min(most, to - first));
  };
  parallel_for(pool, (to - from + most - 1) / most, std::ref(piece));
}

}  // namespace

void take_step(const OptimizerSettings& settings, int step, int steps, double squares, lanes::Executor<float>& executor,
               Moments& moments, ThreadPool* pool) {
  const lanes::Size count = executor.compiled().plan().parameters;
  const double rate = rate_at(settings, step, steps), clip = clip_factor(settings, squares);
  float *p = executor.parameters().data(), *first = moments.first.data();
  const float* g = executor.gradient().data();
  lanes::AdamStep adam{rate,
                       settings.beta_1,
                       settings.beta_2,
                       1 - std::pow(settings.beta_1, step + 1),
                       1 - std::pow(settings.beta_2, step + 1),
                       settings.epsilon,
                       0,
                       clip};
  // What decays, and what is a gate, is a matter of whole parameters; neighbours that are alike go together.
  const auto& places = executor.compiled().parameters();
  for (std::size_t k = 0, end = 0; k < places.size(); k = end) {
    const bool decay = decays(settings, places[k]), gates = places[k].gate_logits;
    const auto is_alike = [&](const lanes::ParameterPlace& place) {
      return decays(settings, place) == decay && place.gate_logits == gates;
    };
    for (end = k + 1; end < places.size() && is_alike(places[end]);) ++end;
    adam.decay = decay ? settings.decay : 0;
    adam.rate = gates ? kGateRate : rate;
    const lanes::Size from = places[k].at, to = end < places.size() ? places[end].at : count;
    in_pieces(from, to, pool, [&](lanes::Size at, lanes::Size piece) {
      if (settings.kind == Optimizer::sgd && !gates)
        executor.set().momentum(rate, settings.momentum, clip, at, piece, g, first, p);
      else
        executor.set().adam(adam, at, piece, g, first, moments.second.data(), p);
    });
  }
}

}  // namespace hydra::learn
