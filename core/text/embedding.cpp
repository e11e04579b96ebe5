#include "core/text/embedding.h"

#include <cmath>

#include "core/linalg/random.h"

namespace hydra {

Mat<float> hashed_embedding(const std::vector<std::string>& tokens, Index d_model, std::uint64_t seed) {
  Mat<float> E(static_cast<Index>(tokens.size()), d_model);
  for (Index i = 0; i < E.rows(); ++i) {
    Random random(hash(tokens[static_cast<std::size_t>(i)], seed));
    for (Index c = 0; c < d_model; ++c) E(i, c) = static_cast<float>(random.normal());
  }
  return E;
}

Mat<float> sinusoidal_positions(Index n, Index d_model) {
  Mat<float> P(n, d_model);
  for (Index c = 0; c < d_model; ++c) {
    const double wavelength = std::pow(10000.0, static_cast<double>(c - c % 2) / static_cast<double>(d_model));
    for (Index i = 0; i < n; ++i) {
      const double angle = static_cast<double>(i) / wavelength;
      P(i, c) = static_cast<float>(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  }
  return P;
}

}  // namespace hydra
