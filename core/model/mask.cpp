#include "core/model/mask.h"

#include <algorithm>
#include <limits>

namespace hydra {

bool Mask::operator==(const Mask& other) const {
  if (kind != other.kind || window != other.window || first != other.first) return false;
  if (kind != Kind::custom || allowed == other.allowed) return true;
  return allowed->rows() == other.allowed->rows() && *allowed == *other.allowed;
}

Stamp stamp_of(const Mask& mask) {
  return (Key("mask") << mask.kind << mask.allowed.stamp() << mask.window << mask.first).stamp();
}

template <class S>
void apply_mask(const Mask& mask, Index first_query, MatOut<S> scores, Index first_key) {
  const S masked = -std::numeric_limits<S>::infinity();
  if (!mask.may_hide()) return;
  for (Index i = 0; i < scores.rows(); ++i) {
    const Index query = first_query + i;
    const Index pads = query < mask.first ? scores.cols() : std::clamp<Index>(mask.first - first_key, 0, scores.cols());
    scores.row(i).head(pads).setConstant(masked);
    if (mask.kind == Mask::Kind::causal) {
      const Index seen = std::clamp<Index>(query + 1 - first_key, 0, scores.cols());
      scores.row(i).tail(scores.cols() - seen).setConstant(masked);
      if (mask.window == 0) continue;
      const Index too_far = std::clamp<Index>(query - mask.window + 1 - first_key, 0, scores.cols());
      scores.row(i).head(too_far).setConstant(masked);
    } else if (mask.kind == Mask::Kind::custom) {
      for (Index j = 0; j < scores.cols(); ++j)
        if (!mask.allows(query, first_key + j)) scores(i, j) = masked;
    }
  }
}

template void apply_mask<float>(const Mask&, Index, MatOut<float>, Index);
template void apply_mask<double>(const Mask&, Index, MatOut<double>, Index);

Mask resized(const Mask& mask, Index n) {
  if (mask.kind != Mask::Kind::custom || mask.allowed->rows() == n) return mask;
  Mat<std::uint8_t> allowed = Mat<std::uint8_t>::Ones(n, n);
  const Index kept = std::min(n, mask.allowed->rows());
  allowed.topLeftCorner(kept, kept) = mask.allowed->topLeftCorner(kept, kept);
  return {Mask::Kind::custom, share(std::move(allowed)), 0, mask.first};
}

}  // namespace hydra
