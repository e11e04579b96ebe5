#include "core/attention/weights.h"

#include <cmath>

#include "core/linalg/random.h"

namespace hydra {

namespace {
MatPtr<float> initial_matrix(Index d_model, Init init, std::uint64_t seed, std::string_view name) {
  if (init == Init::zero) return share(Mat<float>(Mat<float>::Zero(d_model, d_model)));
  if (init == Init::identity) return share(Mat<float>(Mat<float>::Identity(d_model, d_model)));
  Random random(hash(name, seed));
  const double bound = std::sqrt(6.0 / static_cast<double>(d_model + d_model));
  Mat<float> W(d_model, d_model);
  for (Index k = 0; k < W.size(); ++k) W.data()[k] = static_cast<float>(bound * (2 * random.uniform() - 1));
  return share(std::move(W));
}
}  // namespace

AttentionWeights<float> initial_weights(Index d_model, Init init, std::uint64_t seed) {
  AttentionWeights<float> weights;
  weights.W_Q = initial_matrix(d_model, init, seed, "W_Q");
  weights.W_K = initial_matrix(d_model, init, seed, "W_K");
  weights.W_V = initial_matrix(d_model, init, seed, "W_V");
  weights.W_O = initial_matrix(d_model, init, seed, "W_O");
  return weights;
}

}  // namespace hydra
