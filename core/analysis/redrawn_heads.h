// Heads that have learned nothing, in the place of a layer's: chance, against which heads are held.
#pragma once
#include "core/attention/forward.h"
#include "core/linalg/random.h"

namespace hydra {

// The layer on its own input with heads whose W_Q, W_K, W_V and W_O are normal, each as large (Frobenius norm) as that
// matrix of the layer's head; without biases, gates and painted rows. All else is the layer's.
LayerTrace<float> with_heads_redrawn(const LayerInput<float>& layer, Random& random, ThreadPool* pool = nullptr);

}  // namespace hydra
