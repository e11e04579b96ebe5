// What the analyze command says of the residual stream (docs/document.md).
#pragma once
#include "core/analysis/stream.h"
#include "core/files/json_writer.h"

namespace hydra {

// The key "stream" of a layer's object: its lines, in the order in which they are made.
void write_stream(const StreamLayer& layer, JsonWriter& out);

}  // namespace hydra
