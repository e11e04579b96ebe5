// One computation held against another: the forward pass, the ways to compute its output alone, decoding.
#pragma once
#include <catch2/catch.hpp>

#include "core/attention/decoding.h"
#include "core/attention/ways.h"

namespace hydra::test {

inline Mat<double> matrix(std::initializer_list<std::initializer_list<double>> rows) {
  Mat<double> made(static_cast<Index>(rows.size()), static_cast<Index>(rows.begin()->size()));
  Index i = 0;
  for (const auto& row : rows) std::copy(row.begin(), row.end(), made.row(i++).data());
  return made;
}

inline double largest_difference(const Mat<double>& a, const Mat<double>& b) { return (a - b).cwiseAbs().maxCoeff(); }

// What the forward pass gives is what all ways to compute give, and of a causal layer decoding.
inline void check_other_computations(const LayerInput<double>& input) {
  const LayerTrace<double> trace = forward<double>(input);
  for (const WayEntry& entry : ways()) {
    CAPTURE(entry.key);
    if (*why_not(entry.way, input.settings) != 0) continue;
    CHECK(largest_difference(compute<double>(input, entry.way).output, *trace.output) < 1e-12);
  }
  if (input.mask.kind != Mask::Kind::causal) return;
  Decoder<double> decoder(input, input.n());
  decoder.take(input.X->topRows(2));
  for (Index t = 2; t < input.n(); ++t)
    REQUIRE(largest_difference(decoder.step(input.X->row(t)), trace.output->row(t)) < 1e-12);
}

}  // namespace hydra::test
