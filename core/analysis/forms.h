// A head's bilinear forms, multiplied out: what asks for what (W_Q^i W_K^iT) and what is written where (W_V^i W_O^i).
// Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits".
#pragma once
#include "core/explain/quantity.h"

namespace hydra {

// ref.quantity is query_key or value_output, with a head.  [d_model x d_model]
Mat<float> form_of(const Trace& trace, const Site& ref);

}  // namespace hydra
