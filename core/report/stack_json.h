// What the analyze command says of a layer and those before it: rollout, composition (docs/document.md).
#pragma once
#include "core/attention/trace.h"
#include "core/json/writer.h"

namespace hydra {

// The key "rollout": through all layers up to this one, of the document's own sentence.
void write_rollout(const Trace& trace, int layer, ThreadPool* pool, JsonWriter& out);
// The key "composition": how far this layer's heads read those of each layer before it.
void write_composition(const Trace& trace, int layer, ThreadPool* pool, JsonWriter& out);

}  // namespace hydra
