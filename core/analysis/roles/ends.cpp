#include "core/analysis/roles/ends.h"

#include <algorithm>
#include <limits>

namespace hydra {

namespace {

struct Extent {
  float low = std::numeric_limits<float>::infinity(), high = -low;
  void take(float value) { low = std::min(low, value), high = std::max(high, value); }
};

// The only row with the value, or -1.
Index only(MatIn<float> k, float value) {
  Index found = -1;
  for (Index row = 0; row < k.rows(); ++row) {
    if (k(row, 0) != value) continue;
    if (found >= 0) return -1;
    found = row;
  }
  return found;
}

}  // namespace

Ends ends_of(MatIn<float> k, MatIn<float> attention, const Mask& mask) {
  Ends ends;
  for (Index query = 0; query < attention.rows(); ++query) {
    Extent keys, weights;
    Index seen = 0, most = -1;
    for (Index key = 0; key < attention.cols(); ++key) {
      if (!mask.allows(query, key)) continue;
      ++seen;
      keys.take(k(key, 0));
      if (const float weight = attention(query, key); weight > weights.high) most = key;
      weights.take(attention(query, key));
    }
    if (seen < 3 || most < 0 || !(weights.low < weights.high)) continue;
    ++ends.queries;
    ends.at_end += k(most, 0) == keys.low || k(most, 0) == keys.high;
  }
  if (mask.may_hide() || ends.queries == 0) return ends;
  ends.largest = only(k, k.maxCoeff());
  ends.smallest = only(k, k.minCoeff());
  return ends;
}

}  // namespace hydra
