// What the analyze command says of the residual stream (docs/document.md).
#pragma once
#include "core/analysis/stream/direct_effect.h"
#include "core/json/writer.h"

namespace hydra {

// The key "stream" of a layer's object: its lines, in the order in which they are made.
void write_stream(const StreamLayer& layer, JsonWriter& out);

// The key "direct_effects": what each line of the stream's token writes of the logits of the next word; where the
// readout answers several questions an array of that, one for each.
void write_direct_effects(const Trace& trace, const Stream& stream, ThreadPool* pool, JsonWriter& out);

}  // namespace hydra
