#include "core/attention/mask.h"

#include <limits>

namespace hydra {

bool Mask::operator==(const Mask& other) const {
  if (kind != other.kind) return false;
  if (kind != Kind::custom || allowed == other.allowed) return true;
  return allowed->rows() == other.allowed->rows() && *allowed == *other.allowed;
}

template <class S>
void apply_mask(const Mask& mask, Index first_query, MatOut<S> scores) {
  const S masked = -std::numeric_limits<S>::infinity();
  if (mask.kind == Mask::Kind::none) return;
  for (Index i = 0; i < scores.rows(); ++i) {
    const Index query = first_query + i;
    if (mask.kind == Mask::Kind::causal) {
      if (query + 1 < scores.cols()) scores.row(i).tail(scores.cols() - query - 1).setConstant(masked);
    } else {
      for (Index j = 0; j < scores.cols(); ++j)
        if (!mask.allows(query, j)) scores(i, j) = masked;
    }
  }
}

template void apply_mask<float>(const Mask&, Index, MatOut<float>);
template void apply_mask<double>(const Mask&, Index, MatOut<double>);

Mask resized(const Mask& mask, Index n) {
  if (mask.kind != Mask::Kind::custom || mask.allowed->rows() == n) return mask;
  Mat<std::uint8_t> allowed = Mat<std::uint8_t>::Ones(n, n);
  const Index kept = std::min(n, mask.allowed->rows());
  allowed.topLeftCorner(kept, kept) = mask.allowed->topLeftCorner(kept, kept);
  return {Mask::Kind::custom, share(std::move(allowed))};
}

}  // namespace hydra
