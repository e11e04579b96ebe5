// Rotary positions: of a query or key at place p, pair j of its first `width` numbers, (a, b), is rotated by the angle
// p base^(-2j/width): (a cos - b sin, a sin + b cos); the numbers after them pass. Su et al. 2021, equation 15. Of
// differential attention each half of the query or key is rotated so.
//
// For more words than a model was trained on, frequencies f = base^(-2j/width) are made smaller, by a factor s; L are
// the words that it was trained on, and a pair turns L f / 2 pi times over them:
//   linear  f / s (Chen et al. 2023, equation 4)
//   llama3  of turns below `slow` f / s, above `fast` f, and between (1 - t) f / s + t f with
//           t = (turns - slow) / (fast - slow): as Llama 3.1 was published (apply_scaling in Meta's
//           models/llama3/reference_impl/model.py)
//   yarn    r f / s + (1 - r) f, r rising from 0 to 1 in j, from floor(j(fast)) to ceil(j(slow)), where j(turns) =
//           width ln(L / (2 pi turns)) / (2 ln base), both kept within 0 .. width - 1; and cosines and sines times a
//           magnitude, 0.1 ln s + 1 if nothing else is said: Peng et al. 2023, sections 3.2 and 3.4, bounds as in
//           their published code
#pragma once
#include "core/linalg/types.h"
#include "core/model/settings.h"

namespace hydra::rotate {

struct Rotation {
  double base = 10000;
  Index width = 0;  // even
  RotaryPairs pairs = RotaryPairs::halves;
  Index part = 0;  // after so many numbers it begins anew; 0: never
  RotaryScaling scaling = RotaryScaling::none;
  double factor = 1, length = 1, slow = 1, fast = 4;
  double magnitude = 1;  // rotated numbers are multiplied by it
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
double yarn_magnitude(double factor, double share = 1);  // 0.1 share ln(factor) + 1; of no factor 1

// X [n x d_k], its first row at place `first`; before place 0, where pads stand, rows are as at 0. Y may be X.
template <class S>
void forward(MatIn<S> X, const Rotation& rotation, Index first, MatOut<S> Y);

// The derivatives of a number by X from those by Y: rotated back, and added to what stands there.
template <class S>
void grad_X(MatIn<S> dY, const Rotation& rotation, Index first, MatOut<S> dX);

}  // namespace hydra::rotate
