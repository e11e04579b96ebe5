#include "core/analysis/shares.h"

namespace hydra {

Mat<float> shares_of(MatIn<float> weights) {
  Mat<float> shares = weights.cwiseAbs();
  for (Index i = 0; i < shares.rows(); ++i)
    if (const float sum = shares.row(i).sum(); sum > 1) shares.row(i) /= sum;
  return shares;
}

Array<float> attention_shares(const LayerTrace<float>& layer, Index head) {
  const Array<float>& attention = layer.heads[static_cast<std::size_t>(head)].attention;
  if (!is_signed(layer.input.settings)) return attention;
  return share(shares_of(*attention), (Key("shares") << attention.stamp()).stamp());
}

}  // namespace hydra
