// What the analyze command says of how the heads become one output (docs/document.md).
#pragma once
#include "core/analysis/mixing.h"
#include "core/files/json_writer.h"

namespace hydra {

// The keys of a layer's object, after which it stays open. tokens: also the shares of each token.
void write_mixing(const Mixing& mixing, bool tokens, JsonWriter& out);

}  // namespace hydra
