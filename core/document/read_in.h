// What a document's evaluation begins with, for whoever goes on by other means.
#pragma once
#include "core/attention/trace.h"
#include "core/document/document.h"

namespace hydra {

// Everything before the layers: tokens, X and what it is made of; and the weights of the ends.
Trace read_in(const Document& document);
// What a layer's heads compute with when they read X.
LayerInput<float> input_of(const Document& document, int layer, const Array<float>& X);

}  // namespace hydra
