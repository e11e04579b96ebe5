// What a document's evaluation begins with, for whoever goes on by other means.
#pragma once
#include "core/attention/trace.h"
#include "core/document/document.h"

namespace hydra {

// Everything before the layers: tokens, X and what it is made of; and the weights of the ends.
Trace read_in(const Document& document);
// The same into a trace, which shares with the one before it, if there is one, what is the same.
void read_in(const Document& document, const Trace* previous, Trace& trace);
// Its tokens. Those of a sentence that is the same as before are the trace's: a weight that is dragged cuts none.
std::vector<std::string> tokens_of(const Document& document, const Trace* previous);
// What a layer's heads compute with when they read X.
LayerInput<float> input_of(const Document& document, int layer, const Array<float>& X);

}  // namespace hydra
