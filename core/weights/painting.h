// Rows of a head that are set by hand, as an exercise on paper does it: "let “it” attend 0.7 to “animal”". The forward
// pass puts them in the place of what the weights give; the scores stay what the weights give.
#pragma once
#include <vector>

#include "core/model/mask.h"
#include "core/model/site.h"
#include "core/ops/painted.h"

namespace hydra {

template <class S>
struct PaintedHead {
  std::vector<PaintedRow<S>> attention;  // [n] each: not negative, sum 1, 0 where the mask forbids; sorted by row
  std::vector<PaintedRow<S>> values;     // [d_k] each, in the place of rows of V; sorted by row
  bool empty() const { return attention.empty() && values.empty(); }
};

// A head of a layer's list, which has one per head or is empty; null when nothing of it is painted.
template <class S>
const PaintedHead<S>* painted_head(const std::vector<PaintedHead<S>>& heads, Index head) {
  if (head < 0 || head >= static_cast<Index>(heads.size())) return nullptr;
  const PaintedHead<S>& painted = heads[static_cast<std::size_t>(head)];
  return painted.empty() ? nullptr : &painted;
}

// Of a quantity whose rows can be set by hand those that are; null for other quantities.
template <class S>
const std::vector<PaintedRow<S>>* painted_rows(const PaintedHead<S>& head, Quantity quantity) {
  return quantity == Quantity::attention ? &head.attention : quantity == Quantity::V ? &head.values : nullptr;
}

// [1 x n] or [1 x d_k]; null when the row is not painted.
template <class S>
const Array<S>* painted_row(const std::vector<PaintedRow<S>>& rows, Index row);

template <class S>
bool is_painted(const std::vector<PaintedHead<S>>& heads, Quantity quantity, Index head, Index row) {
  const PaintedHead<S>* painted = painted_head(heads, head);
  const std::vector<PaintedRow<S>>* rows = painted ? painted_rows(*painted, quantity) : nullptr;
  return rows && painted_row(*rows, row);
}

// How far the sum of a painted row may be from 1: what rounding to four digits makes.
inline constexpr double kPaintedSumError = 1e-4;

// Throws InputError, with one sentence that names no place, unless the query may have these weights [n].
void check_painted_attention(const Mask& mask, Index query, const RowVec<float>& weights);

// The rows that a hand makes. Keys that the mask hides from the query get 0; a query from which all are hidden gets
// zeros.
RowVec<float> uniform_row(const Mask& mask, Index query, Index n);
// The weights with that of one key set (into 0..1), the others scaled so that the row sums to 1; others that are all 0
// share the rest evenly; negative ones count by their sizes. A key that is hidden, or the only one that is not, stays
// as it is.
RowVec<float> with_weight(const RowVec<float>& weights, const Mask& mask, Index query, Index key, float weight);
// Divided by the sum; a row that sums to 1 as floats can stays as it is. Throws InputError when a weight is negative or
// not finite, or all are 0.
RowVec<float> normalized(const RowVec<float>& weights);

}  // namespace hydra
