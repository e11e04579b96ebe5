#include "core/linalg/softmax.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

namespace hydra {

namespace {

// A row is taken in chunks of a fixed number of lanes, the last one filled up with masked scores. So every score goes
// through the same vector arithmetic wherever its row starts in memory, and the bits depend on the scores alone.
template <class S>
inline constexpr Index kLanes = 64 / static_cast<Index>(sizeof(S));
template <class S>
using Lanes = Eigen::Array<S, kLanes<S>, 1>;
template <class S>
inline constexpr S kMasked = -std::numeric_limits<S>::infinity();

template <class S>
Lanes<S> load(const S* x, Index count) {
  if (count >= kLanes<S>) return Eigen::Map<const Lanes<S>>(x);
  Lanes<S> chunk = Lanes<S>::Constant(kMasked<S>);
  std::memcpy(chunk.data(), x, static_cast<std::size_t>(count) * sizeof(S));
  return chunk;
}

template <class S>
void store(const Lanes<S>& chunk, S* out, Index count) {
  if (count >= kLanes<S>)
    Eigen::Map<Lanes<S>>{out} = chunk;
  else
    std::memcpy(out, chunk.data(), static_cast<std::size_t>(count) * sizeof(S));
}

// exp(x) for x <= 0. Vectorised exponentials stop at the edge of the normal numbers instead of reaching 0 (Eigen 3.4:
// exp(-inf) is 2.9e-39); taking the edge away makes those 0 and leaves every number that counts as it is.
template <class S>
Lanes<S> exp_to_zero(const Lanes<S>& x) {
  constexpr S edge = std::numeric_limits<S>::min();
  return x.exp().max(edge) - edge;
}

template <class S>
void softmax(const S* scores, Index count, S* out) {
  using Row = Eigen::Array<S, Eigen::Dynamic, 1>;
  Eigen::Map<Row> whole(out, count);
  const S top = Eigen::Map<const Row>(scores, count).template maxCoeff<Eigen::PropagateNaN>();  // pass 1: for stability
  if (top == kMasked<S>) {
    whole.setZero();
  } else if (!std::isfinite(top)) {
    whole.setConstant(std::numeric_limits<S>::quiet_NaN());
  } else {
    Lanes<S> sums = Lanes<S>::Zero();
    for (Index j = 0; j < count; j += kLanes<S>) {  // pass 2
      const Lanes<S> e = exp_to_zero<S>(load(scores + j, count - j) - top);
      sums += e;
      store(e, out + j, count - j);
    }
    whole /= sums.sum();  // pass 3
  }
}

}  // namespace

template <class S>
void softmax_rows(MatIn<S> scores, MatOut<S> out) {
  assert(scores.rows() == out.rows() && scores.cols() == out.cols());
  for (Index i = 0; i < scores.rows(); ++i)
    softmax<S>(scores.data() + i * scores.outerStride(), scores.cols(), out.data() + i * out.outerStride());
}

template void softmax_rows<float>(MatIn<float>, MatOut<float>);
template void softmax_rows<double>(MatIn<double>, MatOut<double>);

}  // namespace hydra
