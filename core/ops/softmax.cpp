#include "core/ops/softmax.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace hydra::softmax {

namespace {

// A row is taken in chunks of a fixed number of lanes, the last one filled up with masked scores. So every score goes
// through the same vector arithmetic wherever its row starts in memory, and the bits depend on the scores alone.
template <class S>
inline constexpr Index kLanes = 64 / static_cast<Index>(sizeof(S));
template <class S>
using Lanes = Eigen::Array<S, kLanes<S>, 1>;
template <class S>
inline constexpr S kMasked = -std::numeric_limits<S>::infinity();

// Numbers that are worked on at a time: they stay in the first-level cache.
inline constexpr Index kWorkspace = 2048;

// exp(x) for x <= 0, and 0 where that is next to no normal number: below, some processors take a hundred times as long,
// and vectorised exponentials do not reach 0 (Eigen 3.4: exp(-inf) is 2.9e-39). Taking that edge away from all leaves
// every number that counts as it is.
template <class S>
Lanes<S> exp_to_zero(const Lanes<S>& x) {
  constexpr bool single = sizeof(S) == 4;
  constexpr S lowest = single ? S(-87.33) : S(-708.39), edge = single ? S(1.19e-38) : S(2.25e-308);  // above its exp
  return x.max(lowest).exp().max(edge) - edge;
}

template <class S>
S largest(const S* row, Index width) {
  Lanes<S> tops = Eigen::Map<const Lanes<S>>(row);
  for (Index j = kLanes<S>; j < width; j += kLanes<S>) tops = tops.max(Eigen::Map<const Lanes<S>>(row + j)).eval();
  return tops.maxCoeff();
}

// Turns a row into exp(row - shift) and returns its sum.
template <class S>
S exponentials(S* row, Index width, S shift) {
  Lanes<S> sums = Lanes<S>::Zero();
  for (Index j = 0; j < width; j += kLanes<S>) {
    Eigen::Map<Lanes<S>> chunk(row + j);
    chunk = exp_to_zero<S>(chunk - shift);
    sums += chunk;
  }
  return sums.sum();
}

// What a sink adds to a row's sum.
template <class S>
S exp_of_sink(std::optional<S> sink, S top) {
  return sink ? std::exp(*sink - top) : S(0);
}

// The largest with the sink; 0 where there is nothing.
template <class S>
S shift_of(S top, std::optional<S> sink) {
  if (sink) top = std::max(top, *sink);
  return top == kMasked<S> ? S(0) : top;
}

// In place, by row; width is a multiple of kLanes. Each pass runs over all rows before the next begins, so that short
// rows overlap in the processor. A NaN or +inf makes the sum NaN, and that the row; the sum of a masked row is 0.
template <class S>
void softmax_padded(S* x, Index rows, Index width, S* scratch, std::optional<S> sink) {
  for (Index i = 0; i < rows; ++i) scratch[i] = largest(x + i * width, width);  // pass 1: for stability only
  for (Index i = 0; i < rows; ++i) {                                            // pass 2
    const S shift = shift_of(scratch[i], sink);
    const S sum = exponentials(x + i * width, width, shift) + exp_of_sink(sink, shift);
    scratch[i] = sum == 0 ? S(1) : sum;
  }
  for (Index i = 0; i < rows; ++i)  // pass 3
    for (Index j = 0; j < width; j += kLanes<S>) Eigen::Map<Lanes<S>>{x + i* width + j} /= scratch[i];
}

// Up to a chunk of values, by powers of two: a call of memcpy takes longer than a short row.
template <class S>
void copy_few(const S* from, Index count, S* to) {
  for (Index part = kLanes<S>; part > 0; part /= 2) {
    if ((count & part) == 0) continue;
    std::memcpy(to, from, static_cast<std::size_t>(part) * sizeof(S));
    from += part;
    to += part;
  }
}

// Rows of one chunk: each stays in registers, through the same arithmetic as longer ones.
template <class S>
void softmax_of_few(MatIn<S> scores, MatOut<S> out, std::optional<S> sink) {
  const Index n = scores.cols();
  Lanes<S> x = Lanes<S>::Constant(kMasked<S>);
  for (Index i = 0; i < scores.rows(); ++i) {
    copy_few(scores.data() + i * scores.outerStride(), n, x.data());
    const S shift = shift_of(x.maxCoeff(), sink);
    Lanes<S> e = exp_to_zero<S>(x - shift);
    const S sum = e.sum() + exp_of_sink(sink, shift);
    e /= sum == 0 ? S(1) : sum;
    copy_few(e.data(), n, out.data() + i * out.outerStride());
  }
}

}  // namespace

template <class S>
void forward(MatIn<S> scores, MatOut<S> out, std::optional<S> sink) {
  assert(scores.rows() == out.rows() && scores.cols() == out.cols());
  if (scores.cols() <= kLanes<S>) return softmax_of_few<S>(scores, out, sink);
  const Index n = scores.cols(), width = (n + kLanes<S> - 1) / kLanes<S> * kLanes<S>;
  const Index batch = std::clamp<Index>(kWorkspace / width, 1, scores.rows());
  thread_local std::vector<S> room;  // kept: allocating takes longer than a short row
  if (static_cast<Index>(room.size()) < batch * (width + 1)) room.resize(static_cast<std::size_t>(batch * (width + 1)));
  S *padded = room.data(), *scratch = padded + batch * width;
  for (Index first = 0; first < scores.rows(); first += batch) {
    const Index rows = std::min(batch, scores.rows() - first);
    for (Index i = 0; i < rows; ++i)
      std::fill(std::copy_n(scores.row(first + i).data(), n, padded + i * width), padded + (i + 1) * width, kMasked<S>);
    softmax_padded<S>(padded, rows, width, scratch, sink);
    for (Index i = 0; i < rows; ++i) std::copy_n(padded + i * width, n, out.row(first + i).data());
  }
}

template <class S>
void grad(MatIn<S> A, MatIn<S> dA, MatOut<S> dS) {
  for (Index i = 0; i < A.rows(); ++i) {
    const S mean = A.row(i).dot(dA.row(i));
    dS.row(i).array() = A.row(i).array() * (dA.row(i).array() - mean);
  }
}

template <class S>
S grad_sink(MatIn<S> A, MatIn<S> dA) {
  S sum = 0;
  for (Index i = 0; i < A.rows(); ++i) sum -= (1 - A.row(i).sum()) * A.row(i).dot(dA.row(i));
  return sum;
}

template void forward<float>(MatIn<float>, MatOut<float>, std::optional<float>);
template void forward<double>(MatIn<double>, MatOut<double>, std::optional<double>);
template float grad_sink<float>(MatIn<float>, MatIn<float>);
template double grad_sink<double>(MatIn<double>, MatIn<double>);
template void grad<float>(MatIn<float>, MatIn<float>, MatOut<float>);
template void grad<double>(MatIn<double>, MatIn<double>, MatOut<double>);

}  // namespace hydra::softmax
