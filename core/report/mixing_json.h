// What the analyze command says of how the heads become one output (docs/document.md).
#pragma once
#include "core/analysis/mixing.h"
#include "core/json/writer.h"

namespace hydra {

// The keys of a layer's object, after which it stays open. varying: the same layer's, of what varies alone. tokens:
// also the shares of each token.
void write_mixing(const Mixing& mixing, const Mixing& varying, bool tokens, JsonWriter& out);

}  // namespace hydra
