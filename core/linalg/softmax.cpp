#include "core/linalg/softmax.h"

#include <cassert>
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
  for (Index l = 0; l < count; ++l) chunk[l] = x[l];
  return chunk;
}

template <class S>
void store(const Lanes<S>& chunk, S* out, Index count) {
  if (count >= kLanes<S>) {
    Eigen::Map<Lanes<S>>{out} = chunk;
  } else {
    for (Index l = 0; l < count; ++l) out[l] = chunk[l];
  }
}

// NaN when one of the scores is.
template <class S>
S largest(const S* scores, Index count) {
  const auto larger = [](S a, S b) { return b > a || b != b ? b : a; };
  Lanes<S> tops = Lanes<S>::Constant(kMasked<S>);
  for (Index j = 0; j < count; j += kLanes<S>) {
    const Lanes<S> x = load(scores + j, count - j);
    for (Index l = 0; l < kLanes<S>; ++l) tops[l] = larger(tops[l], x[l]);
  }
  S top = tops[0];
  for (Index l = 1; l < kLanes<S>; ++l) top = larger(top, tops[l]);
  return top;
}

template <class S>
void softmax(const S* scores, Index count, S* out) {
  const S top = largest(scores, count);  // pass 1: for stability only
  if (!(top < std::numeric_limits<S>::infinity()) || top == kMasked<S>) {
    const S value = top == kMasked<S> ? S(0) : std::numeric_limits<S>::quiet_NaN();
    for (Index j = 0; j < count; ++j) out[j] = value;
    return;
  }
  Lanes<S> sums = Lanes<S>::Zero();
  for (Index j = 0; j < count; j += kLanes<S>) {  // pass 2
    const Lanes<S> x = load(scores + j, count - j);
    Lanes<S> e = (x - top).exp();
    for (Index l = 0; l < kLanes<S>; ++l) e[l] = x[l] == kMasked<S> ? S(0) : e[l];  // Eigen's exp(-inf) is not quite 0
    sums += e;
    store(e, out + j, count - j);
  }
  const S sum = sums.sum();
  for (Index j = 0; j < count; ++j) out[j] /= sum;  // pass 3
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
