// A head's bilinear forms: what asks for what, W_Q^i W_K^iT, and what is written where, W_V^i W_O^i. Both are [d_model
// x d_model] of rank at most d_k, so they are kept as two thin factors and an entry of them is set through the factors.
// Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits": the QK and OV circuits.
#pragma once
#include "core/linalg/types.h"

namespace hydra {

struct Factors {
  Mat<float> left, right;  // [d x k] each; the form is left right^T
};

// The factors of the form with one entry changed. Where a column of them can take the change alone (it reads just this
// row, or offers just this column, or is free), every other entry stays; else the nearest form of rank k in the sense
// of least squares (Eckart and Young 1936) is taken, and other entries move. O(d k^2): no decomposition but two QRs.
Factors with_entry(const Factors& factors, Index row, Index col, float value);

}  // namespace hydra
