// Rotary positions: of a query or key at place p, pair j of its first `width` numbers, (a, b), is rotated by the angle
// p base^(-2j/width): (a cos - b sin, a sin + b cos); the numbers after them pass. Su et al. 2021, equation 15. Of
// differential attention each half of the query or key is rotated so.
#pragma once
#include "core/linalg/types.h"
#include "core/model/settings.h"

namespace hydra::rotate {

struct Rotation {
  double base = 10000;
  Index width = 0;  // even
  RotaryPairs pairs = RotaryPairs::halves;
  Index part = 0;  // after so many numbers it begins anew; 0: never
  bool operator==(const Rotation&) const = default;
};
// A width of 0 is all of a part, of an odd one all but the last; so is one that is wider than the part.
Rotation rotation_of(const LayerSettings& settings, Index d_k);

bool is_turned(const Rotation& rotation, Index col);  // or passes
// A column's pair, and the column that it is rotated with: itself where it passes.
Index pair_of(const Rotation& rotation, Index col);
Index partner_of(const Rotation& rotation, Index col);
bool is_first(const Rotation& rotation, Index col);  // a, not b
double frequency(const Rotation& rotation, Index pair);

// X [n x d_k], its first row at place `first`. Y may be X.
template <class S>
void forward(MatIn<S> X, const Rotation& rotation, Index first, MatOut<S> Y);

// The derivatives of a number by X from those by Y: rotated back, and added to what stands there.
template <class S>
void grad_X(MatIn<S> dY, const Rotation& rotation, Index first, MatOut<S> dX);

}  // namespace hydra::rotate
